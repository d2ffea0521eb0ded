"""Lines of a stream with their offsets; of one that is too long, no more than its beginning is in memory."""

from collections.abc import Iterator
from typing import IO, Final, NamedTuple

CHUNK: Final = 2**16


class Line(NamedTuple):
    """A line, with its end."""

    offset: int  # of its first byte
    data: bytes  # all of it, or as much as may be in memory
    length: int  # bytes, with those that were skipped

    @property
    def is_whole(self) -> bool:
        """Whether nothing of it was skipped."""
        return len(self.data) == self.length


def lines(stream: IO[bytes], longest: int, offset: int = 0, end: int | None = None) -> Iterator[Line]:
    r"""Yield the lines that begin before `end` in a stream, which is at an offset; those that are longer are cut off.

    >>> from io import BytesIO
    >>> [tuple(line) for line in lines(BytesIO(b"ab\nlonger\nc"), 4)]
    [(0, b'ab\n', 3), (3, b'long', 7), (10, b'c', 1)]
    """
    while (end is None or offset < end) and (data := stream.readline(longest)):
        length = len(data) + (0 if data.endswith(b"\n") else skip_line(stream))
        yield Line(offset, data, length)
        offset += length


def skip_line(stream: IO[bytes]) -> int:
    """Skip what is left of a line; return how many bytes that was."""
    skipped, piece = 0, b""
    while not piece.endswith(b"\n") and (piece := stream.readline(CHUNK)):
        skipped += len(piece)
    return skipped
