"""Sources: where pages come from, one page at a time.

Files, folders, patterns, URLs, JSON lines, Parquet files, archives of crawls, indexes of these, and standard input.
"""

from collections.abc import Iterable, Iterator

from dehusk.compressed import decompression_errors
from dehusk.config import Limits
from dehusk.reasons import Code, Reason
from dehusk.sources.files import PAGE_SUFFIXES, TEXT_SUFFIXES, URL
from dehusk.sources.inputs import inputs, opened_late
from dehusk.sources.kinds import Input, ReadOptions, Select, fetched
from dehusk.sources.locations import find
from dehusk.sources.raw_page import RawPage
from dehusk.worker import FULL

__all__ = ["PAGE_SUFFIXES", "TEXT_SUFFIXES", "URL", "Input", "RawPage", "fetched", "find", "inputs", "read"]


def read(
    locations: Iterable[str | Input],
    limits: Limits,
    select: Select = lambda name, content: True,
    field: str = "html",
    *,
    private: bool = False,
    archives: tuple[str, ...] = (),
) -> Iterator[RawPage]:
    """Yield the pages at `locations` that are selected; a page that cannot be read comes with its problem.

    `select` has the name of a page and, for a JSON line and for standard input, whose names mean nothing in another
    run, what was read; all other pages are read only if they are selected.

    `field` is the field of JSON lines that holds the page. A JSON line is not parsed here: `json_lines.parsed` does,
    in whatever process has the time. `private` is whether URLs may lead to private networks, and
    `archives` are folders and addresses of which an index may name archives, besides its own.
    """
    options = ReadOptions(limits, select, field, private, archives=archives)
    for location in locations:
        (source,) = inputs([location])
        source = opened_late(source)
        try:
            yield from source.kind.read(source, options)
        except Exception as error:
            if not isinstance(error, decompression_errors()):
                raise
            code = Code.NO_SPACE if getattr(error, "errno", None) in FULL else Code.UNREADABLE  # for what is spooled
            problem = Reason(code, str(getattr(error, "strerror", None) or error))
            yield RawPage(source.location, problem=problem)
