"""Frames: where records begin in an archive, whose records are compressed one by one, and whether one is whole."""

import io
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

CHUNK: Final = 2**20
BEGINNING: Final = 256  # decompressed bytes that show whether a record begins


class DamagedFrameError(OSError):
    """A frame that cannot be decompressed."""


@dataclass(frozen=True, slots=True)
class Framing:
    """How the records of a file are compressed: how a frame begins, and how to decompress one."""

    magic: re.Pattern[bytes]
    needed: int  # compressed bytes after which the first decompressed ones are there
    beginning: Callable[[bytes, int], bytes]  # so many decompressed bytes; none if that fails
    whole: Callable[[bytes], tuple[bytes, int]]  # one frame decompressed, and how many bytes come after it


def _gzip_beginning(data: bytes, count: int) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(data, count)
    except zlib.error:
        return b""


def _gzip_member(data: bytes) -> tuple[bytes, int]:
    return _one_frame(data, zlib.decompressobj(31), zlib.error)


def _zstd_beginning(data: bytes, count: int) -> bytes:
    from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415  (most runs need none)

    try:
        return ZstdDecompressor().decompressobj().decompress(data)[:count]
    except ZstdError:
        return b""


def _zstd_frame(data: bytes) -> tuple[bytes, int]:
    from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415  (as above)

    return _one_frame(data, ZstdDecompressor().decompressobj(), ZstdError)


def _one_frame(data: bytes, decompressor: Any, damage: type[Exception]) -> tuple[bytes, int]:
    try:
        content = decompressor.decompress(data)
    except damage as error:
        raise DamagedFrameError(str(error)) from error
    if not decompressor.eof:
        raise DamagedFrameError("cut off")
    return content, len(decompressor.unused_data)


def _lz4_beginning(data: bytes, count: int) -> bytes:
    from fastwarc.stream_io import Lz4Reader  # noqa: PLC0415  (rare)

    try:
        return Lz4Reader(io.BytesIO(data)).read(count)
    except OSError:
        return b""


def _lz4_frame(data: bytes) -> tuple[bytes, int]:
    from fastwarc.stream_io import Lz4Reader  # noqa: PLC0415  (rare)

    try:
        return Lz4Reader(io.BytesIO(data)).read(), 0
    except OSError as error:
        raise DamagedFrameError(str(error)) from error


GZIP: Final = Framing(re.compile(rb"\x1f\x8b\x08"), 4096, _gzip_beginning, _gzip_member)
ZSTD: Final = Framing(re.compile(rb"\x28\xb5\x2f\xfd"), 2**18, _zstd_beginning, _zstd_frame)
LZ4: Final = Framing(re.compile(rb"\x04\x22\x4d\x18"), 2**23, _lz4_beginning, _lz4_frame)
PLAIN: Final = Framing(
    re.compile(rb"(?<=\n)(?=WARC/1\.|[a-z]{3,8}://)"), 4096, lambda data, count: data[:count], lambda data: (data, 0)
)
BY_SUFFIX: Final = {".gz": GZIP, ".zst": ZSTD, ".lz4": LZ4}


def framing(beginning: bytes, name: str) -> Framing:
    """Return how a file is compressed that begins like this; by its name, if the beginning does not tell.

    >>> framing(b"WARC/1.0", "a.warc") is PLAIN, framing(bytes([0x1F, 0x8B, 8, 0]), "a.warc") is GZIP
    (True, True)
    """
    by_content = next((each for each in BY_SUFFIX.values() if each.magic.match(beginning)), None)
    if by_content or PLAIN.magic.match(b"\n" + beginning, 1):
        return by_content or PLAIN
    return BY_SUFFIX.get(Path(name).suffix.lower(), PLAIN)


def next_start(
    file: IO[bytes], position: int, frames: Framing, begins: Callable[[bytes], bool], end: int | None = None
) -> int | None:
    """Return where the next record begins, at or after a position and before the `end`; None if there is none."""
    while end is None or position < end:
        # A byte earlier, since a plain record follows a line end.
        file.seek(max(position - 1, 0))
        chunk = (b"\n" if position == 0 else b"") + file.read(CHUNK + frames.needed)
        if len(chunk) <= 1:
            return None
        for match in frames.magic.finditer(chunk, 1):
            if end is not None and position + match.start() - 1 >= end:
                return None
            if match.start() > CHUNK and len(chunk) > CHUNK + 1:
                break
            if begins(frames.beginning(chunk[match.start() : match.start() + frames.needed], BEGINNING)):
                return position + match.start() - 1
        position += CHUNK
    return None
