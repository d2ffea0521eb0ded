"""A small web server for tests: each path shows one way in which servers behave."""

import contextlib
import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = "<p>Привет, мир"
STOPPED = threading.Event()
ANSWERS = {
    "/plain": ({"Content-Type": "text/html"}, b"<p>Hello"),
    "/charset": ({"Content-Type": "text/html; charset=windows-1251"}, PAGE.encode("windows-1251")),
    "/gzip": ({"Content-Encoding": "gzip"}, gzip.compress(PAGE.encode())),
    "/bomb": ({"Content-Encoding": "gzip"}, gzip.compress(bytes(5_000_000))),
    "/broken-gzip": ({"Content-Encoding": "gzip"}, b"<p>Hello"),
    "/members": ({"Content-Encoding": "gzip"}, gzip.compress(b"<p>One, ") + gzip.compress(b"two") + bytes(7)),
    "/cut-member": ({"Content-Encoding": "gzip"}, gzip.compress(b"<p>One, ") + gzip.compress(b"two")[:-4]),
    "/many-members": ({"Content-Encoding": "gzip"}, gzip.compress(b"x" * 99) * 9_000),
    "/odd-length": ({"Content-Length": "many"}, b"<p>Hello"),
    "/large": ({}, b"x" * 5_000_000),
    "/stra%C3%9Fe?q=a%20b": ({}, b"<p>Quoted"),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        with contextlib.suppress(ConnectionError):  # a client that has gone away
            if self.path == "/redirect":
                self._answer(302, {"Location": "/plain"})
            elif self.path.startswith("/to?"):
                self._answer(302, {"Location": self.path.removeprefix("/to?")})
            elif self.path == "/endless-redirect":
                self._answer(302, {"Location": "/plain", "Content-Length": "1000000"})
                self._send_byte_by_byte()
            elif self.path == "/stalls":
                self._answer(200, {"Content-Length": "1000000"})
                self._send_byte_by_byte()
            elif self.path == "/stalls-in-header":
                self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Long: ")
                self._send_byte_by_byte()
            elif self.path in ANSWERS:
                self._answer(200, *ANSWERS[self.path])
            else:
                self.send_error(404)

    def _answer(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _send_byte_by_byte(self) -> None:
        while not STOPPED.wait(0.05):
            self.wfile.write(b"x")

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def web() -> Iterator[str]:
    """Run a server and yield its URL."""
    STOPPED.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:  # else a test that fails meanwhile would keep pytest from ending
            STOPPED.set()
            server.shutdown()
            thread.join()
