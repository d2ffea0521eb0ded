"""Bodies of HTTP as archives have them: whole or in chunks, compressed or not, whatever their headers say."""

import gzip
import zlib

import pytest
import zstandard

from dehusk.sources.http_message import charset_of, parsed

PAGE = b"<p>It rained all day." * 20


# Google's brotli made these: fastwarc reads the format well but writes it wrongly.
BROTLI_PAGE = bytes.fromhex("1ba301f89d07b6c3ba8cb08f9e2ea45383b8f0b0a930b24a824b1fbabc9285b722c1264acc54499e16")
BROTLI_BOMB = bytes.fromhex("9b3f4b4cf825f0e2b140205f8809")


def body(encoded: bytes, *headers: str, limit: int = 10_000) -> bytes:
    head = "\r\n".join(["HTTP/1.1 200 OK", *headers])
    return parsed(head.encode() + b"\r\n\r\n" + encoded, limit).body


def chunked(data: bytes, end: bytes = b"\r\n") -> bytes:
    parts = [data[place : place + 100] for place in range(0, len(data), 100)]
    return b"".join(f"{len(part):x};a=b".encode() + end + part + end for part in parts) + b"0" + end + end


@pytest.mark.parametrize(
    ("coding", "encoded"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("x-gzip", gzip.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)[2:-4]),
        ("br", BROTLI_PAGE),
        ("zstd", zstandard.compress(PAGE)),
        ("identity", PAGE),
        ("unheard-of", PAGE),
    ],
    ids=["gzip", "x-gzip", "deflate", "deflate without its frame", "br", "zstd", "identity", "unheard-of"],
)
def test_content_is_decoded_even_if_it_no_longer_needs_it(coding: str, encoded: bytes) -> None:
    assert body(encoded, f"Content-Encoding: {coding}") == PAGE
    assert body(PAGE, f"Content-Encoding: {coding}") == PAGE
    assert body(chunked(encoded), f"content-encoding: {coding}", "Transfer-Encoding: chunked") == PAGE


def test_chunks_are_joined_even_if_there_are_none() -> None:
    for encoded in (chunked(PAGE), chunked(PAGE, b"\n"), PAGE):
        assert body(encoded, "Transfer-Encoding: chunked") == PAGE
    assert body(chunked(PAGE)[:250], "Transfer-Encoding: chunked").startswith(PAGE[:200])


def test_a_small_body_that_stands_for_a_huge_one_is_bounded() -> None:
    bomb = b"x" * 5_000_000
    for coding, encoded in (("gzip", gzip.compress(bomb)), ("br", BROTLI_BOMB), ("zstd", zstandard.compress(bomb))):
        assert len(body(encoded, f"Content-Encoding: {coding}", limit=1000)) == 1001


def test_what_is_no_response_is_the_body_itself() -> None:
    found = parsed(b"<p>Hello", 100)
    assert (found.body, found.status, found.headers) == (b"<p>Hello", None, {})


def test_odd_headers() -> None:
    found = parsed(b"HTTP/1.0 200\nA: 1\na: 2\nno colon\n\nbody", 100)
    assert (found.headers, found.body) == ({"a": "1, 2"}, b"body")
    assert charset_of("text/html; charset=\n") is None


def test_encodings_are_undone_in_the_reverse_of_their_order() -> None:
    body = gzip.compress(zlib.compress(b"<p>Hello"))
    message = parsed(b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate, gzip\r\n\r\n" + body, 1_000)
    assert message.body == b"<p>Hello"
