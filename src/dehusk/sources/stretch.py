"""Stretch: a part of a file that reads like a file of its own."""

import io
from typing import IO, Any


class Stretch(io.RawIOBase):
    """The bytes of a file from `start` on, so many or as many as there are; the file stays open.

    >>> with Stretch.buffered(io.BytesIO(b"one two three"), 4, 3) as stretch:
    ...     stretch.read()
    b'two'
    """

    def __init__(self, file: IO[bytes], start: int, length: int | None = None) -> None:
        size = max(file.seek(0, io.SEEK_END) - start, 0)
        self._file, self._start, self._size = file, start, size if length is None else min(length, size)
        self._position = 0

    @classmethod
    def buffered(cls, file: IO[bytes], start: int, length: int | None = None) -> IO[bytes]:
        """Return a stretch of a file with a buffer."""
        return io.BufferedReader(cls(file, start, length))

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def seekable(self) -> bool:
        """Return that it can be read from anywhere."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position."""
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(origin + offset, 0)
        return self._position

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Read from the file, as far as the stretch goes."""
        count = min(len(buffer), max(self._size - self._position, 0))
        if not count:
            return 0
        self._file.seek(self._start + self._position)
        data = self._file.read(count)
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)
