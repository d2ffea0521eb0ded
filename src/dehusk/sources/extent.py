"""Extent: where a record begins, how far its header goes, and whether it ends where it says."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, Protocol, TypeAlias

from dehusk.sources import arc, warc

HEADER_SIZES: Final = (2**13, 2**16, 2**20)  # of a header, read until it is whole
FIRST_WINDOW, WINDOW, OVERLAP = 2**9, 2**21, 2**16  # bytes that are searched at once, and those seen twice
NEEDED, LONGEST_LINE = 2**9, 2**16  # bytes that show whether a record begins: the line of an ARC record has an address
LEEWAY: Final = 2  # bytes by which a length may be too small, as other readers have it
TAIL: Final = 8  # bytes between the stated end of a record and the next one, at most
LINE_ENDS: Final = b"\r\n"
PADDING: Final = b"\r\n \t"  # what may stand between two records
GARBAGE: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")  # what compressed bytes have, and no header

Header: TypeAlias = warc.WarcHeader | arc.ArcHeader


class Readable(Protocol):
    """Content in which records follow each other."""

    @property
    def damage(self) -> str:
        """Why it does not go on; empty if it does, or ends well."""

    @property
    def end(self) -> int:
        """Up to where it is known."""

    def read(self, offset: int, count: int) -> bytes:
        """Return bytes from an offset."""

    def read_in_frame(self, offset: int, count: int) -> bytes:
        """Return bytes from an offset, as far as its frame goes."""

    def is_end(self, offset: int) -> bool:
        """Return whether it ends at an offset, or a frame of it does."""


def begins(data: bytes) -> bool:
    """Return whether a record begins like this, with a frame: its address is not the rest of one, such as ttps://."""
    return warc.begins(data) or (arc.SCHEME.match(data) is not None and arc.begins(data))


def begins_at(read: Callable[[int, int], bytes], offset: int) -> bool:
    """Return whether a record begins at an offset."""
    data = read(offset, NEEDED)
    return warc.begins(data) or (arc.may_begin(data) and arc.begins(read(offset, LONGEST_LINE)))


def windows(read: Callable[[int, int], bytes], offset: int) -> Iterator[tuple[int, bytes]]:
    """Yield windows of what can be read from an offset on, small ones first, and where they are."""
    size = FIRST_WINDOW
    while data := read(offset, size):
        yield offset, data
        if len(data) < size:
            return
        if size < WINDOW:
            size *= 16
        else:
            offset += size - OVERLAP


def holds_start(read: Callable[[int, int], bytes], offset: int, end: int) -> bool:
    """Return whether a record seems to begin between two offsets."""
    bounded = windows(lambda begin, count: read(begin, max(min(count, end - begin), 0)), offset)
    return any(first_start(data) is not None for _, data in bounded)


def first_start(data: bytes) -> int | None:
    """Return where a record seems to begin first; None if nowhere."""
    return min((start for starts in (warc.starts(data), arc.starts(data)) for start in islice(starts, 1)), default=None)


def header(content: Readable, offset: int) -> Header | None:
    """Return the header of the record that begins at an offset; None if there is none that can be read."""
    head = parsed(content.read_in_frame(offset, HEADER_SIZES[0]), is_all=False)
    if head:
        return head
    for size in HEADER_SIZES:
        data = content.read(offset, size)
        is_all = len(data) < size or size == HEADER_SIZES[-1]
        head = parsed(data, is_all=is_all)
        if head or is_all or not (warc.begins(data) or (arc.may_begin(data) and size <= LONGEST_LINE)):
            return head
    return None


def parsed(data: bytes, *, is_all: bool) -> Header | None:
    """Return the header that data begins with; None if it has none, or more of it is needed, unless that is all."""
    return warc.header(data, is_all=is_all) or arc.header(data, is_all=is_all)


def end_of_record(content: Readable, block: int, end: int, *, is_certain: bool = True) -> int | None:
    """Return the offset of what follows a record whose block has an end; None if it cannot end there.

    If it is certain that this is a record, anything may follow its last line.
    """
    if content.end < end and not content.read(end - 1, 1):
        return None
    for extra in range(LEEWAY + 1):
        following = end + extra + line_ends(content.read_in_frame, end + extra)
        if content.damage and following >= content.end:  # its checksum is wrong, or missing
            return None
        if content.is_end(following) or _begins_after(content, following):
            return following
    if not is_certain:
        return None
    # Whatever that is that follows: it may be damaged. If the frame is, a line end may be there by chance.
    following = end + line_ends(content.read_in_frame, end)
    is_end = b"\n" in content.read(end, min(following - end, TAIL))
    if not is_end or (content.damage and not _may_begin(content.read(following, TAIL))):
        return None
    return None if holds_start(content.read, block, end) else following


def _begins_after(content: Readable, offset: int) -> bool:
    """Return whether a record begins at an offset, and not within the address of one."""
    if not begins_at(content.read, offset):
        return False
    return content.read(offset - 1, 1) in LINE_ENDS or first_start(content.read(offset, LONGEST_LINE)) == 0


def _may_begin(data: bytes) -> bool:
    return data.startswith(b"WARC/") or b"WARC/".startswith(data) or arc.may_begin(data)


def line_ends(read: Callable[[int, int], bytes], offset: int) -> int:
    """Return how many bytes of blank lines there are at an offset."""
    count, size = 0, 64
    while data := read(offset + count, size):
        rest = data.lstrip(PADDING)
        count += len(data) - len(rest)
        size = 2**16
        if rest:
            break
    return count


def garbage_start(data: bytes) -> int | None:
    r"""Return where the header that data begins with ceases to be text; None if it does not.

    >>> garbage_start(b"WARC/1.0\r\nWARC-Type: res\x02\x93\x00"), garbage_start(b"WARC/1.0\r\n\r\n\x00")
    (24, None)
    """
    end = (warc.END if data.startswith(b"WARC/") else arc.END).search(data)
    garbage = GARBAGE.search(data, 0, end.end() if end else len(data))
    return garbage.start() if garbage else None


def is_sound(content: Readable) -> bool:
    """Return whether the record at the beginning of content, with a header of common size, ends where it says."""
    head = parsed(content.read(0, HEADER_SIZES[0]), is_all=False)
    if head is None or not head.is_whole or head.length is None:
        return False
    return end_of_record(content, head.size, head.size + head.length, is_certain=False) is not None
