"""HTTP responses as archives store them: status, headers and body, with the transport's encodings undone."""

import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

END_OF_HEADERS: Final = re.compile(rb"\r?\n\r?\n")
STATUS_LINE: Final = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})")
CHUNK_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,1000}\r?\n")
LONGEST_HEADERS: Final = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class HttpMessage:
    """A response. What cannot be decoded stays as it was stored."""

    body: bytes
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)  # names in lower case


def parsed(block: bytes, limit: int) -> HttpMessage:
    r"""Return the response in a record; its body has at most one byte more than the limit.

    >>> parsed(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n", 99)
    HttpMessage(body=b'<p>', status=200, headers={'transfer-encoding': 'chunked'})
    """
    status = STATUS_LINE.match(block)
    if not status:
        return HttpMessage(block[: limit + 1])
    end = END_OF_HEADERS.search(block, 0, LONGEST_HEADERS)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block[:LONGEST_HEADERS], b"")
    headers = _headers(head)
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _unchunked(body, limit)
    for coding in reversed(headers.get("content-encoding", "").lower().split(",")):
        decoder = DECODERS.get(coding.strip())
        body = decoder(body, limit) if decoder else body
    return HttpMessage(body[: limit + 1], int(status[1]), headers)


def media_type(content_type: str | None) -> str | None:
    """Return the media type in a Content-Type header; None if there is none.

    >>> media_type("Text/HTML; charset=utf-8"), media_type(None)
    ('text/html', None)
    """
    return (content_type or "").partition(";")[0].strip().lower() or None


def charset_of(content_type: str | None) -> str | None:
    """Return the charset in a Content-Type header; None if there is none.

    >>> charset_of('text/html; charset="ISO-8859-1"')
    'iso-8859-1'
    """
    if not content_type or "charset" not in content_type.lower():
        return None
    from email.message import Message  # noqa: PLC0415  (a tenth of the time to start, and not always needed)

    message = Message()
    message["Content-Type"] = content_type.replace("\r", " ").replace("\n", " ")
    return message.get_content_charset() or None


def _headers(head: bytes) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in head.decode("latin-1").splitlines()[1:]:
        name, colon, value = line.partition(":")
        if colon:
            key = name.strip().lower()
            headers[key] = f"{headers[key]}, {value.strip()}" if key in headers else value.strip()
    return headers


def _unchunked(body: bytes, limit: int) -> bytes:
    """Return a body without the sizes of its chunks; a body that has none, as it is."""
    parts, offset, length = list[bytes](), 0, 0
    while (size := CHUNK_SIZE.match(body, offset)) and (count := int(size[1], 16)) and length <= limit:
        parts.append(body[size.end() : size.end() + count])
        length += count
        offset = size.end() + count
        offset += 2 if body[offset : offset + 2] == b"\r\n" else body[offset : offset + 1] == b"\n"
    return b"".join(parts) if parts or CHUNK_SIZE.match(body) else body


def _inflated(body: bytes, limit: int, *windows: int) -> bytes:
    for window in windows:
        with suppress(zlib.error):
            if content := zlib.decompressobj(window).decompress(body, limit + 1):
                return content
    return body


def _from_brotli(body: bytes, limit: int) -> bytes:
    """Return what can be decompressed of a body, which may be cut off."""
    import brotli  # noqa: PLC0415  (rare)

    decompressor, parts, length, data = brotli.Decompressor(), list[bytes](), 0, body
    with suppress(brotli.error):
        while length <= limit and not decompressor.is_finished():
            part = decompressor.process(data, output_buffer_limit=limit + 1 - length)
            parts.append(part)
            length, data = length + len(part), b""
            if not part and decompressor.can_accept_more_data():  # it is cut off
                break
    return b"".join(parts) or body


def _from_zstd(body: bytes, limit: int) -> bytes:
    from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415  (rare)

    try:
        with ZstdDecompressor().stream_reader(body) as reader:
            return reader.read(limit + 1) or body
    except ZstdError:
        return body


DECODERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": lambda body, limit: _inflated(body, limit, 31),
    "x-gzip": lambda body, limit: _inflated(body, limit, 31),
    "deflate": lambda body, limit: _inflated(body, limit, 15, -15),  # with a header, as it should be, or without
    "br": _from_brotli,
    "zstd": _from_zstd,
}
