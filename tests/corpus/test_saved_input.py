"""Standard input is saved first, whatever it is, and then read like a file; what was not saved whole is not resumed."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from dehusk.corpus.build import build
from dehusk.corpus.files import PartFiles
from dehusk.corpus.settings import Extraction, OutputSettings, Settings
from dehusk.errors import InputError, UsageError
from tests.helpers.archives import COMPRESSORS, WHOLE, http, warc_record
from tests.helpers.articles import article

SETTINGS = Settings(extraction=Extraction(method="bte"), output=OutputSettings(part_bytes=3000))
RECORDS = [warc_record(number, http(article(number).encode())) for number in range(8)]
LINES = b"".join(json.dumps({"html": article(number)}).encode() + b"\n" for number in range(8))


def send(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("data/*.parquet")) for row in parquet.read_table(path).to_pylist()]


INPUTS = {
    **{f"warc{suffix}": (b"".join(map(pack, RECORDS)), 8) for suffix, pack in COMPRESSORS.items()},
    "whole.bz2": (WHOLE[".bz2"](b"".join(RECORDS)), 8),
    "lines": (LINES, 8),
    "lines.gz": (COMPRESSORS[".gz"](LINES), 8),
    "html": (article(0).encode(), 1),
    "html.gz": (COMPRESSORS[".gz"](article(0).encode()), 1),
}


@pytest.mark.parametrize("name", INPUTS)
def test_any_kind_of_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    data, count = INPUTS[name]
    send(monkeypatch, data)
    manifest = build(["-"], tmp_path / "corpus", SETTINGS, jobs=1)
    found = rows(tmp_path / "corpus")
    assert (manifest["records"], manifest["kept"]) == (count, count)
    assert [(each["location"], each["bytes"]) for each in manifest["inputs"]] == [("-", len(data))]
    assert {row["file"] for row in found} == {"-"}
    assert [row["title"] for row in found] == [f"Story {number}" for number in range(count)]
    assert sorted(path.name for path in (tmp_path / "corpus").iterdir()) == [
        "corpus.toml", "data", "log.jsonl", "manifest.json"
    ]  # fmt: skip


def test_input_that_is_no_page_is_one_rejected_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    send(monkeypatch, b"")
    assert build(["-"], tmp_path / "corpus", SETTINGS, jobs=1)["rejected"] == {"too-small": 1}


def test_what_was_saved_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    send(monkeypatch, b"".join(RECORDS))
    expected = build(["-"], tmp_path / "whole", SETTINGS, jobs=1)
    folder = tmp_path / "corpus"

    def stop(status: object) -> None:
        if PartFiles(folder / "work", 1).summary.exists():
            raise KeyboardInterrupt

    send(monkeypatch, b"".join(RECORDS))
    with pytest.raises(KeyboardInterrupt):
        build(["-"], folder, SETTINGS, jobs=1, listener=stop)
    send(monkeypatch, b"something else")
    assert build(["-"], folder, SETTINGS, jobs=1, resume=True) == expected
    assert rows(folder) == rows(tmp_path / "whole")


def test_input_that_was_not_saved_whole_cannot_be_resumed(tmp_path: Path) -> None:
    run = "import sys; from pathlib import Path; from dehusk.corpus.build import build; build(['-'], Path(sys.argv[1]))"
    folder = tmp_path / "corpus"
    with subprocess.Popen([sys.executable, "-c", run, folder], stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(b"".join(RECORDS) * 20)
        process.stdin.flush()
        while not list(folder.glob("work/.*")):
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(UsageError, match="interrupted while standard input was being saved, which cannot"):
        build(["-"], folder, resume=True)


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    send(monkeypatch, LINES)
    with pytest.raises(InputError, match="Not a directory; expected a folder to create"):
        build(["-"], tmp_path / "file" / "corpus", SETTINGS)
