"""What a JSON line has beside its page comes out again as valid JSON, whatever it is."""

import bz2
import gzip
import io
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
import zstandard

from dehusk.reasons import Code
from dehusk.sources import RawPage, json_lines
from dehusk.sources.account import Account
from dehusk.sources.inputs import look_at
from dehusk.sources.kinds import ReadOptions

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


CONTENT = (
    b'\xef\xbb\xbf{"html": "<p>One"}\n\n{"html": "<p>Two"}\r\n \t\nnonsense\n\0\0\n{"html": "\xff"}\n{"html": "<p>Six"}'
)


def ranged(content: bytes, start: int = 0, end: int | None = None, limit: int = 10**6) -> tuple[list[RawPage], Account]:
    stream, account = io.BytesIO(content), Account()
    first = json_lines.line_start(stream, start)
    stream.seek(0)
    return list(json_lines.read_range(stream, "a.jsonl", limit, first, end, "html", account)), account


def test_every_byte_of_lines_is_accounted_for() -> None:
    pages, account = ranged(CONTENT)
    assert [page.data or str(page.problem)[:8] for page in pages] == [
        "<p>One", "<p>Two", "not JSON", "not JSON", "not JSON", "<p>Six"
    ]  # fmt: skip
    assert (account.records, account.padding) == (6, len("\n \t\n"))
    assert (account.end, account.is_balanced) == (len(CONTENT), True)


@pytest.mark.parametrize("place", range(0, len(CONTENT) + 1, 3))
def test_parts_of_lines_meet_wherever_they_are_divided(place: int) -> None:
    (first, before), (second, after) = ranged(CONTENT, 0, place), ranged(CONTENT, place)
    assert first + second == ranged(CONTENT)[0]
    assert (before.start, before.end, after.end) == (0, after.start, len(CONTENT))
    assert before.is_balanced
    assert after.is_balanced


def test_a_part_may_begin_where_the_one_before_ended() -> None:
    pages, account = ranged(CONTENT, 0, 5)
    rest = list(json_lines.read_range(io.BytesIO(CONTENT), "a.jsonl", 10**6, account.end))
    assert pages + rest == ranged(CONTENT)[0]


def test_a_line_without_end_is_one_record_and_not_in_memory() -> None:
    content = b'{"html": "' + b"x" * 5_000_000 + b'"}\n{"html": "<p>Two"}\n'
    tracemalloc.start()
    try:
        (long, two), account = ranged(content, limit=1000)
        (after,), _ = ranged(content, 50, limit=1000)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    assert (long.problem and long.problem.code, two.data, after.data) == (Code.TOO_LARGE, "<p>Two", "<p>Two")
    assert (account.records, account.is_balanced) == (2, True)


def test_a_line_of_countless_entries_is_refused() -> None:
    (page,), _ = ranged(b'{"html": [' + b"{}," * (json_lines.MOST_ENTRIES + 1) + b"{}]}", limit=10**8)
    assert str(page.problem).startswith("more than 4,000,000 entries")


@pytest.mark.parametrize("suffix", ["gz", "bz2", "zst"])
@pytest.mark.parametrize("damage", ["none", "cut off", "garbage"])
def test_compressed_lines_are_accounted_for_by_compressed_bytes(tmp_path: Path, suffix: str, damage: str) -> None:
    lines = b"".join(json.dumps({"html": f"<p>{number} {number**9}"}).encode() + b"\n" for number in range(5000))
    pack: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}
    packed = pack[suffix](lines)
    packed = {"none": packed, "cut off": packed[: len(packed) // 2], "garbage": packed[:-50] + b"x" * 50}[damage]
    path = tmp_path / f"a.jsonl.{suffix}"
    path.write_bytes(packed)
    account = Account()
    source = look_at(str(path))
    assert source.kind.records is not None
    pages = list(source.kind.records(source, ReadOptions(account=account)))
    assert (account.start, account.end, account.is_balanced) == (0, len(packed), True)
    assert len(account.gaps) == (damage != "none")
    assert account.records == sum(page.record is None or page.record.kind != "unknown" for page in pages)
    assert (pages[-1].problem is None) == (damage == "none")
