"""Content: the bytes in which records follow each other, and where each of them is in the file as it is stored.

A stretch of content begins where a record, or what may be one, begins at the start of a frame or among plain bytes. It
depends on nothing before it, so that reading can begin there in any process.
"""

import io
from collections import deque
from contextlib import closing
from typing import IO, Final

from dehusk.sources import arc, frames, warc
from dehusk.sources.extent import (
    HEADER_SIZES,
    LINE_ENDS,
    OVERLAP,
    begins,
    begins_at,
    first_start,
    garbage_start,
    is_sound,
    windows,
)
from dehusk.sources.raw_file import RawFile

IN_MEMORY: Final = 2**25  # bytes of content that are kept at once; more go to a temporary file
OPENING: Final = 2**12  # bytes that could be decompressed in the time that it takes to begin with a frame


class PlainContent:
    """What is not compressed, from an offset of a file to its end. Reading can begin anywhere in it."""

    damage, is_cut_off = "", False

    def __init__(self, raw: RawFile, start: int) -> None:
        self._raw, self.start, self.end = raw, start, raw.size - start

    def read(self, offset: int, count: int) -> bytes:
        """Return bytes from an offset; fewer where the file ends."""
        return self._raw.read(self.start + offset, count)

    read_in_frame = read

    def find(self, offset: int) -> int | None:
        """Return the offset of the next record, at or after another; None if there is none."""
        if begins_at(self.read, offset):
            return offset
        # What is in a frame that cannot be decompressed may look like a record.
        sound_from = self.start if frames.is_frame(self.read(0, 10)) else None
        position = next_start(self._raw, self.start + offset, sound_from=sound_from)
        return None if position is None else position - self.start

    def is_end(self, offset: int) -> bool:
        """Return whether the content ends at an offset: with the file, or where a frame begins."""
        return offset >= self.end or frames.is_frame(self._raw.read(self.start + offset, 10))

    def boundary(self, offset: int) -> int | None:
        """Return where in the file reading can begin for an offset."""
        return self.start + offset

    def place(self, offset: int) -> int:
        """Return where in the file an offset is."""
        return self.start + offset

    def damage_start(self, offset: int) -> int:
        """Return where in the file to look for what follows."""
        return self.start + offset

    damage_end = 0

    def drop(self, offset: int) -> None:
        """Forget what comes before an offset."""

    def close(self) -> None:
        """Give back what is kept."""


class FramedContent:
    """What is in a frame and in those after it, up to one that begins like a record."""

    def __init__(self, raw: RawFile, frame: frames.Frame) -> None:
        self._raw, self._frame, self.start = raw, frame, frame.start
        self._kept = KeptBytes()
        self._places = deque([(0, frame.start)])
        self.damage, self.is_cut_off = "", False
        self._stop: int | None = None  # where it ended, without damage

    @property
    def _ended(self) -> bool:
        return bool(self.damage) or self._stop is not None

    def read(self, offset: int, count: int) -> bytes:
        """Return bytes from an offset; fewer where the content ends."""
        while self._kept.end < offset + count and not self._ended:
            if self._frame.ended:
                self._go_on()
            else:
                self._add(self._frame)
        return self._kept.read(offset, count)

    def read_in_frame(self, offset: int, count: int) -> bytes:
        """Return bytes from an offset; fewer where the content or its last frame so far ends."""
        while self._kept.end < offset + count and not self._ended and not self._frame.ended:
            self._add(self._frame)
        return self._kept.read(offset, count)

    def _add(self, frame: frames.Frame) -> None:
        place = frame.place
        try:
            data = _step(self._raw, frame)
        except frames.FrameError as error:
            self.damage, self.is_cut_off = str(error), isinstance(error, frames.CutOffError)
            return
        self._places.append((self._kept.end, place))
        self._kept.append(data)

    def _go_on(self) -> None:
        """Go on with the next frame unless a record begins with it."""
        self._stop = self._frame.position
        frame = frames.frame_at(self._raw, self._stop)
        data = _beginning(self._raw, frame) if frame else None
        if frame is None or data is None:
            return
        rest = data.lstrip(LINE_ENDS)
        if begins(rest):
            # Line ends before it may be the last bytes of the record before, which then is in two frames.
            self._places.append((self._kept.end, self._stop))
            self._kept.append(data[: len(data) - len(rest)])
            return
        self._places.append((self._kept.end, self._stop))
        self._kept.append(data)
        self._frame, self._stop = frame, None

    def find(self, offset: int) -> int | None:
        """Return the offset of the next record, at or after another, and forget what is before; None if none is."""
        if begins_at(self.read, offset):
            return offset
        for window, data in windows(self.read, offset):
            first = first_start(data)
            if first is not None:
                return window + first
            self._kept.drop(window)
        return None

    def is_end(self, offset: int) -> bool:
        """Return whether a frame ends at an offset, up to which was read."""
        return offset >= self._kept.end and self._frame.ended

    def boundary(self, offset: int) -> int | None:
        """Return where in the file reading can begin for an offset; None if only with what is before it."""
        return self._frame.position if self.is_end(offset) else None

    def place(self, offset: int) -> int:
        """Return where in the file an offset is, or the last one before it that is known."""
        if offset >= self._kept.end and not self.damage:
            return self._frame.place
        return next((place for at, place in reversed(self._places) if at <= offset), self.start)

    def close(self) -> None:
        """Give back what is kept."""
        self._kept.drop(self._kept.end)

    def drop(self, offset: int) -> None:
        """Forget what comes before an offset."""
        self._kept.drop(offset)
        while len(self._places) > 1 and self._places[1][0] <= offset:
            self._places.popleft()

    @property
    def end(self) -> int:
        """Up to where it was read."""
        return self._kept.end

    def damage_start(self, offset: int) -> int:
        """Return where in the file to look for what follows a damaged record, which begins at an offset."""
        return max(self._frame.start + 1, self.place(offset))

    @property
    def damage_end(self) -> int:
        """Up to where the file was read for what is damaged."""
        return self._frame.position


