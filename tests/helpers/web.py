"""A small web server for tests: each path shows one way in which servers behave."""

import contextlib
import gzip
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = "<p>Привет, мир"
ANSWERS = {
    "/plain": ({"Content-Type": "text/html"}, b"<p>Hello"),
    "/charset": ({"Content-Type": "text/html; charset=windows-1251"}, PAGE.encode("windows-1251")),
    "/gzip": ({"Content-Encoding": "gzip"}, gzip.compress(PAGE.encode())),
    "/bomb": ({"Content-Encoding": "gzip"}, gzip.compress(bytes(5_000_000))),
    "/broken-gzip": ({"Content-Encoding": "gzip"}, b"<p>Hello"),
    "/large": ({}, b"x" * 5_000_000),
    "/stra%C3%9Fe?q=a%20b": ({}, b"<p>Quoted"),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        with contextlib.suppress(ConnectionError):  # a client that has gone away
            if self.path == "/redirect":
                self._answer(302, {"Location": "/plain"})
            elif self.path == "/drip":
                self._answer(200, {"Content-Length": "30"})
                self._drip(b"x" * 30)
            elif self.path == "/drip-header":
                self._drip(b"HTTP/1.0 200 OK\r\nX-Long: xxxxx")
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

    def _drip(self, data: bytes) -> None:
        for byte in data:
            self.wfile.write(bytes([byte]))
            time.sleep(0.05)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def web() -> Iterator[str]:
    """Give the address of a server that runs meanwhile."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:  # else a test that fails meanwhile would keep pytest from ending
            server.shutdown()
            thread.join()
