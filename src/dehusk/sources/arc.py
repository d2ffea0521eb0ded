"""ARC files, the format before WARC: their records, by warcio."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any, Final

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from dehusk.reasons import Code, Reason
from dehusk.sources import http_message
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

# The line that begins a record: address, IP address, date, media type and length; version 2 has more in between.
BEGINS: Final = re.compile(
    rb"[a-z][a-z0-9+.-]{1,20}:[^ \r\n]* [0-9a-f.:]{3,45} \d{8,14} \S+(?: \S+){0,5} (\d{1,15})\r?\n"
)


def begins(data: bytes) -> bool:
    """Return whether a record begins like this; a compressed one may show only its address."""
    return BEGINS.match(data) is not None or re.match(rb"[a-z][a-z0-9+.-]{1,20}:[^ \r\n]*$", data) is not None


def length_error(record: bytes) -> Reason | None:
    """Return what is wrong with the length that a record states; None if nothing is."""
    line = BEGINS.match(record)
    if not line:
        return Reason(Code.DAMAGED, "no length")
    rest, count = record[line.end() :], int(line[1])
    if len(rest) < count or rest[count:].strip(b"\r\n"):
        size = len(rest.rstrip())
        return Reason(
            Code.WRONG_LENGTH, f"its line says {count:,}, the record has {size:,} bytes", limit=count, seen=size
        )
    return None


def records(file: IO[bytes], name: str, limit: int) -> Iterator[RawPage]:
    """Yield the records from where the file is; raise OSError where it cannot be read further."""
    iterator = ArchiveIterator(file, no_record_parse=True)
    try:
        for record in iterator:
            # Reading on to the end of the record is what makes its offset known.
            block = record.raw_stream.read(limit + http_message.LONGEST_HEADERS)
            yield _page(record.rec_headers, block, name, iterator.get_record_offset(), limit)
    except ArchiveLoadFailed as error:
        raise OSError(str(error).strip() or "no ARC record") from error


def _page(headers: Any, block: bytes, name: str, offset: int, limit: int) -> RawPage:
    url, stated = headers.get_header("uri"), int(headers.get_header("length") or 0)
    kind = "warcinfo" if url.startswith("filedesc:") else "response"
    message = http_message.parsed(block, limit)
    content_type = message.headers.get("content-type") or headers.get_header("content-type")
    date, ip = _iso(headers.get_header("archive-date")), headers.get_header("ip-address")
    media_type = http_message.media_type(content_type)
    facts = Record(name, offset, kind, None, date, ip, message.status, media_type, message.headers)
    problem = None
    if kind == "response" and len(block) < min(stated, limit + http_message.LONGEST_HEADERS):
        problem = Reason(Code.TRUNCATED, limit=stated, seen=len(block))
    charset = http_message.charset_of(content_type)
    return RawPage(f"{name}:{offset}", b"" if problem else message.body, url, charset, problem, record=facts)


def _iso(date: str | None) -> str | None:
    """Return the date of a record as ISO 8601; None if it is none.

    >>> _iso("20240502103000"), _iso("no date")
    ('2024-05-02T10:30:00Z', None)
    """
    try:
        return datetime.strptime(date or "", "%Y%m%d%H%M%S").strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None
