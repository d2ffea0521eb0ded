"""Pages from JSON lines: one object per line, with the page in one field and its URL in another."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isfinite
from typing import IO, Any, Final

from dehusk.reasons import Code, Reason
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

SUFFIXES: Final = frozenset({".jsonl", ".ndjson"})
# How a JSON object begins, after a byte order mark or not; plain text may begin with a brace.
OBJECT: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*\{\s*[\"}]")
CHUNK: Final = 65_536
# Bytes that JSON may need for a character: a line longer than this times the limit holds a page over the limit.
BYTES_PER_CHARACTER: Final = 6
EXAMPLE: Final = 'expected a line such as {"url": "…", "html": "…"}'


def read(
    stream: IO[bytes], name: str, page_limit: int, select: Callable[[str, bytes], bool], field: str
) -> Iterator[RawPage]:
    """Yield the lines of a stream that are selected, unparsed; the name of each has the number of its line."""
    line_number, limit = 0, page_limit * BYTES_PER_CHARACTER
    while line := stream.readline(limit):
        line_number += 1
        skipped = _skipped_bytes(stream, line)
        if not line.strip() or not select(f"{name}:{line_number}", line):
            continue
        if skipped:
            yield _too_large(f"{name}:{line_number}", limit)
        else:
            yield RawPage(f"{name}:{line_number}", line, line_field=field)


def read_range(
    stream: IO[bytes], name: str, page_limit: int, start: int = 0, end: int | None = None, field: str = "html"
) -> Iterator[RawPage]:
    """Yield the lines that begin at or after `start` and before `end`, parsed; the name of each has its offset."""
    limit = page_limit * BYTES_PER_CHARACTER
    offset = start
    if start:
        stream.seek(start - 1)
        offset += len(stream.readline()) - 1
    while (end is None or offset < end) and (line := stream.readline(limit)):
        facts = Record(name, offset, "resource")
        skipped = _skipped_bytes(stream, line)
        offset += len(line) + skipped
        if skipped:
            yield _too_large(f"{name}:{facts.offset}", limit, facts)
        elif line.strip():
            yield replace(parsed(RawPage(f"{name}:{facts.offset}", line, line_field=field)), record=facts)


def _too_large(name: str, limit: int, record: Record | None = None) -> RawPage:
    problem = Reason(Code.TOO_LARGE, "bytes in a line", limit=limit)
    return RawPage(name, problem=problem, fields={}, record=record)


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
        problem = f"no field {field}" if html is None else f"{field} is {type(html).__name__}, not a string"
    elif not problem and url is not None and not isinstance(url, str):
        problem = f"'url' is {type(url).__name__}, not a string"
    if problem:
        problem = f"{problem}; {EXAMPLE.replace('html', page.line_field)}"
        return RawPage(page.name, problem=Reason(Code.INVALID_RECORD, problem), fields=record)
    return replace(page, data=html, url=url, line_field=None, fields=record)


def _float(literal: str) -> float | str:
    """Return a number; one that is too large for Python, as it is written, since JSON has no infinity.

    >>> _float("1.5"), _float("1e999")
    (1.5, '1e999')
    """
    value = float(literal)
    return value if isfinite(value) else literal


def _record(line: bytes | str) -> tuple[dict[str, Any], str]:
    """Return the object on a line, or what is wrong with it."""
    try:
        # null for NaN and Infinity, which JSON does not have but some programs write
        record = json.loads(line, parse_float=_float, parse_constant=lambda name: None)
    except (ValueError, RecursionError) as error:
        return {}, f"not JSON: {error}"
    return (record, "") if isinstance(record, dict) else ({}, f"not a JSON object but {type(record).__name__}")
