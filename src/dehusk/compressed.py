"""Compressed files: .gz, .bz2, .xz and .zst read like plain ones."""

import io
import zlib
from pathlib import Path
from typing import IO, Final

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
        import zstandard  # noqa: PLC0415

        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True))
    return file


def plain_path(path: Path) -> Path:
    """Return a path without the ending that says how the file is compressed.

    >>> plain_path(Path("page.html.gz")).name, plain_path(Path("page.html")).name
    ('page.html', 'page.html')
    """
    return path.with_suffix("") if path.suffix.lower() in SUFFIXES else path


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
