"""Sources: where pages come from. Files, folders, patterns, URLs, JSON lines and standard input, one page at a time."""

from collections.abc import Callable, Iterable, Iterator

from dehusk.config import Limits
from dehusk.sources import files, json_lines
from dehusk.sources.fetcher import URL, fetch
from dehusk.sources.files import PAGE_SUFFIXES, TEXT_SUFFIXES, find, output_name
from dehusk.sources.json_lines import holds_lines
from dehusk.sources.raw_page import RawPage

__all__ = ["PAGE_SUFFIXES", "TEXT_SUFFIXES", "URL", "RawPage", "fetch", "find", "holds_lines", "output_name", "read"]


def read(
    locations: Iterable[str], limits: Limits, wanted: Callable[[str], bool] = lambda name: True, field: str = "html"
) -> Iterator[RawPage]:
    """Yield the pages at `locations` whose name is wanted; a page that cannot be read comes with its problem.

    `field` is the field of JSON lines that holds the page.
    """
    for location in locations:
        try:
            if holds_lines(location):
                with files.opened(location) as stream:
                    yield from json_lines.read(stream, location, limits.bytes, wanted, field)
            elif not wanted(location):
                continue
            elif URL.match(location):
                yield fetch(location, limits)
            else:
                with files.opened(location) as stream:
                    # Not the whole of a huge file: one byte over the limit is enough to have it refused.
                    yield RawPage(location, stream.read(limits.bytes + 1))
        except OSError as error:
            yield RawPage(location, problem=f"cannot be read: {error.strerror or error}")
