"""Frames: the compressed pieces of an archive, each decompressed step by step within bounds on memory and work."""

import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, Protocol

from dehusk.sources.raw_file import RawFile

STEP: Final = 2**20  # decompressed bytes of one step, at most
MOST_AGAIN, FINE = 2**12, 2**6  # bytes of a step up to a known place, and where the next may fail, and give nothing
FIRST_INPUT, MOST_INPUT = 2**13, 2**18  # bytes that are read for a step; more with each
LARGEST_WINDOW: Final = 2**27  # bytes that a decompressor may look back, as the zstd program has it
LARGEST_DICTIONARY: Final = 2**25
DICTIONARY: Final = b"\x5d\x2a\x4d\x18"  # the skippable frame in which ArchiveTeam stores one
LONGEST_HEADER, BLOCK = 18, 3  # bytes of the headers of a zstd frame and of a block in it
PROBE: Final = 2**9  # bytes that show of most frames that they are none


class FrameError(Exception):
    """A frame that cannot be decompressed any further."""


class CutOffError(FrameError):
    """A frame that goes on where its file ends."""


class Frame(ABC):
    """A frame that begins at an offset of a file."""

    cost = 1  # time to decompress a byte, in terms of gzip

    def __init__(self, raw: RawFile, start: int) -> None:
        self.raw, self.start = raw, start
        self.position = start  # up to where the file was read for the content so far
        self.ended = False

    @property
    def place(self) -> int:
        """Where in the file the content of the next step begins, at the earliest."""
        return self.position

    @property
    def is_likely(self) -> bool:
        """Whether its first bytes can be decompressed: those of most frames that are none cannot."""
        return True

    @abstractmethod
    def step(self) -> bytes:
        """Return more of the content, which may be nothing; raise `FrameError` where that fails."""

    def _input(self, count: int, *, exactly: bool = False) -> bytes:
        data = self.raw.read(self.position, count)
        if not data or (exactly and len(data) < count):
            raise CutOffError("the file ends in the middle of a frame")
        self.position += len(data)
        return data


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gunzip:
    """zlib's decompressor with the names that those of the other formats have."""

    def __init__(self, decompressor: Any) -> None:
        self._object = decompressor

    def decompress(self, data: bytes, max_length: int) -> bytes:
        content: bytes = self._object.decompress(self._object.unconsumed_tail or data, max_length)
        return content

    @property
    def eof(self) -> bool:
        return bool(self._object.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._object.unused_data)

    @property
    def needs_input(self) -> bool:
        return not self._object.unconsumed_tail


class StreamFrame(Frame):
    """A frame of a format whose end only its decompressor can find."""

    def __init__(
        self,
        raw: RawFile,
        start: int,
        create: Callable[[], _Decompressor],
        errors: tuple[type[Exception], ...],
        cost: int = 1,
    ) -> None:
        super().__init__(raw, start)
        self.cost = cost
        self._create, self._errors, self._decompressor = create, errors, create()
        self._input_size, self._length, self._step_start = FIRST_INPUT, 0, start
        self._damage = ""

    @property
    def place(self) -> int:
        """Where the input begins that is not used up."""
        return self.position if self.ended or self._decompressor.needs_input else self._step_start

    @property
    def is_likely(self) -> bool:
        """Whether its first bytes can be decompressed."""
        try:
            self._create().decompress(self.raw.read(self.start, PROBE), FINE)
        except self._errors:
            return False
        return True

    def step(self) -> bytes:
        """Return more of the content; after damage, what came before it."""
        if self._damage:
            raise FrameError(self._damage)
        data = b""
        if self._decompressor.needs_input:
            self._step_start = self.position
            data = self._input(self._input_size)
            self._input_size = min(4 * self._input_size, MOST_INPUT)
        try:
            content = self._decompressor.decompress(data, STEP)
        except self._errors as error:
            self._damage = str(error)
            return self._salvaged()
        self._length += len(content)
        if self._decompressor.eof:
            self.ended = True
            self.position -= len(self._decompressor.unused_data or b"")  # None, of LZ4
        return content

    def _salvaged(self) -> bytes:
        """Return what the step that failed would have given up to the damage: a library gives nothing at all."""
        again, length, parts = self._create(), 0, list[bytes]()
        end, self.position, following = self.position, self.start, self.start
        try:
            while following < end or not again.needs_input:
                data = b""
                if again.needs_input:
                    self.position = following
                    size = MOST_AGAIN if following + MOST_AGAIN <= self._step_start else FINE
                    data = self.raw.read(following, min(size, end - following))
                    following += len(data)
                known = self._length - length
                content = again.decompress(data, min(known, STEP) if known > 0 else FINE)
                parts.append(content if known <= 0 else b"")
                length += len(content)
        except self._errors:  # at the earliest where the last piece begins, which may have the next frame in it
            return b"".join(parts)
        self.position = end
        return b"".join(parts)


