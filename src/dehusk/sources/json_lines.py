"""Pages from JSON lines: one object per line, with the page in one field and its URL in another."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import IO, Any, Final

from dehusk.compressed import decompression_errors, plain_path
from dehusk.sources.files import LINES_SUFFIXES, URL, standard_input
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

OBJECT: Final = re.compile(rb"\s*\{\s*[\"}]")  # how a JSON object begins; plain text may begin with a brace
CHUNK: Final = 65_536
# Bytes that JSON may need for a character: a line longer than this times the limit holds a page over the limit.
BYTES_PER_CHARACTER: Final = 6
EXAMPLE: Final = 'expected a line such as {"url": "…", "html": "…"}'


def holds_lines(location: str) -> bool:
    """Return whether a location holds JSON lines: of a file by its suffix, of standard input by how it begins."""
    if location == "-":
        return bool(OBJECT.match(_beginning(standard_input()).removeprefix(b"\xef\xbb\xbf")))
    return not URL.match(location) and plain_path(Path(location)).suffix.lower() in LINES_SUFFIXES


def _beginning(stream: IO[bytes]) -> bytes:
    """Return what a stream begins with and leave it there; nothing if it cannot be read, which its reader will see."""
    peek = getattr(stream, "peek", None)
    try:
        return bytes(peek(CHUNK)) if peek else b""
    except decompression_errors():
        return b""


def read(
    stream: IO[bytes], name: str, page_limit: int, wanted: Callable[[str, bytes], bool], field: str
) -> Iterator[RawPage]:
    """Yield the lines of a stream that are wanted, unparsed; the name of each has the number of its line."""
    number, limit = 0, page_limit * BYTES_PER_CHARACTER
    while line := stream.readline(limit):
        number += 1
        skipped = _skipped_bytes(stream, line)
        if not line.strip() or not wanted(f"{name}:{number}", line):
            continue
        if skipped:
            yield _too_large(f"{name}:{number}", limit)
        else:
            yield RawPage(f"{name}:{number}", line, line_field=field)


def read_range(
    stream: IO[bytes], name: str, page_limit: int, start: int = 0, end: int | None = None, field: str = "html"
) -> Iterator[RawPage]:
    """Yield the lines that begin at or after `start` and before `end`, parsed; the name of each has its offset."""
    limit = page_limit * BYTES_PER_CHARACTER
    place = start
    if start:
        stream.seek(start - 1)
        place += len(stream.readline()) - 1
    while (end is None or place < end) and (line := stream.readline(limit)):
        facts = Record(name, place, "resource")
        skipped = _skipped_bytes(stream, line)
        place += len(line) + skipped
        if skipped:
            yield _too_large(f"{name}:{facts.offset}", limit, facts)
        elif line.strip():
            yield replace(parsed(RawPage(f"{name}:{facts.offset}", line, line_field=field)), record=facts)


def _too_large(name: str, limit: int, record: Record | None = None) -> RawPage:
    return RawPage(name, problem=f"too large: more than {limit:,} bytes in a line", fields={}, record=record)


def _skipped_bytes(stream: IO[bytes], line: bytes) -> int:
    """Skip what is left of a line that was not read as a whole; return how many bytes that was."""
    skipped = 0
    while line and not line.endswith(b"\n"):
        line = stream.readline(CHUNK)
        skipped += len(line)
    return skipped


def parsed(page: RawPage) -> RawPage:
    """Return a page with its line parsed, or with what is wrong with the line; any other page as it is."""
    if page.line_field is None:
        return page
    record, problem = _record(page.data)
    html, url = record.pop(page.line_field, None), record.get("url")
    if not problem and not isinstance(html, str):
        field = repr(page.line_field)
        problem = f"no field {field}" if html is None else f"{field} is no string but {type(html).__name__}"
    elif not problem and url is not None and not isinstance(url, str):
        problem = f"'url' is no string but {type(url).__name__}"
    if problem:
        problem = f"{problem}; {EXAMPLE.replace('html', page.line_field)}"
        return RawPage(page.name, problem=problem, fields=record)
    return replace(page, data=html, url=url, line_field=None, fields=record)


def _number(written: str) -> float | str:
    """Return a number; one that is too large for Python, as it is written, since JSON has no infinity.

    >>> _number("1.5"), _number("1e999")
    (1.5, '1e999')
    """
    number = float(written)
    return number if isfinite(number) else written


def _no_number(name: str) -> None:
    """Return null for NaN and Infinity, which JSON does not have but some programs write."""


def _record(line: bytes | str) -> tuple[dict[str, Any], str]:
    """Return the object on a line, or what is wrong with it."""
    try:
        record = json.loads(line, parse_float=_number, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        return {}, f"not JSON: {error}"
    return (record, "") if isinstance(record, dict) else ({}, f"not a JSON object but {type(record).__name__}")
