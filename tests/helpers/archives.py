"""WARC and ARC files for tests, good and damaged."""

import bz2
import gzip
from collections.abc import Callable, Iterable

import lz4.frame
import zstandard

HTML = "<title>Page {0}</title><h1>Page {0}</h1><p>This is the text of page number {0}, long enough to be kept by all."


def http(body: bytes, content_type: str = "text/html; charset=utf-8", status: str = "200 OK", more: str = "") -> bytes:
    """Return a response of HTTP."""
    return f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{more}\r\n".encode() + body


def warc_record(
    number: int, block: bytes | None = None, *, extra: int = 0, kind: str = "response", version: str = "1.0"
) -> bytes:
    """Return a record, by default one with a page; `extra` makes its Content-Length wrong."""
    block = http(HTML.format(number).encode()) if block is None else block
    content_type = "application/http; msgtype=response" if kind in ("response", "request") else "text/plain"
    head = (
        f"WARC/{version}\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
        f"WARC-Date: 2024-05-02T10:00:00Z\r\nWARC-IP-Address: 192.0.2.7\r\n"
        f"WARC-Target-URI: https://example.org/{number}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block) + extra}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def arc_record(number: int, block: bytes | None = None) -> bytes:
    """Return a record of an ARC file."""
    block = http(HTML.format(number).encode()) if block is None else block
    return f"https://example.org/{number} 192.0.2.7 20240502100000 text/html {len(block)}\n".encode() + block + b"\n"


ARC_BLOCK = b"1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n"
ARC_HEAD = f"filedesc://old.arc 0.0.0.0 20240502100000 text/plain {len(ARC_BLOCK)}\n".encode() + ARC_BLOCK + b"\n"


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": zstandard.compress,
    ".lz4": lz4.frame.compress,
}
WHOLE: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".zst": zstandard.compress, ".bz2": bz2.compress}


def joined(records: Iterable[bytes], suffix: str = ".gz") -> bytes:
    """Return a file of records, each compressed on its own."""
    return b"".join(map(COMPRESSORS[suffix], records))
