"""CDX indexes: lines that name records of archives by file, offset and length; only these are read.

A line that names no record, or one where the index may not lead (see `reach`), comes with its problem.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Any, Final

from dehusk.compressed import decompression_errors
from dehusk.reasons import Code, Reason
from dehusk.sources import archives
from dehusk.sources.account import Account
from dehusk.sources.lines import lines
from dehusk.sources.raw_page import RawPage
from dehusk.sources.reach import OutOfReachError, Reach
from dehusk.sources.record import Record
from dehusk.sources.stretch import Stretch

SUFFIXES: Final = frozenset({".cdx", ".cdxj"})
NAMES: Final = re.compile(r"cdx-\d+\.gz")  # as Common Crawl has them
# The names of its columns, or a line of it: an address the other way round, as in org,example)/news, and a date.
BEGINNING: Final = re.compile(rb"\A(?: ?CDX(?: [A-Za-z])+\s|[^\s(){}<>]+\)/\S* \d{4,17} [{\w])")
# The letters that name columns in the first line of a CDX file; this is the usual order, for files without such a line.
USUAL: Final = list("NbamskrMSVg")
FILE, OFFSET, LENGTH = "g", "V", "S"
LONGEST_LINE: Final = 100_000
NUMBER: Final = re.compile(r"\d{1,18}")  # fewer digits than any file could need more of
UNKNOWN: Final = ("-", "", None)  # how a length is written that is not known
EXPECTED: Final = "names no record; expected a line of CDX or CDXJ with file, offset and length"
ZSTD: Final = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class RecordLocation:
    """Where a record is."""

    file: str
    offset: int
    length: int | None


def read(stream: IO[bytes], name: str, limit: int, reach: Reach, account: Account | None = None) -> Iterator[RawPage]:
    """Yield the records that an index names, in its order; a line that names none comes with its problem."""
    columns, account = USUAL, account or Account()
    for line_number, line in enumerate(lines(stream, LONGEST_LINE), 1):
        account.end = line.offset + line.length
        text = line.data.decode("utf-8", "replace").strip()
        if not text or text.startswith(("CDX ", "!")):
            columns = text.split()[1:] if text.startswith("CDX ") else columns
            account.padding += line.length
            continue
        account.records += 1
        account.record_bytes += line.length
        target = _record_location(text, columns) if line.is_whole else None
        problem, page = Reason(Code.INVALID_RECORD, EXPECTED), None
        try:
            page = _record(target, limit, reach) if target else None
        except OutOfReachError as error:
            problem = Reason(Code.NOT_ALLOWED, str(error))
        unknown = Record(name, line_number, "unknown")
        yield page or RawPage(f"{name}:{line_number}", problem=problem, record=unknown)


def _record_location(line: str, columns: list[str]) -> RecordLocation | None:
    """Return where the record is that a line names; None if it names none.

    >>> _record_location('org,example)/ 20240502 {"filename": "a.warc.gz", "offset": "7", "length": "9"}', USUAL)
    RecordLocation(file='a.warc.gz', offset=7, length=9)
    """
    brace = line.find("{")
    try:
        if brace >= 0:
            entry = json.loads(line[brace:])
            file, offset, length = entry["filename"], entry["offset"], entry.get("length")
        else:
            values: dict[str, Any] = dict(zip(columns, line.split(), strict=False))
            file, offset, length = values[FILE], values[OFFSET], values.get(LENGTH)
        if not isinstance(file, str):
            return None
        return RecordLocation(file, _number(offset), None if length in UNKNOWN else _number(length))
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _number(value: Any) -> int:
    """Return a number of bytes, which may be written as a string; raise ValueError for any other."""
    if isinstance(value, bool) or not NUMBER.fullmatch(str(value)):
        raise ValueError("no number of bytes")
    return int(value)


def _record(target: RecordLocation, limit: int, reach: Reach) -> RawPage:
    """Return the record at a location; memory is taken as its reader needs it, whatever length the index states."""
    location, problem = target.file, Reason(Code.INVALID_RECORD, "nothing there")
    try:
        location, opened = reach.open(target.file)
        with opened as file:
            page = next(_records(file, location, target, limit), None)
    except decompression_errors() as error:
        page, problem = None, Reason(Code.UNREADABLE, str(getattr(error, "strerror", None) or error))
    name, unknown = f"{location}:{target.offset}", Record(location, target.offset, "unknown")
    if page is None:
        return RawPage(name, problem=problem, record=unknown)
    return replace(page, name=name, record=replace(page.record or unknown, offset=target.offset))


def _records(file: IO[bytes], location: str, target: RecordLocation, limit: int) -> Iterator[RawPage]:
    stretch = Stretch.buffered(file, target.offset, target.length)
    if stretch.read(len(ZSTD)) != ZSTD:
        return archives.read(stretch, location, limit, end=1)
    # The dictionary, if there is one, is at the beginning of the file.
    return archives.read(file, location, limit, target.offset, target.offset + 1, exact=True)
