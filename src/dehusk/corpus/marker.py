"""Marker: which record a worker is at, and what it has done so far, in a file that outlives the worker."""

import json
import mmap
import struct
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PLACE: Final = "<q"
SIZE: Final = struct.calcsize(PLACE)
ROOM: Final = 4096  # bytes, for the place and the progress
EVERY: Final = 0.5  # seconds between two notes of the progress
FIRST: Final = -1  # the place before the first record


@dataclass(frozen=True, slots=True)
class Progress:
    """What has become of the records of a part so far."""

    counts: dict[str, int] = field(default_factory=dict)
    bytes: int = 0  # that were read, decompressed
    share: float = 0.0  # of the part


class Marker:
    """A number in memory that is shared with a file, which takes a fraction of a microsecond to write; and progress."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(struct.pack(PLACE, FIRST).ljust(ROOM, b"\0"))
        self._file = path.open("r+b")
        self._memory = mmap.mmap(self._file.fileno(), ROOM)
        self._next = time.monotonic() + EVERY

    def set(self, number: int) -> None:
        """Write the number."""
        struct.pack_into(PLACE, self._memory, 0, number)

    @property
    def is_due(self) -> bool:
        """Whether the progress should be noted again."""
        return time.monotonic() >= self._next

    def note(self, progress: Progress) -> None:
        """Write the progress."""
        self._next = time.monotonic() + EVERY
        line = json.dumps([progress.counts, progress.bytes, progress.share]).encode()[: ROOM - SIZE]
        self._memory[SIZE:] = line.ljust(ROOM - SIZE, b"\0")

    def close(self) -> None:
        """Close the file."""
        self._memory.close()
        self._file.close()


def read_marker(path: Path) -> int:
    """Return the number that was written last.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     marker = Marker(Path(folder, "a"))
    ...     marker.set(7)
    ...     marker.note(Progress({"kept": 3}, 5000, 0.5))
    ...     marker.close()
    ...     read_marker(Path(folder, "a")), read_progress(Path(folder, "a"))
    (7, Progress(counts={'kept': 3}, bytes=5000, share=0.5))
    """
    try:
        return int(struct.unpack_from(PLACE, path.read_bytes())[0])
    except (OSError, struct.error):
        return FIRST


def read_progress(path: Path) -> Progress:
    """Return the progress that was noted last; none while it is being written, or if there is no file."""
    try:
        return Progress(*json.loads(path.read_bytes()[SIZE:].rstrip(b"\0")))
    except (OSError, ValueError, TypeError):
        return Progress()