def opened(raw: RawFile, position: int) -> "PlainContent | FramedContent":
    """Return the content from an offset of a file on."""
    frame = frames.frame_at(raw, position)
    if frame:
        content = FramedContent(raw, frame)
        if content.read_in_frame(0, 1) or not content.damage:
            return content
    return PlainContent(raw, position)


def next_start(
    raw: RawFile, position: int, end: int | None = None, *, aligned: bool = False, sound_from: int | None = None
) -> int | None:
    """Return where a record begins, at or after an offset and before the `end`; None if none does.

    Unless it is to be `aligned`, a frame may have something else before the record. After a damaged frame, a record
    that is not compressed counts only if it is sound, and begins at `sound_from` or later: what is not compressible is
    stored as it was, and the record in that frame is known already.
    """
    seen = position
    for window, data in windows(raw.read, position):
        for start in _candidates(data):
            candidate = window + start
            if candidate < seen:
                continue
            if end is not None and candidate >= end:
                return None
            if not frames.is_frame(data[start : start + 10]):
                if _is_believed(raw, candidate, sound_from):
                    return candidate
                continue
            is_start, seen = _examined(raw, candidate, aligned=aligned)
            if is_start:
                return seen
        if end is not None and window + len(data) >= end + OVERLAP:
            return None
    return None


def _is_believed(raw: RawFile, position: int, sound_from: int | None) -> bool:
    """Return whether a record that is not compressed begins at an offset where one seems to."""
    if sound_from is not None and position < sound_from:
        return False
    if garbage_start(raw.read(position, HEADER_SIZES[0])) is not None:
        return False
    return sound_from is None or is_sound(PlainContent(raw, position))


def _candidates(data: bytes) -> list[int]:
    framed = (match.start() for pattern in frames.KINDS for match in pattern.finditer(data))
    return sorted({*warc.starts(data), *arc.starts(data), *framed})


def _examined(raw: RawFile, position: int, *, aligned: bool) -> tuple[bool, int]:
    """Return whether a frame with a record begins at an offset, and where; otherwise where to look next."""
    frame = frames.frame_at(raw, position) if raw.is_fair(position) else None
    if frame is None:
        return False, position + 1
    raw.spend(frames.PROBE, position)
    if not frame.is_likely:
        return False, position + 1
    raw.spend(OPENING, position)
    if aligned:
        is_start = begins((_beginning(raw, frame) or b"").lstrip(LINE_ENDS))
        return is_start, position if is_start else position + 1
    with closing(FramedContent(raw, frame)) as content:
        if content.find(0) is not None:
            return True, position
        # Frames before the one that is damaged are whole, and hold no record.
        return False, content.damage_start(0) if content.damage else content.place(content.end)


def _beginning(raw: RawFile, frame: frames.Frame) -> bytes | None:
    """Return the first content of a frame, none if it has none; None if it is damaged."""
    data = b""
    try:
        while not data and not frame.ended:
            data = _step(raw, frame)
    except frames.FrameError:
        return None
    return data


def _step(raw: RawFile, frame: frames.Frame) -> bytes:
    before = frame.position
    if not raw.is_fair(before):
        raise frames.FrameError("it expands too much")
    data = b""
    try:
        data = frame.step()
    finally:
        opening = OPENING if before == frame.start else 0
        raw.spend(frame.cost * (len(data) + frame.position - before + opening), frame.position)
    return data


class KeptBytes:
    """The last bytes of a stream that only grows, in memory or, if there are many, in a temporary file."""

    def __init__(self) -> None:
        self._start = self.end = 0
        self._memory: bytes | bytearray = b""  # copied only if there is more than one piece
        self._file: IO[bytes] | None = None
        self._file_start = 0

    def append(self, data: bytes) -> None:
        """Add bytes at the end."""
        self.end += len(data)
        if self._file is None and self.end - self._start > IN_MEMORY:
            from tempfile import TemporaryFile  # noqa: PLC0415  (rare)

            self._file, self._file_start = TemporaryFile(), self._start  # noqa: SIM115  (closed with the content)
            data, self._memory = bytes(self._memory) + data, b""
        if self._file is None:
            if not self._memory:
                self._memory = data
            else:
                if isinstance(self._memory, bytes):
                    self._memory = bytearray(self._memory)
                self._memory += data
        else:
            self._file.seek(0, io.SEEK_END)
            self._file.write(data)

    def read(self, offset: int, count: int) -> bytes:
        """Return bytes from an offset that was not dropped."""
        if offset >= self.end:  # which may be farther than a file can reach
            return b""
        if self._file is None:
            with memoryview(self._memory) as view:
                return bytes(view[offset - self._start : offset - self._start + count])
        self._file.seek(offset - self._file_start)
        return self._file.read(count)

    def drop(self, offset: int) -> None:
        """Forget what comes before an offset."""
        offset = min(offset, self.end)
        if offset == self.end:
            self._memory = b""
        elif self._file is None and offset > self._start:
            if isinstance(self._memory, bytes):
                self._memory = bytearray(self._memory)
            del self._memory[: offset - self._start]
        self._start = offset
        if self._file and offset == self.end:
            self._file.close()
            self._file = None
