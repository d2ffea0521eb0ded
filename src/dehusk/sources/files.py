"""Pages in files: what an argument of the command line stands for, and how it is opened."""

import glob
import io
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Final, cast

from dehusk.compressed import SUFFIXES, decompressed, decompression_errors, plain_path, suffix_by_content
from dehusk.errors import InputError
from dehusk.sources.frames import framing
from dehusk.sources.remote import expanded, is_remote, open_remote

URL: Final = re.compile(r"https?://", re.IGNORECASE)
PAGE_SUFFIXES: Final = frozenset({".htm", ".html", ".shtml", ".xhtml", ".xht"})
TEXT_SUFFIXES: Final = frozenset({".md", ".text", ".txt"})
LINES_SUFFIXES: Final = frozenset({".jsonl", ".ndjson"})
ARCHIVE_SUFFIXES: Final = frozenset({".arc", ".warc"})

PARQUET: Final = ".parquet"
ALL_SUFFIXES: Final = SUFFIXES | {".lz4"}  # which only archives may be compressed by


def find(arguments: Iterable[str], suffixes: frozenset[str] = PAGE_SUFFIXES) -> list[str]:
    """Return files and URLs, each once: a folder stands for the pages in it, a pattern for what it matches.

    `suffixes` are those of pages in a folder; JSON lines, Parquet files, archives and compressed files are taken too.

    Raises InputError for what does not exist, before any page is read.
    """
    found: dict[str | Path, str] = {}
    for argument in arguments:
        for location in _expanded(argument, suffixes):
            # ./page.html is page.html, and both would have the same output.
            is_path = location != "-" and not URL.match(location) and not is_remote(location)
            found.setdefault(Path(location) if is_path else location, location)
    return list(found.values())


def _expanded(argument: str, suffixes: frozenset[str]) -> Iterable[str]:
    if argument == "-" or URL.match(argument):
        return [argument]
    if is_remote(argument):
        return expanded(argument)
    path = Path(argument)
    try:
        if argument and path.is_dir():
            return _in_folder(path, suffixes | LINES_SUFFIXES | ARCHIVE_SUFFIXES | {PARQUET})
        if argument and path.exists():  # not `is_file`: a shell's <(…) is a pipe
            return [argument]
    except OSError as error:
        raise InputError(f"cannot look at {argument[:100]}: {error.strerror}; expected a path or a URL") from error
    if matches := sorted(match for match in glob.glob(argument, recursive=True) if Path(match).is_file()):  # noqa: PTH207
        return matches
    raise InputError(
        f"no such file or folder: {argument[:100]!r}; expected a path, a pattern that matches files, "
        "or a URL that begins with http:// or https://"
    )


def _in_folder(folder: Path, kinds: frozenset[str]) -> Iterable[str]:
    pages = sorted(
        str(path)
        for path in folder.rglob("*")
        if plain_path(path, ALL_SUFFIXES).suffix.lower() in kinds and path.is_file()
    )
    if not pages:
        raise InputError(
            f"no pages in folder {folder}; expected files that end in {', '.join(sorted(kinds))}, "
            f"or in one of these and {', '.join(sorted(SUFFIXES))}"
        )
    return pages


@contextmanager
def opened(location: str) -> Iterator[IO[bytes]]:
    """Open a file, or standard input for '-'; what is compressed is decompressed as it is read."""
    if location == "-":
        yield standard_input()
    else:
        with opened_raw(location) as file:
            yield unpacked(file, location)


def opened_raw(location: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file, here or remote, as it is."""
    return open_remote(location) if is_remote(location) else Path(location).open("rb")


def standard_input() -> IO[bytes]:
    """Return standard input, decompressed if need be."""
    return _unpacked_once(raw_input())


def raw_input() -> IO[bytes]:
    """Return standard input as it is."""
    if sys.stdin is None:
        raise InputError("standard input is closed; name files or URLs, or send a page to standard input")
    return sys.stdin.buffer


def beginning_of_input() -> bytes:
    """Return a few bytes that standard input begins with, decompressed, and leave them there."""
    stream = raw_input()
    peek = getattr(stream, "peek", None)
    data = bytes(peek(8)) if peek else b""
    return framing(data, "-").beginning(data, 64)


@lru_cache(1)  # the same stream again: what it has read ahead would be lost otherwise
def _unpacked_once(stream: IO[bytes]) -> IO[bytes]:
    content = unpacked(stream, "-")
    try:
        if content is not stream:
            content.peek(1)  # type: ignore[attr-defined]
    except decompression_errors() as error:
        return cast(IO[bytes], _Damaged(error))
    return content


class _Damaged(io.RawIOBase):
    """A stream that cannot be read; asked a second time, some decompressors would call it empty."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        raise self._error


def unpacked(stream: IO[bytes], name: str) -> IO[bytes]:
    """Return a stream decompressed as its name says or, if that says nothing, as its first bytes say."""
    path, peek = Path(name), getattr(stream, "peek", None)
    if path.suffix.lower() not in SUFFIXES and peek:
        path = Path(f"content{suffix_by_content(peek(8))}")
    return decompressed(stream, path)
