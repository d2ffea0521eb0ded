"""Files of a corpus: what they are called, and how they come to be as a whole or not at all."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError

MANIFEST: Final = "manifest.json"
LOG: Final = "log.jsonl"
WORK: Final = "work"  # a folder that is there while a corpus is unfinished


class _PartFile:
    """The path of one of the files of a part, by its suffix."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix

    def __get__(self, files: "PartFiles", owner: object) -> Path:
        return files.folder / f"part-{files.number:06}{self._suffix}"


@dataclass(frozen=True, slots=True)
class PartFiles:
    """The files that one part becomes."""

    folder: Path
    number: int
    rows = _PartFile(".arrow")  # the documents
    documents = _PartFile(".documents.npy")  # one entry per document that is compared with others
    digests = _PartFile(".digests.npy")  # the keys of their digests, sorted
    signatures = _PartFile(".signatures.npy")
    keys = _PartFile(".keys.npy")  # the keys of their bands, sorted
    marker = _PartFile(".marker")  # which record is being processed, in shared memory
    summary = _PartFile(".json")  # what became of the records; it is there when all others are complete


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Give a temporary path, and move what was written there to its own once it is complete and on the disk.

    The temporary path is a new one each time: of two processes that write the same file, one may have been given up for
    dead, on another machine.
    """
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file as a whole."""
    with write_atomically(path) as part:
        part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """Read a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def read_manifest(folder: str | Path, need: str) -> dict[str, Any]:
    """Return the manifest of a finished corpus in Parquet; for other formats, the error says who has that `need`."""
    try:
        manifest: dict[str, Any] = read_json(Path(folder, MANIFEST))
    except OSError as error:
        raise InputError(f"{folder} has no {MANIFEST}; expected the folder of a finished corpus") from error
    if manifest["format"] != "parquet":
        raise InputError(f"{folder} is in the format {manifest['format']}; {need}")
    return manifest


def write_array(path: Path, array: NDArray[np.generic]) -> None:
    """Write an array as a whole."""
    with write_atomically(path) as part, part.open("wb") as file:
        np.save(file, array)
