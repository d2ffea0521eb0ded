"""Sources: where pages come from, one page at a time.

Files, folders, patterns, URLs, JSON lines, Parquet files, archives of crawls, indexes of these, and standard input.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dehusk.compressed import decompression_errors
from dehusk.config import Limits
from dehusk.sources import archives, cdx, files, json_lines, tables
from dehusk.sources.files import PAGE_SUFFIXES, TEXT_SUFFIXES, URL, find
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.sources.fetcher import Policy

__all__ = ["PAGE_SUFFIXES", "TEXT_SUFFIXES", "URL", "RawPage", "fetched", "find", "holds_lines", "holds_many", "read"]

Wanted = Callable[[str, bytes | None], bool]


def holds_lines(location: str) -> bool:
    """Return whether a location holds JSON lines, or rows of a Parquet file, which come out as JSON lines."""
    return tables.holds_rows(location) or (not _is_archive(location) and json_lines.holds_lines(location))


def holds_many(location: str) -> bool:
    """Return whether a location holds more than one page."""
    return _is_archive(location) or cdx.is_index(location) or holds_lines(location)


def _is_archive(location: str) -> bool:
    """Return whether a location is an archive: a file by its name, standard input by how it begins."""
    if location == "-":
        return archives.is_archive_content(files.beginning_of_input())
    return archives.is_archive(location) and not URL.match(location)


def read(
    locations: Iterable[str],
    limits: Limits,
    wanted: Wanted = lambda name, content: True,
    field: str = "html",
    *,
    private: bool = False,
) -> Iterator[RawPage]:
    """Yield the pages at `locations` that are wanted; a page that cannot be read comes with its problem.

    `wanted` has the name of a page and, for a JSON line and for standard input, whose names mean nothing in another
    run, what was read; all other pages are read only if they are wanted.

    `field` is the field of JSON lines that holds the page. A JSON line is not parsed here: `json_lines.parsed` does,
    in whatever process has the time. `private` is whether URLs may lead to private networks.
    """
    for location in locations:
        try:
            yield from _pages(location, limits, wanted, field, private)
        except Exception as error:
            if not isinstance(error, decompression_errors()):
                raise
            yield RawPage(location, problem=f"cannot be read: {getattr(error, 'strerror', None) or error}")


def _pages(location: str, limits: Limits, wanted: Wanted, field: str, private: bool) -> Iterator[RawPage]:
    if _is_archive(location) or cdx.is_index(location):
        yield from _pages_in(_records(location, limits), wanted, plain=field == "text")
    elif tables.holds_rows(location):
        with files.opened_raw(location) as stream:
            yield from (page for page in tables.read(stream, location, field) if wanted(page.name, None))
    elif holds_lines(location):
        with files.opened(location) as stream:
            yield from json_lines.read(stream, location, limits.bytes, wanted, field)
    elif location == "-":
        data = files.standard_input().read(limits.bytes + 1)
        if wanted(location, data):
            yield RawPage(location, data)
    elif not wanted(location, None):
        return
    elif URL.match(location):
        from dehusk.sources.fetcher import Policy  # noqa: PLC0415  (a tenth of the time to start, and not always needed)

        yield fetched(location, limits, Policy(private=private))
    else:
        with files.opened(location) as stream:
            # Not the whole of a huge file: one byte over the limit is enough to have it refused.
            yield RawPage(location, stream.read(limits.bytes + 1))


def _records(location: str, limits: Limits) -> Iterator[RawPage]:
    """Yield all records of an archive, or those that an index names."""
    if location == "-":
        yield from archives.read(files.raw_input(), location, limits.bytes)
    elif cdx.is_index(location):
        with files.opened(location) as stream:
            yield from cdx.read(stream, location, limits.bytes, files.opened_raw)
    else:
        with files.opened_raw(location) as stream:
            yield from archives.read(stream, location, limits.bytes)


def _pages_in(records: Iterable[RawPage], wanted: Wanted, *, plain: bool) -> Iterator[RawPage]:
    """Yield the pages among records, or the plain texts, and what is damaged."""
    for page in records:
        record = page.record
        is_page = record is None or (record.is_text if plain else record.is_page) or record.kind == "unknown"
        if is_page and wanted(page.name, None):
            yield page


def fetched(url: str, limits: Limits, policy: "Policy") -> RawPage:
    """Return the page at a URL, decompressed, or with the problem that it has."""
    from dehusk.sources.fetcher import fetch  # noqa: PLC0415  (as above)

    page = fetch(url, limits, policy)
    # The fetcher decompresses what was compressed on the way; this is for files that lie compressed on the server.
    with files.unpacked(io.BufferedReader(io.BytesIO(page.data)), "-") as stream:  # type: ignore[arg-type]
        return replace(page, data=stream.read(limits.bytes + 1))
