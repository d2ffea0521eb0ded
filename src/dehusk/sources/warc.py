"""WARC: how its records begin, and what their headers say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dehusk.reasons import Reason
from dehusk.sources import http_message
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

LINE_END: Final = rb"\r{0,2}\n"  # twice: as files have it that were converted from one system to another twice
VERSION: Final = rb"WARC/\d{1,2}\.\d{1,3}[ \t]*" + LINE_END
BEGINNING: Final = re.compile(VERSION + rb"[ \t]*[!-9;-~]+[ \t]*:(?!//)")  # which would be an address, of ARC
# Where any text may come before it, only a field that a record has is believed.
START: Final = re.compile(VERSION + rb"(?=(?:WARC|Content)-[A-Za-z-]+[ \t]*:)", re.IGNORECASE)
# A blank line ends a header, and so does the beginning of another, whose own end is lost.
END: Final = re.compile(rb"\n(?:" + LINE_END + rb"|(?=" + VERSION + rb"))")
LENGTH: Final = re.compile(r"\+?\d{1,18}")


def begins(data: bytes) -> bool:
    """Return whether a record begins like this."""
    return data.startswith(b"WARC/") and BEGINNING.match(data) is not None


def starts(data: bytes) -> Iterator[int]:
    """Yield where records seem to begin."""
    return (match.start() for match in START.finditer(data)) if b"WARC/" in data else iter(())


@dataclass(frozen=True, slots=True)
class WarcHeader:
    """The header of a record."""

    size: int  # bytes, with the blank line at its end
    is_whole: bool
    fields: dict[str, str]  # the first of each name, in lower case

    @property
    def stated(self) -> str:
        """The length of the block, as it is written."""
        return self.fields.get("content-length", "")

    @property
    def length(self) -> int | None:
        """The length of the block; None if it is not stated, or not as a number."""
        return int(self.stated) if LENGTH.fullmatch(self.stated) else None

    def page(self, block: bytes, name: str, offset: int, limit: int, problem: Reason | None) -> RawPage:
        """Return the record as a page, with `block` as far as it was read."""
        fields = self.fields
        content_type = fields.get("content-type")
        kind = (fields.get("warc-type") or "unknown").lower()
        is_http = block.startswith(b"HTTP/") if content_type is None else _is_http(content_type)
        if is_http and kind == "response":
            message = http_message.parsed(block, limit)
            content_type = message.headers.get("content-type")
        else:
            message = http_message.HttpMessage(block[: limit + 1])
        facts = Record(
            name,
            offset,
            kind,
            fields.get("warc-record-id"),
            fields.get("warc-date"),
            fields.get("warc-ip-address"),
            message.status,
            http_message.media_type(content_type),
            message.headers,
            fields.get("warc-payload-digest"),
            fields.get("warc-truncated"),
        )
        url = fields.get("warc-target-uri")
        url = url.strip("<>") if url else None  # as wget writes it
        data = b"" if problem else message.body
        return RawPage(f"{name}:{offset}", data, url, http_message.charset_of(content_type), problem, record=facts)


def _is_http(content_type: str) -> bool:
    return http_message.media_type(content_type) == "application/http"


def header(data: bytes, *, is_all: bool) -> WarcHeader | None:
    r"""Return the header that data begins with; None if it has none or more of it is needed, unless that is all.

    >>> header(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9\r\n\r\n...", is_all=False)
    WarcHeader(size=52, is_whole=True, fields={'warc-type': 'response', 'content-length': '9'})
    """
    if not begins(data):
        return None
    end = END.search(data)
    if not end and not is_all:
        return None
    size = end.end() if end else len(data)
    is_whole = end is not None and end[0] != b"\n"
    return WarcHeader(size, is_whole, _fields(data[:size]))


def _fields(head: bytes) -> dict[str, str]:
    try:
        text = head.decode()
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    fields: dict[str, list[str]] = {}
    lines: list[str] = []  # of the field that the last line belongs to
    for line in text.split("\n")[1:]:
        if line[:1] in (" ", "\t") and fields:
            lines.append(line.strip())
            continue
        name, colon, value = line.partition(":")
        if colon:
            lines = [value.strip()]
            fields.setdefault(name.strip().lower(), lines)
    return {name: " ".join(filter(None, values)) for name, values in fields.items()}
