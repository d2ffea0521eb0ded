"""WARC files: their records, by fastwarc."""

import re
from collections.abc import Iterator
from typing import IO, Final

from fastwarc.warc import ArchiveIterator, WarcRecord

from dehusk.reasons import Code, Reason
from dehusk.sources import http_message
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

BEGINS: Final = re.compile(rb"WARC/1\.\d")
LENGTH: Final = re.compile(rb"\r\nContent-Length:[ \t]*(\d{1,15})", re.IGNORECASE)


def begins(data: bytes) -> bool:
    """Return whether a record begins like this."""
    return BEGINS.match(data) is not None


def length_error(record: bytes) -> Reason | None:
    """Return what is wrong with the length that a record states; None if nothing is."""
    head, blank, rest = record.partition(b"\r\n\r\n")
    stated = LENGTH.search(head)
    if not blank or not stated:
        return Reason(Code.DAMAGED, "no Content-Length")
    count = int(stated[1])
    if len(rest) < count or rest[count:].strip(b"\r\n"):
        size = len(rest.rstrip(b"\r\n"))
        return Reason(
            Code.WRONG_LENGTH, f"Content-Length is {count:,}, the record has {size:,} bytes", limit=count, seen=size
        )
    return None


def records(file: IO[bytes], name: str, limit: int) -> Iterator[RawPage]:
    """Yield the records from where the file is; raise OSError where it cannot be read further."""
    try:
        for record in ArchiveIterator(file, parse_http=False, fsspec_args=False):
            yield _page(record, name, limit)
    except BaseException as error:
        # What fastwarc did not expect ends in a panic, which no `except Exception` catches.
        if type(error).__name__ == "PanicException":
            raise OSError(str(error)) from error
        raise


def _page(record: WarcRecord, name: str, limit: int) -> RawPage:
    headers = record.headers
    stated = record.content_length
    # Headers of HTTP come on top of the limit.
    block = record.reader.read(limit + http_message.LONGEST_HEADERS)
    offset = record.stream_pos
    message = http_message.HttpMessage(block[: limit + 1])
    content_type = headers.get("Content-Type")
    kind = str(headers.get("WARC-Type") or "unknown").lower()
    if http_message.media_type(content_type) == "application/http" and kind == "response":
        message = http_message.parsed(block, limit)
        content_type = message.headers.get("content-type")
    facts = Record(
        name,
        offset,
        kind,
        headers.get("WARC-Record-ID"),
        headers.get("WARC-Date"),
        headers.get("WARC-IP-Address"),
        message.status,
        http_message.media_type(content_type),
        message.headers,
        headers.get("WARC-Payload-Digest"),
    )
    url = headers.get("WARC-Target-URI")
    url = url.strip("<>") if url else None  # as wget writes it
    problem = None
    if len(block) < min(stated, limit + http_message.LONGEST_HEADERS):
        problem = Reason(Code.TRUNCATED, limit=stated, seen=len(block))
    elif reason := headers.get("WARC-Truncated"):
        facts.headers["warc-truncated"] = reason
    charset = http_message.charset_of(content_type)
    data = b"" if problem else message.body
    return RawPage(f"{name}:{offset}", data, url, charset, problem, record=facts)
