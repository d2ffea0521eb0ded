"""ARC, the format before WARC: how its records begin, and what the line before each says."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dehusk.reasons import Reason
from dehusk.sources import http_message
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

ADDRESS: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{1,20}:")
IP_ADDRESS: Final = rb"(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,40})"
IP: Final = re.compile(IP_ADDRESS)
END: Final = re.compile(rb"\n")
DATE: Final = re.compile(rb"\d{8,18}|null")  # as some crawlers wrote it
LENGTH: Final = re.compile(r"\d{1,18}")
FEWEST, MOST = 3, 10  # fields after the address: date, media type, length; version 2 has more before the length
# The end of a line that begins a record, where any text may come before it.
END_OF_LINE: Final = re.compile(
    rb" [0-9A-Fa-f.:]{3,45} \d{12,18} [^ \r\n]{1,200}(?: [^ \r\n]{1,1000}){0,5} [-\w]{1,18}\r?\n"
)
SCHEME: Final = re.compile(rb"(?:https?|ftp|dns|filedesc|whois|gopher|news|nntp|mailto|urn|warcinfo|metadata):")


def may_begin(data: bytes) -> bool:
    """Return whether a record may begin with such an address."""
    return ADDRESS.match(data) is not None


def begins(data: bytes) -> bool:
    """Return whether a record begins like this."""
    return header(data, is_all=False) is not None


def starts(data: bytes) -> Iterator[int]:
    """Yield where records seem to begin."""
    for match in END_OF_LINE.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        # Without a line end before it, the last address in the line is the one.
        address = SCHEME.match(data, line) or next(reversed(list(SCHEME.finditer(data, line, match.start()))), None)
        if address:
            yield address.start()


@dataclass(frozen=True, slots=True)
class ArcHeader:
    """The line before a record."""

    size: int  # bytes
    is_whole: bool
    url: str
    ip: str
    date: str
    media_type: str
    stated: str  # the length of the block, as it is written

    @property
    def length(self) -> int | None:
        """The length of the block; None if it is not stated as a number."""
        return int(self.stated) if LENGTH.fullmatch(self.stated) else None

    def page(self, block: bytes, name: str, offset: int, limit: int, problem: Reason | None) -> RawPage:
        """Return the record as a page, with `block` as far as it was read."""
        kind = "warcinfo" if self.url.startswith("filedesc:") else "response"
        message = http_message.parsed(block, limit)
        content_type = message.headers.get("content-type") or self.media_type
        media_type = http_message.media_type(content_type)
        facts = Record(name, offset, kind, None, _iso(self.date), self.ip, message.status, media_type, message.headers)
        charset = http_message.charset_of(content_type)
        data = b"" if problem else message.body
        return RawPage(f"{name}:{offset}", data, self.url, charset, problem, record=facts)


def header(data: bytes, *, is_all: bool) -> ArcHeader | None:
    r"""Return the line that data begins with; None if it has none or more of it is needed, unless that is all.

    >>> header(b"http://example.org/a b 192.0.2.7 20240502103000 text/html 9\n...", is_all=False).url
    'http://example.org/a b'
    """
    if not ADDRESS.match(data):
        return None
    end = data.find(b"\n") + 1
    if not end and not is_all:
        return None
    line = (data[:end] if end else data).rstrip(b"\r\n")
    fields = line.rsplit(b" ", MOST + 1)
    # The last date that has an IP address before it and enough fields after it.
    for index in range(len(fields) - FEWEST, 0, -1):
        if DATE.fullmatch(fields[index]) and IP.fullmatch(fields[index - 1]) and index > 1:
            url = b" ".join(fields[: index - 1])
            texts = [field.decode("utf-8", "replace") for field in (url, *fields[index - 1 :])]
            return ArcHeader(end or len(data), bool(end), texts[0], texts[1], texts[2], texts[3], texts[-1])
    return None


def _iso(date: str) -> str | None:
    """Return the date of a record as ISO 8601; None if it is none.

    >>> _iso("20240502103000"), _iso("no date")
    ('2024-05-02T10:30:00Z', None)
    """
    from datetime import datetime  # noqa: PLC0415  (rare, and every command would wait for it)

    try:
        return datetime.strptime(date, "%Y%m%d%H%M%S").strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None
