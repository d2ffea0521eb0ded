"""Bodies of HTTP as archives have them: whole or in chunks, compressed or not, whatever their headers say."""

import gzip
import tracemalloc
import zlib
from time import process_time

import brotli
import pytest
import zstandard

from dehusk.sources.http_message import charset_of, media_type, parsed

PAGE = b"<p>It rained all day." * 20


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
        ("br", brotli.compress(PAGE)),
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


def test_broken_chunks_cost_nothing_of_what_follows() -> None:
    page = b"5\r\n<p>It\r\nzz\r\n rained all day."
    assert body(page, "Transfer-Encoding: chunked") == b"<p>Itzz\r\n rained all day."
    assert body(b"5\r\n<p>It\r\n1", "Transfer-Encoding: chunked") == b"<p>It"


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}
LONG = b"".join(f"<p>It rained on day {number}, and on the {number**3}th.".encode() for number in range(9000))


@pytest.mark.parametrize("coding", ENCODERS)
def test_what_was_cut_off_is_decoded_as_far_as_it_goes(coding: str) -> None:
    encoded = ENCODERS[coding](LONG)
    found = body(encoded[: len(encoded) * 9 // 10], f"Content-Encoding: {coding}", limit=10**6)
    assert LONG.startswith(found)
    assert len(found) > len(LONG) // 2


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_what_comes_before_damage_is_kept(coding: str) -> None:
    encoded = bytearray(ENCODERS[coding](LONG))
    encoded[len(encoded) * 9 // 10 :] = bytes(len(encoded) // 10 + 1)
    found = body(bytes(encoded), f"Content-Encoding: {coding}", limit=10**6)
    assert found.startswith(LONG[: len(LONG) // 3])


@pytest.mark.parametrize("coding", ENCODERS)
def test_a_small_body_that_stands_for_a_huge_one_is_bounded(coding: str) -> None:
    bomb = ENCODERS[coding](bytes(100_000_000))
    tracemalloc.start()
    try:
        assert len(body(bomb, f"Content-Encoding: {coding}", limit=1_000_000)) == 1_000_001
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_only_so_many_encodings_are_undone() -> None:
    encoded = PAGE
    for _ in range(9):
        encoded = gzip.compress(encoded)
    assert body(encoded, "Content-Encoding: " + "gzip, " * 9).startswith(b"\x1f\x8b")
    assert body(PAGE, "Content-Encoding: " + "br," * 100_000) == PAGE


def test_the_transfer_may_be_compressed_too() -> None:
    assert body(chunked(gzip.compress(PAGE)), "Transfer-Encoding: gzip, chunked") == PAGE


def test_headers_that_are_repeated_take_time_in_proportion_to_their_number() -> None:
    def seconds(count: int) -> float:
        message, began = b"HTTP/1.1 200 OK\r\n" + b"a: bcde\r\n" * count + b"\r\nbody", process_time()
        assert parsed(message, 100).headers == {"a": ", ".join(["bcde"] * count)}
        return process_time() - began

    # Eight times as many; sixty-four times as long if each is added to those before it.
    few, many = (min(seconds(count) for _ in range(5)) for count in (13_000, 104_000))
    assert many < 24 * max(few, 0.004)


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["text/html", "text/plain"], "text/html"),
        (["", "text/html; charset=utf-8"], "text/html"),
        (["html", "text/html"], "text/html"),
        (["text/html, text/html; charset=x"], "text/html"),
        (["html"], "html"),
        ([""], None),
    ],
    ids=str,
)
def test_the_first_media_type_counts(types: list[str], expected: str | None) -> None:
    lines = "".join(f"Content-Type: {each}\r\n" for each in types)
    found = parsed(f"HTTP/1.1 200 OK\r\n{lines}\r\n".encode(), 100)
    assert media_type(found.headers["content-type"]) == expected


def test_headers_may_go_on_in_the_next_line_and_hold_control_characters() -> None:
    found = parsed(b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=latin-1\r\nA: x\x85B: y\r\n\r\n", 100)
    assert found.headers == {"content-type": "text/html; charset=latin-1", "a": "x\x85B: y"}


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


def test_a_body_after_a_megabyte_of_headers_is_read() -> None:
    headers = b"Content-Type: text/html\r\n" + b"Set-Cookie: a=1\r\n" * 100_000
    message = parsed(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n" + PAGE, 10_000)
    assert (message.body, message.headers["content-type"]) == (PAGE, "text/html")
