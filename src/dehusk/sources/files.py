"""Files: how they are opened, here, remote or standard input, and decompressed."""

import io
import re
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Final

from dehusk.compressed import SUFFIXES, decompressed, decompression_errors, suffix_by_content
from dehusk.errors import InputError
from dehusk.sources import remote

URL: Final = re.compile(r"https?://", re.IGNORECASE)
PAGE_SUFFIXES: Final = frozenset({".htm", ".html", ".shtml", ".xhtml", ".xht"})
TEXT_SUFFIXES: Final = frozenset({".md", ".text", ".txt"})
ALL_SUFFIXES: Final = SUFFIXES | {".lz4"}  # which only archives may be compressed by


def opened_raw(location: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file, here or remote, as it is."""
    return remote.open_remote(location) if remote.is_remote(location) else Path(location).open("rb")


def size(location: str) -> int:
    """Return the bytes of a file."""
    return remote.size(location) if remote.is_remote(location) else Path(location).stat().st_size


def raw_input() -> IO[bytes]:
    """Return standard input as it is."""
    if sys.stdin is None:
        raise InputError("standard input is closed; name files or URLs, or send a page to standard input")
    return sys.stdin.buffer


def unpacked(stream: IO[bytes], name: str) -> IO[bytes]:
    """Return a stream decompressed as its first bytes say or, if these say nothing, as its name does."""
    if hasattr(stream, "peek"):
        beginning = bytes(stream.peek(8))
    else:
        beginning = stream.read(8)
        stream.seek(-len(beginning), io.SEEK_CUR)
    suffix = suffix_by_content(beginning) or Path(name).suffix.lower()
    return decompressed(stream, Path(f"content{suffix}"))


def spooled(stream: IO[bytes]) -> tuple[IO[bytes], str]:
    """Return what can be read of a stream as a file in which one can go back, and what went wrong."""
    import tempfile  # noqa: PLC0415  (rare)

    file, problem, chunk = tempfile.TemporaryFile(), "", b" "  # noqa: SIM115
    while chunk:
        try:
            chunk = stream.read(2**20)
        except decompression_errors() as error:
            problem, chunk = str(error), b""
        file.write(chunk)  # an error here is one of the disk, not of the stream
    return file, problem
