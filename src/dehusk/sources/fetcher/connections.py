"""Connections: each request, also one that follows a redirect, goes to an address that was looked up and checked."""

import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import IO, Any
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from dehusk.sources.fetcher.addresses import addresses, is_public, not_public


class RefusedError(HTTPException):
    """A request that the policy does not allow."""


def connect(address: str, port: int, seconds: float | None) -> socket.socket:
    """Connect to an IP address."""
    return socket.create_connection((address, port), seconds)


class Route:
    """The way to a page: whether the next request may go to a private network, and the connections made so far."""

    def __init__(self, *, private: bool, proxies: bool) -> None:
        self.private, self.proxies = private, proxies
        self._handles: list[socket.socket] = []
        self._ended = False
        self._lock = threading.Lock()  # for both: the route is ended by another thread than the one that follows it

    def opener(self) -> OpenerDirector:
        """Return what opens URLs by this route: like urllib's own, but for ftp, files and data, which are left out."""
        opener = OpenerDirector()
        proxies = ProxyHandler(None if self.proxies else {})
        for handler in (proxies, UnknownHandler(), HTTPDefaultErrorHandler(), HTTPErrorProcessor(), _Redirects()):
            opener.add_handler(handler)
        opener.add_handler(_Opener(self))
        return opener

    def check(self, host: str, host_addresses: list[str]) -> None:
        """Raise an error for addresses to which the request may not go."""
        refused = None if self.private else not_public(host, host_addresses)
        if refused:
            raise RefusedError(
                f"{host} has the address {refused}, which is not public; expected a public one, unless private ones "
                "are allowed"
            )

    def opened(self, host_and_port: tuple[str, int], seconds: float | None, _source: object = None) -> socket.socket:
        """Connect to a host, in place of `socket.create_connection`."""
        host, port = host_and_port
        host_addresses = addresses(host, port)
        if self._ended:
            raise TimeoutError  # the lookup took too long, and nobody waits any more
        self.check(host, host_addresses)
        problem: OSError | None = None
        for address in host_addresses:
            try:
                connection = connect(address, port, seconds)
            except OSError as error:
                problem = error
            else:
                self.private = self.private and not is_public(address)
                self._remember(connection)
                return connection
        raise problem or RefusedError(f"{host} has no address")

    def check_behind_proxy(self, host: str) -> None:
        """Check a host to which a proxy connects: after a redirect, and if it can be looked up here at all."""
        if not self.private:
            with suppress(OSError):  # often only the proxy can
                self.check(host, addresses(host, 0))
        self.private = False

    def _remember(self, connection: socket.socket) -> None:
        # A copy, since TLS takes the socket over.
        handle = socket.socket(connection.family, connection.type, fileno=os.dup(connection.fileno()))
        with self._lock:
            self._handles.append(handle)
        if self._ended:  # nobody waits for this one any more
            self.end()

    def end(self) -> None:
        """Cut all connections, so that a thread that waits for a server goes on and ends."""
        with self._lock:
            self._ended = True
            for handle in self._handles:
                with suppress(OSError):  # closed already
                    handle.shutdown(socket.SHUT_RDWR)
                handle.close()
            self._handles.clear()


class _Opener(HTTPHandler, HTTPSHandler):
    """Opens connections by a route."""

    def __init__(self, route: Route) -> None:
        HTTPSHandler.__init__(self)
        self._route = route

    def http_open(self, req: Request) -> HTTPResponse:
        return self._open(HTTPConnection, req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self._open(partial(HTTPSConnection, context=self._context), req)  # type: ignore[attr-defined]

    def _open(self, kind: Callable[..., HTTPConnection], request: Request) -> HTTPResponse:
        _check_url(request.full_url)
        # Not by its host, which urllib decodes: `127%2e0.0.1` would seem to be the host of a proxy.
        proxied = request.has_proxy() or getattr(request, "_tunnel_host", None)
        if proxied:
            self._route.check_behind_proxy(urlsplit(request.full_url).hostname or "")

        def connection(*arguments: Any, **options: Any) -> HTTPConnection:
            made = kind(*arguments, **options)
            if not proxied:
                made._create_connection = self._route.opened  # type: ignore[attr-defined]
            return made

        return self.do_open(connection, request)


def _check_url(url: str) -> None:
    """Raise an error for a URL that says something else than where the page is."""
    host = urlsplit(url).netloc
    if "@" in host or "\\" in host:
        raise RefusedError("the URL has a user name or a password; expected one without")
    if "%" in host and not host.startswith("["):
        raise RefusedError("the host has an escaped character; expected a name or an address")


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to http and https only; those to which hosts is for the route to say."""

    def http_error_302(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage) -> Any:
        fp.close()  # before urllib reads what the server sends with it, which may be endless
        scheme = urlsplit(headers.get("Location") or headers.get("URI") or "").scheme.lower()
        if scheme not in ("", "http", "https"):
            raise RefusedError(f"redirected to {scheme}; expected http or https")
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302
