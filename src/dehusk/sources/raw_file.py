"""A file as it is stored, read at any offset, and how much work may go into it."""

import io
from typing import IO, Any, Final

CHUNK: Final = 2**18
# Decompressed bytes for each stored one, on average, and how many come on top, for one record and for all: real
# archives stay below a tenth of it, and what is made to expand without end stops.
EXPANSION, ALLOWANCE, TOTAL_ALLOWANCE = 200, 2**30, 2**32


class RawFile:
    """A file of which the last bytes that were read are kept."""

    def __init__(self, file: IO[bytes], start: int = 0) -> None:
        self._file, self._start = file, start
        self.size = file.seek(0, io.SEEK_END)
        self._chunk, self._chunk_start, self._is_last = b"", 0, False
        self._spent = self._spent_before = 0
        self._record, self._farthest = start, start
        self.dictionary: tuple[Any] | None = None  # of zstd frames, once it was looked for

    def read(self, position: int, count: int) -> bytes:
        """Return bytes from an offset; fewer where the file ends."""
        begin = position - self._chunk_start
        if not 0 <= begin <= len(self._chunk) or (begin + count > len(self._chunk) and not self._is_last):
            if count > CHUNK:
                return self.peek(position, count)
            self._chunk, self._chunk_start, begin = self.peek(position, CHUNK), position, 0
            self._is_last = len(self._chunk) < CHUNK
        return self._chunk[begin : begin + count]

    def peek(self, position: int, count: int) -> bytes:
        """Return bytes from an offset that may be far away."""
        self._file.seek(min(position, self.size))
        return self._file.read(count)

    def begin(self, position: int) -> None:
        """Count again from where a record or a search begins, so that what it finds depends on nothing before it."""
        self._spent_before += self._spent
        self._spent, self._record, self._farthest = 0, position, position

    def spend(self, work: int, position: int) -> None:
        """Count bytes that were worked on, and up to where the file was read for it."""
        self._spent += work
        self._farthest = max(self._farthest, position)

    def is_fair(self, position: int) -> bool:
        """Return whether no more work was done than what is stored before an offset may cost."""
        farthest = max(self._farthest, position)
        return self._spent <= ALLOWANCE + EXPANSION * (
            farthest - self._record
        ) and self._spent_before + self._spent <= TOTAL_ALLOWANCE + EXPANSION * (farthest - self._start)
