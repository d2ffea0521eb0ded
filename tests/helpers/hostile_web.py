"""A web server for tests that attacks its clients: each path is one attack, written to the socket byte by byte."""

import contextlib
import gzip
import socket
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat

STOPPED = threading.Event()
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ZEROS = bytes(40_000_000)


def drip(head: bytes, byte: bytes = b"x") -> Iterator[bytes]:
    """Yield the beginning, and then one byte at a time for ever."""
    yield head
    while not STOPPED.wait(0.02):
        yield byte


def encoded(coding: str, body: bytes) -> list[bytes]:
    return [OK + f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body]


def redirect(target: str, status: int = 302, more: bytes = b"") -> list[bytes]:
    return [f"HTTP/1.1 {status} Go\r\nLocation: {target}\r\n".encode() + more + b"Content-Length: 0\r\n\r\n"]


ATTACKS: dict[str, Callable[[], Iterable[bytes]]] = {
    "/endless-body": lambda: chain([OK + b"\r\n"], repeat(b"x" * 65_536)),
    "/endless-chunks": lambda: chain([CHUNKED], repeat(b"10000\r\n" + b"x" * 65_536 + b"\r\n")),
    "/endless-trailer": lambda: chain([CHUNKED, b"1\r\nx\r\n0\r\n"], repeat(b"X-More: and more\r\n")),
    "/long-chunk-line": lambda: chain([CHUNKED], repeat(b"1" * 65_536)),
    "/gzip-bomb": lambda: encoded("gzip", gzip.compress(ZEROS)),
    "/gzip-in-gzip": lambda: encoded("gzip", gzip.compress(gzip.compress(ZEROS))),
    "/deflate-bomb": lambda: encoded("deflate", zlib.compress(ZEROS)),
    "/many-members": lambda: encoded("gzip", gzip.compress(b"x" * 999) * 9_000),
    "/empty-members": lambda: chain([OK + b"Content-Encoding: gzip\r\n\r\n"], repeat(gzip.compress(b"") * 1000)),
    "/stored-bomb": lambda: [OK + b"\r\n" + gzip.compress(ZEROS)],
    "/slow-body": lambda: drip(OK + b"\r\n"),
    "/slow-header": lambda: drip(OK + b"X-Long: "),
    "/slow-headers": lambda: drip(OK, b"X: y\r\n"),
    "/slow-status": lambda: drip(b"HTTP/1.1 2"),
    "/slow-chunk-size": lambda: drip(CHUNKED, b"0"),
    "/silent": lambda: drip(b"", b""),
    "/header-flood": lambda: chain([OK], repeat(b"X-Flood: and more\r\n" * 100)),
    "/long-header": lambda: chain([OK + b"X-Long: "], repeat(b"x" * 65_536)),
    "/continue-flood": lambda: chain(repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)),
    "/garbage": lambda: [bytes(range(256)) * 9],
    "/old-protocol": lambda: [b"<p>no header at all"],
    "/promise": lambda: [OK + b"Content-Length: 1000000000000\r\n\r\nonly this"],
    "/huge-number": lambda: [OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n<p>Hello"],
    "/negative": lambda: [OK + b"Content-Length: -5\r\n\r\n<p>Hello"],
    "/odd-status": lambda: [b"HTTP/1.1 99999 Odd\r\n\r\n"],
    "/loop": lambda: redirect("/loop"),
    "/longer-and-longer": lambda: redirect("longer-and-longer/longer-and-longer"),
    "/redirect-with-body": lambda: chain([b"HTTP/1.1 302 Go\r\nLocation: /silent\r\n\r\n"], repeat(b"x" * 65_536)),
    "/cookie": lambda: redirect("/echo", more=b"Set-Cookie: name=value; Path=/\r\n"),
    "/sign-in": lambda: [b'HTTP/1.1 401 Who?\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'],
}


def _answer(request: bytes) -> Iterable[bytes]:
    target = request.split(b" ")[1].decode("latin-1") if request.count(b" ") > 1 else "/"
    if target.startswith("/to?"):
        return redirect(target.removeprefix("/to?"))
    if target.startswith("/echo"):
        return [OK + f"Content-Length: {len(request)}\r\n\r\n".encode() + request]
    if target.startswith("/longer-and-longer"):
        return redirect(f"{target}x")
    return ATTACKS.get(target, ATTACKS["/silent"])()


def _serve(connection: socket.socket) -> None:
    with connection, contextlib.suppress(OSError):
        connection.settimeout(5)
        request = b""
        while b"\r\n\r\n" not in request and (data := connection.recv(65_536)):
            request += data
        for piece in _answer(request):
            if STOPPED.is_set():
                return
            if piece:
                connection.sendall(piece)


@contextmanager
def hostile_web() -> Iterator[int]:
    """Run the server and yield its port."""
    STOPPED.clear()
    threads: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:

        def accept() -> None:
            while not STOPPED.is_set():
                connection, _ = server.accept()
                threads.append(threading.Thread(target=_serve, args=(connection,), daemon=True))
                threads[-1].start()

        acceptor = threading.Thread(target=accept, daemon=True)
        acceptor.start()
        try:
            yield server.getsockname()[1]
        finally:
            STOPPED.set()
            socket.create_connection(server.getsockname()).close()  # else it would wait for ever
            for thread in (acceptor, *threads):
                thread.join()
