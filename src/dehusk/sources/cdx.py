"""CDX indexes: lines that name records of archives by file, offset and length; only these are read."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from dehusk.reasons import Code, Reason
from dehusk.sources import archives
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

SUFFIXES: Final = frozenset({".cdx", ".cdxj"})
NAMES: Final = re.compile(r"cdx-\d+\.gz")  # as Common Crawl has them
# The names of its columns, or a line of it: an address the other way round, as in org,example)/news, and a date.
BEGINNING: Final = re.compile(rb"\A(?: ?CDX(?: [A-Za-z])+\s|[^\s(){}<>]+\)/\S* \d{4,17} [{\w])")
# The letters that name columns in the first line of a CDX file; this is the usual order, for files without such a line.
USUAL: Final = list("NbamskrMSVg")
FILE, OFFSET, LENGTH = "g", "V", "S"
LONGEST_LINE: Final = 100_000
ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


Opener = Callable[[str], AbstractContextManager[IO[bytes]]]  # of a file, by its location


@dataclass(frozen=True, slots=True)
class RecordLocation:
    """Where a record is."""

    file: str
    offset: int
    length: int | None


def read(stream: IO[bytes], name: str, limit: int, open_file: Opener) -> Iterator[RawPage]:
    """Yield the records that an index names, in its order; a line that names none comes with its problem."""
    columns = USUAL
    for line_number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE), b""), 1):
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text.lstrip().startswith("CDX "):
            columns = text.split()[1:]
            continue
        if not text.strip() or text.startswith("!"):
            continue
        target = _record_location(text, columns)
        if target is None:
            expected = "names no record; expected a line of CDX or CDXJ with file, offset and length"
            problem, record = Reason(Code.INVALID_RECORD, expected), Record(name, line_number, "unknown")
            yield RawPage(f"{name}:{line_number}", problem=problem, record=record)
        else:
            yield _record(target, name, limit, open_file)


def _record_location(line: str, columns: list[str]) -> RecordLocation | None:
    """Return where the record is that a line names; None if it names none.

    >>> _record_location('org,example)/ 20240502 {"filename": "a.warc.gz", "offset": "7", "length": "9"}', USUAL)
    RecordLocation(file='a.warc.gz', offset=7, length=9)
    """
    brace = line.find("{")
    values: dict[str, Any]
    try:
        if brace >= 0:
            entry = json.loads(line[brace:])
            values = {FILE: entry["filename"], OFFSET: entry["offset"], LENGTH: entry.get("length", "-")}
        else:
            values = dict(zip(columns, line.split(), strict=False))
        length = values.get(LENGTH, "-")
        return RecordLocation(str(values[FILE]), int(values[OFFSET]), None if length in ("-", None) else int(length))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _record(target: RecordLocation, index: str, limit: int, open_file: Opener) -> RawPage:
    location = _beside(index, target.file)
    name, unknown = f"{location}:{target.offset}", Record(location, target.offset, "unknown")
    try:
        with open_file(location) as file:
            file.seek(target.offset)
            data = file.read(target.length if target.length is not None else limit)
    except OSError as error:
        problem = Reason(Code.UNREADABLE, str(error.strerror or error))
        return RawPage(name, problem=problem, record=unknown)
    page = next(archives.read(BytesIO(data), location, limit), None)
    if page is None:
        return RawPage(name, problem=Reason(Code.INVALID_RECORD, "nothing there"), record=unknown)
    return replace(page, name=name, record=replace(page.record or unknown, offset=target.offset))


def _beside(index: str, file: str) -> str:
    """Return where a file is that an index names: at its address, or relative to the folder of the index.

    >>> _beside("crawl/index.cdxj", "a.warc.gz"), _beside("s3://bucket/i.cdxj", "a.warc.gz")
    ('crawl/a.warc.gz', 's3://bucket/a.warc.gz')
    """
    if ADDRESS.match(file) or Path(file).is_absolute():
        return file
    if ADDRESS.match(index):
        scheme, _, path = index.partition("://")
        return f"{scheme}://{PurePosixPath(path).parent / file}"
    return str(Path(index).parent / file)
