"""Marker: which record a worker is at, where that is, and what it has done so far, in a file that outlives it."""

import json
import mmap
import struct
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

NUMBER: Final = struct.Struct("<q")
STEP, POSITION, PROGRESS = 0, 8, 16  # where they are in the file
ROOM: Final = 4096  # bytes, for the place and the progress
EVERY: Final = 0.5  # seconds between two notes of the progress
FIRST: Final = -1  # the step before the first record


@dataclass(frozen=True, slots=True)
class PartProgress:
    """What has become of the records of a part so far."""

    counts: dict[str, int] = field(default_factory=dict)
    bytes: int = 0  # that were read, decompressed
    share: float = 0.0  # of the part


class Place(NamedTuple):
    """Where a worker is."""

    step: int = FIRST
    position: int = 0  # in its input, of the record that is read


class Marker:
    """The step of a worker and its progress, in memory that is shared with a file: a microsecond at most to write."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(NUMBER.pack(FIRST).ljust(ROOM, b"\0"))
        self._file = path.open("r+b")
        self._memory = mmap.mmap(self._file.fileno(), ROOM)
        self._next = time.monotonic() + EVERY

    def set(self, step: int) -> None:
        """Write the step."""
        NUMBER.pack_into(self._memory, STEP, step)

    def set_position(self, position: int) -> None:
        """Write the position."""
        NUMBER.pack_into(self._memory, POSITION, position)

    @property
    def is_due(self) -> bool:
        """Whether the progress should be noted again."""
        return time.monotonic() >= self._next

    def note(self, progress: PartProgress) -> None:
        """Write the progress."""
        self._next = time.monotonic() + EVERY
        line = json.dumps([progress.counts, progress.bytes, progress.share]).encode()[: ROOM - PROGRESS]
        self._memory[PROGRESS:] = line.ljust(ROOM - PROGRESS, b"\0")

    def close(self) -> None:
        """Close the file."""
        self._memory.close()
        self._file.close()


def read_marker(path: Path) -> Place:
    """Return the place that was written last.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     marker = Marker(Path(folder, "a"))
    ...     marker.set(7)
    ...     marker.set_position(400)
    ...     marker.note(PartProgress({"kept": 3}, 5000, 0.5))
    ...     marker.close()
    ...     read_marker(Path(folder, "a")), read_progress(Path(folder, "a"))
    (Place(step=7, position=400), PartProgress(counts={'kept': 3}, bytes=5000, share=0.5))
    """
    try:
        data = path.read_bytes()
        return Place(*(int(NUMBER.unpack_from(data, offset)[0]) for offset in (STEP, POSITION)))
    except (OSError, struct.error):
        return Place()


def read_progress(path: Path) -> PartProgress:
    """Return the progress that was noted last; none while it is being written, or if there is no file."""
    try:
        return PartProgress(*json.loads(path.read_bytes()[PROGRESS:].rstrip(b"\0")))
    except (OSError, ValueError, TypeError):
        return PartProgress()
