"""What a JSON line has beside its page comes out again as valid JSON, whatever it is."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from dehusk.sources import json_lines

COMMAND = [sys.executable, "-m", "dehusk", "extract", "--method", "alltext", "--format"]


def refused(name: str) -> NoReturn:
    raise AssertionError(f"{name} is not JSON")


def through(folder: Path, line: str, format: str) -> dict[str, Any]:
    """Return what the command makes of a line, read as strictly as the standard demands."""
    path = folder / "pages.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    found = subprocess.run([*COMMAND, format, str(path)], capture_output=True, check=True).stdout
    record: dict[str, Any] = json.loads(found.decode("utf-8", "strict"), parse_constant=refused)
    return record


@pytest.mark.parametrize("format", ["text", "json"])
def test_numbers_are_finite_or_as_written(tmp_path: Path, format: str) -> None:
    line = '{"html": "<p>Rain", "a": 1e999, "b": [-1E+400, 1.5, 7], "c": {"d": NaN, "e": -Infinity}}'
    found = through(tmp_path, line, format)
    assert (found["a"], found["b"], found["c"]) == ("1e999", ["-1E+400", 1.5, 7], {"d": None, "e": None})
    assert found["text"] == "Rain"


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
def test_a_lone_surrogate_stays_an_escape(tmp_path: Path, format: str) -> None:
    line = '{"html": "<p>Rain", "url": "https://example.org/\\ud800", "note": ["\\udfff", "\\ud83c\\udf27"]}'
    found = through(tmp_path, line, format)
    assert found["note"] == ["\udfff", "🌧"]
    assert found["url"] == "https://example.org/\ud800"


def test_a_line_may_have_six_bytes_for_each_character_of_its_page() -> None:
    line = json.dumps({"html": "é" * 50}).encode() + b"\n"
    assert len(line) > 300
    (page,) = json_lines.read_range(io.BytesIO(line), "a.jsonl", 60)
    assert (page.data, page.problem) == ("é" * 50, None)
    (page,) = json_lines.read_range(io.BytesIO(line), "a.jsonl", 50)
    assert page.problem
