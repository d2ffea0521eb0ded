"""A file that is compressed as it is written, always to the same bytes."""

import gzip
import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any


class CompressedFile(ABC):
    """What the writers of text have in common: rows one by one, to a gzip file without a date in it."""

    suffix = ".gz"

    def __init__(self, path: Path) -> None:
        self._raw = path.open("wb")
        self._file = gzip.GzipFile("", "wb", 6, self._raw, mtime=0)

    def write(self, batch: Any) -> None:
        """Write the rows of a batch."""
        for row in batch.to_pylist():
            self._file.write(self.row(row).encode("utf-8", "replace"))

    @abstractmethod
    def row(self, row: dict[str, Any]) -> str:
        """Return how a row is written."""

    def close(self) -> None:
        """End the file."""
        self._file.close()
        self._raw.close()


def present(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the columns of a row that have a value.

    >>> present({"a": 1, "b": None, "c": [], "d": 0}, "a", "b", "c", "d")
    {'a': 1, 'd': 0}
    """
    return {name: row[name] for name in names or row if row[name] is not None and row[name] != []}


def json_line(record: dict[str, Any]) -> str:
    """Return a record as one line of JSON."""
    return json.dumps(record, ensure_ascii=False) + "\n"