class ZstdFrame(Frame):
    """A frame of zstd, decompressed block by block: a block has at most 128 KB, however few bytes it takes."""

    cost = 2

    def __init__(self, raw: RawFile, start: int) -> None:
        super().__init__(raw, start)
        self._object: Any = None
        self._has_checksum = self._was_last = False

    @property
    def is_likely(self) -> bool:
        """Whether its header can be read."""
        from zstandard import ZstdError, get_frame_parameters  # noqa: PLC0415  (most runs need none)

        try:
            return bool(get_frame_parameters(self.raw.read(self.start, LONGEST_HEADER)).window_size <= LARGEST_WINDOW)
        except ZstdError:
            return False

    def step(self) -> bytes:
        """Return the content of a block."""
        from zstandard import ZstdError  # noqa: PLC0415  (most runs need none)

        try:
            if self._object is None:
                self._object = self._begun()
            if self._was_last:
                self.ended = True
                return self._decompressed(self._input(4, exactly=True))
            header = self._input(BLOCK, exactly=True)
            number = int.from_bytes(header, "little")
            size = 1 if number >> 1 & 3 == 1 else number >> 3  # one byte that is repeated, or so many
            if size > 2**17:
                raise FrameError("a block of zstd is too large")
            # Of a block without bytes nothing may be left to read.
            content = self._decompressed(header + (self._input(size, exactly=True) if size else b""))
        except ZstdError as error:
            raise FrameError(str(error)) from error
        self._was_last = bool(number & 1)
        self.ended = self._was_last and not self._has_checksum
        return content

    def _begun(self) -> Any:
        from zstandard import ZstdDecompressor, frame_header_size, get_frame_parameters  # noqa: PLC0415  (as above)

        beginning = self.raw.read(self.start, LONGEST_HEADER)
        parameters = get_frame_parameters(beginning)
        if parameters.window_size > LARGEST_WINDOW:
            raise FrameError(f"its window has {parameters.window_size:,} bytes, more than {LARGEST_WINDOW:,}")
        self._has_checksum = parameters.has_checksum
        dictionary = dictionary_of(self.raw)
        frame = ZstdDecompressor(dict_data=dictionary, max_window_size=LARGEST_WINDOW).decompressobj()
        frame.decompress(self._input(frame_header_size(beginning), exactly=True))
        return frame

    def _decompressed(self, data: bytes) -> bytes:
        content: bytes = self._object.decompress(data)
        return content


class SkippableFrame(Frame):
    """A frame of zstd or LZ4 without content."""

    cost = 0

    def step(self) -> bytes:
        """Return nothing."""
        size = int.from_bytes(self.raw.read(self.start + 4, 4), "little")
        self.position = self.start + 8 + size
        following = self.raw.peek(self.position, 10)
        # A wrong length would hide records.
        if self.position > self.raw.size or not (is_frame(following) or following[:5] in (b"", b"WARC/")):
            raise FrameError("a frame to skip does not end where another begins")
        self.ended = True
        return b""


def dictionary_of(raw: RawFile) -> Any:
    """Return the dictionary at the beginning of a file for the zstd frames in it; None if there is none."""
    if raw.dictionary is None:
        raw.dictionary = (_dictionary(raw),)
    return raw.dictionary[0]


def _dictionary(raw: RawFile) -> Any:
    from zstandard import ZstdCompressionDict, ZstdDecompressor, ZstdError  # noqa: PLC0415  (most runs need none)

    if raw.read(0, 4) != DICTIONARY:
        return None
    size = int.from_bytes(raw.read(4, 4), "little")
    data = raw.read(8, min(size, LARGEST_DICTIONARY))
    try:
        if data.startswith(ZSTD):
            with ZstdDecompressor(max_window_size=LARGEST_WINDOW).stream_reader(data) as reader:
                data = reader.read(LARGEST_DICTIONARY)
        return ZstdCompressionDict(data)
    except ZstdError:  # which the frames that need it will show
        return None


def _gzip(raw: RawFile, start: int) -> Frame:
    try:
        from zlib_ng import zlib_ng  # noqa: PLC0415  (of the extra `corpus`; twice as fast)
    except ImportError:
        return StreamFrame(raw, start, lambda: _Gunzip(zlib.decompressobj(31)), (zlib.error,))
    return StreamFrame(raw, start, lambda: _Gunzip(zlib_ng.decompressobj(wbits=31)), (zlib_ng.error,))  # type: ignore[arg-type]


def _lz4(raw: RawFile, start: int) -> Frame:
    from dehusk.extras import require  # noqa: PLC0415  (rare)

    require("reading LZ4", "lz4")
    from lz4.frame import LZ4FrameDecompressor  # noqa: PLC0415

    return StreamFrame(raw, start, LZ4FrameDecompressor, (RuntimeError, ValueError, MemoryError), cost=2)


def _xz(raw: RawFile, start: int) -> Frame:
    from lzma import FORMAT_XZ, LZMADecompressor, LZMAError  # noqa: PLC0415  (rare)

    return StreamFrame(raw, start, lambda: LZMADecompressor(FORMAT_XZ, LARGEST_WINDOW), (LZMAError, EOFError), cost=4)


def _bzip2(raw: RawFile, start: int) -> Frame:
    from bz2 import BZ2Decompressor  # noqa: PLC0415  (rare)

    return StreamFrame(raw, start, BZ2Decompressor, (OSError, ValueError, EOFError), cost=4)


ZSTD: Final = b"\x28\xb5\x2f\xfd"
# How a frame begins: each pattern with the literal that makes searching for it fast.
KINDS: Final[dict[re.Pattern[bytes], Callable[[RawFile, int], Frame]]] = {
    re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"): _gzip,
    re.compile(re.escape(ZSTD)): ZstdFrame,
    re.compile(rb"\x04\x22\x4d\x18"): _lz4,
    re.compile(rb"\xfd7zXZ\x00"): _xz,
    re.compile(rb"BZh[1-9](?=1AY&SY|\x17\x72\x45\x38)"): _bzip2,
}
SKIPPABLE: Final = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")


def is_frame(data: bytes) -> bool:
    """Return whether a frame begins like this."""
    return any(pattern.match(data) for pattern in (*KINDS, SKIPPABLE))


def frame_at(raw: RawFile, position: int) -> Frame | None:
    """Return the frame that begins at an offset; None if none does."""
    beginning = raw.read(position, 10)
    for pattern, create in KINDS.items():
        if pattern.match(beginning):
            return create(raw, position)
    return SkippableFrame(raw, position) if SKIPPABLE.match(beginning) else None
