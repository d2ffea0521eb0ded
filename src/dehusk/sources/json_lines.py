"""Pages from JSON lines: one object per line, with the page in one field and its URL in another."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isfinite
from typing import IO, Any, Final

from dehusk.reasons import Code, Reason
from dehusk.sources.account import Account
from dehusk.sources.lines import lines, skip_line
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

SUFFIXES: Final = frozenset({".jsonl", ".ndjson"})
# How a JSON object begins, after a byte order mark or not; plain text may begin with a brace.
OBJECT: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*\{\s*[\"}]")
# Bytes that JSON may need for a character: a line longer than this times the limit holds a page over the limit.
BYTES_PER_CHARACTER: Final = 6
# Brackets, braces and commas: an empty object takes two bytes on a line and thirty times as many in memory.
MOST_ENTRIES: Final = 4_000_000
EXAMPLE: Final = 'expected a line such as {"url": "…", "html": "…"}'


def read(
    stream: IO[bytes], name: str, page_limit: int, select: Callable[[str, bytes], bool], field: str
) -> Iterator[RawPage]:
    """Yield the lines of a stream that are selected, unparsed; the name of each has the number of its line."""
    limit = page_limit * BYTES_PER_CHARACTER
    for line_number, line in enumerate(lines(stream, limit), 1):
        page_name = f"{name}:{line_number}"
        if not line.data.strip() or not select(page_name, line.data):
            continue
        yield RawPage(page_name, line.data, line_field=field) if line.is_whole else _too_large(page_name, limit)


def line_start(stream: IO[bytes], offset: int) -> int:
    r"""Return where the first line begins at or after an offset.

    >>> from io import BytesIO
    >>> [line_start(BytesIO(b"ab\ncd\n"), offset) for offset in range(5)]
    [0, 3, 3, 3, 6]
    """
    if offset == 0:
        return 0
    stream.seek(offset - 1)
    return offset - 1 + skip_line(stream)


def read_range(
    stream: IO[bytes],
    name: str,
    page_limit: int,
    start: int = 0,
    end: int | None = None,
    field: str = "html",
    account: Account | None = None,
) -> Iterator[RawPage]:
    """Yield the lines from `start`, where a line begins, that begin before `end`, parsed; the name has the offset."""
    limit, account = page_limit * BYTES_PER_CHARACTER, account or Account()
    account.start = account.end = start
    if start:
        stream.seek(start)
    for line in lines(stream, limit, start, end):
        account.end += line.length
        if line.is_whole and not line.data.strip():
            account.padding += line.length
            continue
        account.records += 1
        account.record_bytes += line.length
        page_name, facts = f"{name}:{line.offset}", Record(name, line.offset, "resource")
        if line.is_whole:
            yield replace(parsed(RawPage(page_name, line.data, line_field=field)), record=facts)
        else:
            yield replace(_too_large(page_name, limit), record=facts)


def _too_large(name: str, limit: int) -> RawPage:
    return RawPage(name, problem=Reason(Code.TOO_LARGE, "bytes in a line", limit=limit), fields={})


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
    line = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    if sum(map(line.count, (b",", b"[", b"{"))) > MOST_ENTRIES:
        return {}, f"more than {MOST_ENTRIES:,} entries"
    try:
        # null for NaN and Infinity, which JSON does not have but some programs write
        record = json.loads(line, parse_float=_float, parse_constant=lambda name: None)
    except (ValueError, RecursionError) as error:
        return {}, f"not JSON: {error}"
    return (record, "") if isinstance(record, dict) else ({}, f"not a JSON object but {type(record).__name__}")
