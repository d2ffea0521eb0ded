"""Files of a corpus are there as a whole or not at all, also after the machine has lost its power."""

import os
from pathlib import Path

import pytest

from dehusk.corpus.files import read_json, write_json


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def flush(file: int) -> None:
        events.append("on the disk")
        fsync(file)

    def rename(part: Path, path: Path) -> Path:
        events.append("named")
        return replace(part, path)

    monkeypatch.setattr(os, "fsync", flush)
    monkeypatch.setattr(Path, "replace", rename)
    write_json(tmp_path / "a.json", {"a": 1})
    assert events == ["on the disk", "named", "on the disk"]  # the last is the name
    assert read_json(tmp_path / "a.json") == {"a": 1}


def test_a_file_that_could_not_be_written_is_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_json(tmp_path / "a.json", "before")
    write = Path.write_text

    def break_off(path: Path, text: str, **options: str) -> int:
        write(path, text[:3])
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_text", break_off)
    with pytest.raises(OSError, match="No space left"):
        write_json(tmp_path / "a.json", "after")
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert read_json(tmp_path / "a.json") == "before"
