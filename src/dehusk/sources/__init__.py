"""Sources: where pages come from. Files, folders, patterns, URLs, JSON lines and standard input, one page at a time."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dehusk.compressed import decompression_errors
from dehusk.config import Limits
from dehusk.sources import files, json_lines
from dehusk.sources.files import PAGE_SUFFIXES, TEXT_SUFFIXES, URL, find
from dehusk.sources.json_lines import holds_lines
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.sources.fetcher import Policy

__all__ = ["PAGE_SUFFIXES", "TEXT_SUFFIXES", "URL", "RawPage", "fetched", "find", "holds_lines", "read"]

Wanted = Callable[[str, bytes | None], bool]


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
    if holds_lines(location):
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


def fetched(url: str, limits: Limits, policy: "Policy") -> RawPage:
    """Return the page at a URL, decompressed, or with the problem that it has."""
    from dehusk.sources.fetcher import fetch  # noqa: PLC0415  (as above)

    page = fetch(url, limits, policy)
    # The fetcher decompresses what was compressed on the way; this is for files that lie compressed on the server.
    with files.unpacked(io.BufferedReader(io.BytesIO(page.data)), "-") as stream:  # type: ignore[arg-type]
        return replace(page, data=stream.read(limits.bytes + 1))
