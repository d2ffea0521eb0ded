"""Pages from JSON lines: one object per line, with the page in one field and its URL in another."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from dehusk.sources.fetcher import URL
from dehusk.sources.files import LINES_SUFFIXES, opened
from dehusk.sources.raw_page import RawPage

OBJECT: Final = re.compile(rb"\s*\{\s*[\"}]")  # how a JSON object begins; plain text may begin with a brace
CHUNK: Final = 65_536
# Bytes that JSON may need for a character: a line longer than this times the limit holds a page over the limit.
BYTES_PER_CHARACTER: Final = 6
EXAMPLE: Final = 'expected a line such as {"url": "…", "html": "…"}'


def holds_lines(location: str) -> bool:
    """Return whether a location holds JSON lines: of a file by its suffix, of standard input by how it begins."""
    if location == "-":
        peek = getattr(opened(location), "peek", None)
        return peek is not None and bool(OBJECT.match(peek(CHUNK).removeprefix(b"\xef\xbb\xbf")))
    return not URL.match(location) and Path(location).suffix.lower() in LINES_SUFFIXES


def read(stream: BinaryIO, name: str, page_limit: int, wanted: Callable[[str], bool], field: str) -> Iterator[RawPage]:
    """Yield the pages of a stream that are wanted; the name of each has the number of its line."""
    number, limit = 0, page_limit * BYTES_PER_CHARACTER
    while line := stream.readline(limit):
        number += 1
        whole = _skipped_to_end(stream, line)
        if not line.strip() or not wanted(f"{name}:{number}"):
            continue
        if whole:
            yield _page(line, f"{name}:{number}", field)
        else:
            yield RawPage(f"{name}:{number}", problem=f"too large: more than {limit:,} bytes in a line", fields={})


def _skipped_to_end(stream: BinaryIO, line: bytes) -> bool:
    """Return whether a line was read as a whole; if not, skip the rest of it."""
    whole = True
    while line and not line.endswith(b"\n"):
        line = stream.readline(CHUNK)
        whole = whole and not line
    return whole


def _page(line: bytes, name: str, field: str) -> RawPage:
    expected = EXAMPLE.replace("html", field)
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return RawPage(name, problem=f"not JSON: {error}; {expected}", fields={})
    if not isinstance(record, dict):
        return RawPage(name, problem=f"not a JSON object but {type(record).__name__}; {expected}", fields={})
    page, url = record.pop(field, None), record.get("url")
    if not isinstance(page, str):
        found = f"no field {field!r}" if page is None else f"{field!r} is no string but {type(page).__name__}"
        return RawPage(name, problem=f"{found}; {expected}", fields=record)
    if url is not None and not isinstance(url, str):
        return RawPage(name, problem=f"'url' is no string but {type(url).__name__}; {expected}", fields=record)
    return RawPage(name, page, url, fields=record)
