"""Compressed files: .gz, .xz and .zst read like plain ones."""

import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import IO

from dehusk.errors import InputError


def decompressed(file: IO[bytes], path: Path) -> IO[bytes]:
    """Return the content of an open file, decompressed by the ending of its name."""
    if path.suffix == ".gz":
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if path.suffix == ".xz":
        return lzma.LZMAFile(file)
    if path.suffix != ".zst":
        return file
    try:
        import zstandard  # noqa: PLC0415  (only .zst needs it)
    except ImportError:
        raise InputError(f"reading {path} needs the package zstandard; pip install 'dehusk[eval]'") from None
    return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True))


def decompression_errors() -> tuple[type[Exception], ...]:
    """Return the errors raised for files that are damaged, or not compressed as their name says."""
    errors = (OSError, EOFError, lzma.LZMAError, zlib.error)
    try:
        from zstandard import ZstdError  # noqa: PLC0415
    except ImportError:
        return errors
    return *errors, ZstdError
