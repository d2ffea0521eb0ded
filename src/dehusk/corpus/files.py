"""Files of a corpus: what they are called, and how they come to be as a whole or not at all."""

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk import whole_files
from dehusk.errors import InputError

MANIFEST: Final = "manifest.json"
LOG: Final = "log.jsonl"
WORK: Final = "work"  # a folder that is there while a corpus is unfinished
DATA: Final = "data"  # the folder of the shards, and of nothing else, so that other tools can read it as a whole


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


# Files of a corpus outlive a machine that loses its power.
write_atomically: Final = partial(whole_files.write_atomically, durable=True)


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
