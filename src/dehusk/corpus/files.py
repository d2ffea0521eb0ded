"""Files of a corpus: what they are called, and how they come to be as a whole or not at all."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

MANIFEST: Final = "manifest.json"
LOG: Final = "log.jsonl"
WORK: Final = "work"  # a folder that is there while a corpus is unfinished


@dataclass(frozen=True, slots=True)
class PartFiles:
    """The files that one part becomes."""

    folder: Path
    number: int

    def _named(self, suffix: str) -> Path:
        return self.folder / f"part-{self.number:06}{suffix}"

    @property
    def rows(self) -> Path:
        """The documents."""
        return self._named(".arrow")

    @property
    def documents(self) -> Path:
        """One entry per document that is compared with others."""
        return self._named(".documents.npy")

    @property
    def digests(self) -> Path:
        """The keys of their digests, sorted."""
        return self._named(".digests.npy")

    @property
    def signatures(self) -> Path:
        """The signatures of these."""
        return self._named(".signatures.npy")

    @property
    def keys(self) -> Path:
        """The keys of their bands, sorted."""
        return self._named(".keys.npy")

    @property
    def marker(self) -> Path:
        """Which document is being processed, in shared memory."""
        return self._named(".marker")

    @property
    def summary(self) -> Path:
        """What became of the records; it is there when all others are complete."""
        return self._named(".json")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
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
    with whole(path) as part:
        part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """Read a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))
