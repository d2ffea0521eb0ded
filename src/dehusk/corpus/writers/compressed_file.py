"""A file that is compressed as it is written, always to the same bytes."""

import gzip
import json
from abc import ABC, abstractmethod
from math import isfinite
from pathlib import Path
from typing import Any, Final

LINE_ENDS: Final = {character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}  # as JSON escapes them


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
    return {name: row[name] for name in names or row if row[name] not in (None, []) and not _is_no_number(row[name])}


def _is_no_number(value: Any) -> bool:
    return isinstance(value, float) and not isfinite(value)  # which JSON does not have


def json_line(record: dict[str, Any]) -> str:
    """Return a record as one line of JSON, also for programs that know other ends of lines."""
    line = json.dumps(record, ensure_ascii=False)
    for character, escape in LINE_ENDS.items():
        line = line.replace(character, escape)
    return line + "\n"
