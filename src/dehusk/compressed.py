"""Compressed files: .gz, .bz2, .xz and .zst read like plain ones."""

import io
import zlib
from pathlib import Path
from typing import IO, Any, Final

SUFFIXES: Final = frozenset({".bz2", ".gz", ".xz", ".zst"})
BEGINNINGS: Final = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}

# Each library is imported with the first file that needs it: most runs need none.


def decompressed(file: IO[bytes], path: Path) -> IO[bytes]:
    """Return the content of an open file, decompressed by the ending of its name."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        import gzip  # noqa: PLC0415

        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if suffix == ".bz2":
        import bz2  # noqa: PLC0415

        return bz2.BZ2File(file)
    if suffix == ".xz":
        import lzma  # noqa: PLC0415

        return lzma.LZMAFile(file)
    if suffix == ".zst":
        return io.BufferedReader(_ZstdReader(file), io.DEFAULT_BUFFER_SIZE * 8)
    return file


class _ZstdReader(io.RawIOBase):
    """Reads frame after frame, and raises EOFError where the last one is cut off: the package's own reader does not."""

    # Bytes read at once. They may stand for 32,000 times as many, which must not be much more than a page may have.
    CHUNK: Final = 512

    def __init__(self, file: IO[bytes]) -> None:
        from zstandard import ZstdDecompressor  # noqa: PLC0415

        self._file, self._decompressor = file, ZstdDecompressor()
        self._frame: Any = None  # None between frames
        self._packed, self._ready = b"", memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._packed or self._file.read(self.CHUNK)
            if not packed and self._frame is None:
                return 0
            if not packed:
                raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            self._frame = self._frame or self._decompressor.decompressobj()
            self._ready, self._packed = memoryview(self._frame.decompress(packed)), b""
            if self._frame.eof:
                self._frame, self._packed = None, self._frame.unused_data
        count = min(len(buffer), len(self._ready))
        buffer[:count], self._ready = self._ready[:count], self._ready[count:]
        return count


def plain_path(path: Path, suffixes: frozenset[str] = SUFFIXES) -> Path:
    """Return a path without the ending that says how the file is compressed.

    >>> plain_path(Path("page.html.gz")).name, plain_path(Path("page.html")).name
    ('page.html', 'page.html')
    """
    return path.with_suffix("") if path.suffix.lower() in suffixes else path


def suffix_by_content(beginning: bytes) -> str:
    """Return the ending that the name of a file with such a beginning would have: '' if it is not compressed.

    >>> suffix_by_content(b"BZh9..."), suffix_by_content(b"<html>")
    ('.bz2', '')
    """
    return next((suffix for magic, suffix in BEGINNINGS.items() if beginning.startswith(magic)), "")


def decompression_errors() -> tuple[type[Exception], ...]:
    """Return the errors raised for files that are damaged, or not compressed as their name says."""
    from lzma import LZMAError  # noqa: PLC0415

    from zstandard import ZstdError  # noqa: PLC0415

    return OSError, EOFError, zlib.error, LZMAError, ZstdError
