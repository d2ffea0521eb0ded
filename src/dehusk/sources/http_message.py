"""HTTP responses as archives store them: status, headers and body, with the transport's encodings undone.

A header that comes several times is one, with commas; of Content-Type, the first value that is a media type counts.
What was cut off or is damaged is decoded as far as it goes, and nothing is decoded beyond the limit on a page.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from itertools import islice
from typing import Final

END_OF_HEADERS: Final = re.compile(rb"\r?\n\r?\n")
FOLD: Final = re.compile(rb"\r?\n[ \t]+")  # a header that goes on in the next line
STATUS_LINE: Final = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})")
CHUNK_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,1000}\r?\n")
CUT_CHUNK_SIZE: Final = re.compile(rb"[0-9A-Fa-f]{0,8}\r?")
MEDIA_TYPE: Final = re.compile(r"\s*([\w!#$&^.+-]+/[\w!#$&^.+-]+)\s*(?:[;,]|$)")
MARKUP: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,100}<[!?A-Za-z]")
LONGEST_HEADERS: Final = 1_000_000  # bytes
MOST_CODINGS: Final = 5  # that are undone: servers apply one, seldom two
PIECE: Final = 2**16  # bytes that are decoded at once
BROTLI_PIECE: Final = 2**12


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
    end = END_OF_HEADERS.search(block)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    headers = _headers(head[:LONGEST_HEADERS])
    transfer = headers.get("transfer-encoding", "").lower()
    if "chunked" in transfer:
        body = _unchunked(body, limit)
    codings = f"{headers.get('content-encoding', '')},{transfer}".lower().split(",")
    known = (decoder for coding in reversed(codings) if (decoder := DECODERS.get(coding.strip())))
    for decoder in islice(known, MOST_CODINGS):
        body = _decoded(decoder, body, limit)
    return HttpMessage(body[: limit + 1], int(status[1]), headers)


def media_type(content_type: str | None) -> str | None:
    """Return the media type in a Content-Type header; None if there is none.

    >>> media_type("Text/HTML; charset=utf-8"), media_type("text/html, text/plain"), media_type(None)
    ('text/html', 'text/html', None)
    """
    match = MEDIA_TYPE.match(content_type or "")
    return (match[1] if match else (content_type or "").partition(";")[0].strip()).lower() or None


def charset_of(content_type: str | None) -> str | None:
    """Return the charset in a Content-Type header; None if there is none.

    >>> charset_of('text/html; charset="ISO-8859-1"')
    'iso-8859-1'
    """
    if not content_type or "charset" not in content_type.lower():
        return None
    message = Message()
    message["Content-Type"] = content_type.replace("\r", " ").replace("\n", " ")
    return message.get_content_charset() or None


def _headers(head: bytes) -> dict[str, str]:
    values: dict[str, list[str]] = {}
    # Not `splitlines`, which takes a control character inside a value for the end of it.
    for line in FOLD.sub(b" ", head).decode("latin-1").split("\n")[1:]:
        name, colon, value = line.partition(":")
        if colon:
            values.setdefault(name.strip().lower(), []).append(value.strip())
    headers = {name: ", ".join(each) for name, each in values.items()}
    if types := values.get("content-type"):
        headers["content-type"] = next(filter(MEDIA_TYPE.match, types), types[0])
    return headers


def _unchunked(body: bytes, limit: int) -> bytes:
    """Return a body without the sizes of its chunks; what has none, or comes after a broken one, as it is."""
    content, offset = bytearray(), 0
    while len(content) <= limit:
        size = CHUNK_SIZE.match(body, offset)
        if not size:
            rest = body[offset : offset + limit + 1]
            return bytes(content) + (b"" if content and CUT_CHUNK_SIZE.fullmatch(rest) else rest)
        count = int(size[1], 16)
        if not count:
            break
        end = size.end() + count
        content += body[size.end() : end]
        offset = end + (2 if body[end : end + 2] == b"\r\n" else body[end : end + 1] == b"\n")
    return bytes(content)


# From bytes to their content, piece by piece. What is cut off raises EOFError, what is damaged ValueError.
Decoder = Callable[[bytes], Iterator[bytes]]


def _decoded(decoder: Decoder, body: bytes, limit: int) -> bytes:
    """Return the content of a body, up to one byte over the limit; the body itself if it is not encoded at all."""
    content = bytearray()
    try:
        for piece in decoder(body):
            content += piece
            if len(content) > limit:
                break
    except (EOFError, ValueError):
        # Any bytes can be the beginning of something encoded, but few that look like a page are.
        if not content or MARKUP.match(body):
            return body
    return bytes(content[: limit + 1])


def _inflated(body: bytes, window: int) -> Iterator[bytes]:
    import zlib  # noqa: PLC0415  (as all of these: most runs need none)

    decompressor = zlib.decompressobj(window)
    try:
        for start in range(0, len(body), PIECE):
            data = body[start : start + PIECE]
            while data and not decompressor.eof:
                yield decompressor.decompress(data, PIECE)
                data = decompressor.unconsumed_tail
            if decompressor.eof:
                return
        yield decompressor.flush()
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not decompressor.eof:
        raise EOFError("cut off")


def _from_deflate(body: bytes) -> Iterator[bytes]:
    """Yield the content with zlib's header, as it should be, or without, as some servers send it."""
    has_header = body[:1] == b"\x78" and int.from_bytes(body[:2]) % 31 == 0
    return _inflated(body, 15 if has_header else -15)


def _from_brotli(body: bytes) -> Iterator[bytes]:
    import brotli  # noqa: PLC0415

    decompressor = brotli.Decompressor()
    try:
        # Little at once: what was decoded comes at the end of what is given, unless there is damage before that.
        for start in range(0, len(body), BROTLI_PIECE):
            yield decompressor.process(body[start : start + BROTLI_PIECE], output_buffer_limit=PIECE)
            while not decompressor.can_accept_more_data() and not decompressor.is_finished():
                yield decompressor.process(b"", output_buffer_limit=PIECE)
            if decompressor.is_finished():
                return
    except brotli.error as error:
        raise ValueError(str(error)) from error
    raise EOFError("cut off")


def _from_zstd(body: bytes) -> Iterator[bytes]:
    from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415

    try:
        with ZstdDecompressor().stream_reader(body) as reader:
            while piece := reader.read(PIECE):
                yield piece
    except ZstdError as error:
        raise ValueError(str(error)) from error


DECODERS: Final[dict[str, Decoder]] = {
    "gzip": lambda body: _inflated(body, 31),
    "x-gzip": lambda body: _inflated(body, 31),
    "deflate": _from_deflate,
    "br": _from_brotli,
    "zstd": _from_zstd,
}
