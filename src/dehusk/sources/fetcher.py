"""The fetcher: pages from the web, within limits on time and size, and never by way of a private network.

Every request, also one that follows a redirect, looks up its host once, checks all its addresses and connects to one.
"""

import socket
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue
from typing import IO, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit
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

from dehusk.config import Limits
from dehusk.sources.raw_page import RawPage

CHUNK: Final = 65_536
GZIP: Final = b"\x1f\x8b"
NAT64: Final = IPv6Network("64:ff9b::/96")  # IPv4 addresses as networks without IPv4 write them
HEADERS: Final = {
    "User-Agent": "dehusk (extraction of main text)",
    "Accept": "text/html, */*",
    "Accept-Encoding": "gzip",
}


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be fetched, and for how long. Only http and https are, and ten redirects at most are followed."""

    seconds: float = 30.0  # in total
    # Whether the address itself may be one of a private network, as that of a server of one's own. To a redirect from a
    # public address to such a one, the answer is always no.
    private: bool = True


USUAL: Final = Policy()


def fetch(url: str, limits: Limits, policy: Policy = USUAL) -> RawPage:
    """Fetch a page; whatever goes wrong is its problem."""
    # In a thread that can be abandoned: neither the lookup of the host nor a server that sends its header byte by byte
    # can be stopped from outside, and the timeout of a socket starts again with each byte.
    box: SimpleQueue[RawPage] = SimpleQueue()
    thread = threading.Thread(target=lambda: box.put(_page(url, limits, policy)), daemon=True)
    thread.start()
    try:
        page = box.get(timeout=policy.seconds)
    except Empty:
        return RawPage(url, url=url, problem=f"took longer than {policy.seconds:g} s")
    thread.join()  # so that this process has one thread again
    return page


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet, also if it is an IPv4 address written as IPv6.

    >>> [is_public(each) for each in ("93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False, False]
    """
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if found in NAT64:
            inner = IPv4Address(found.packed[-4:])
        if inner:
            return is_public(str(inner))
        if found.is_site_local:
            return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def addresses(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def connect(address: str, port: int, seconds: float | None) -> socket.socket:
    """Connect to an IP address."""
    return socket.create_connection((address, port), seconds)


class _RefusedError(HTTPException):
    """A request that the policy does not allow."""


class _Route:
    """The way to a page: whether the next request may go to a private network."""

    def __init__(self, policy: Policy) -> None:
        self.private = policy.private

    def check(self, host: str, found: list[str]) -> None:
        """Raise an error for addresses to which the request may not go."""
        refused = [] if self.private else [address for address in found if not is_public(address)]
        if refused:
            raise _RefusedError(f"{host} has the address {refused[0]}, which is not public; expected a public one")

    def opened(self, place: tuple[str, int], seconds: float | None, _source: object = None) -> socket.socket:
        """Connect to a host, in place of `socket.create_connection`."""
        host, port = place
        found = addresses(host, port)
        self.check(host, found)
        problem: OSError | None = None
        for address in found:
            try:
                connection = connect(address, port, seconds)
            except OSError as error:
                problem = error
            else:
                self.private = self.private and not is_public(address)
                return connection
        raise problem or _RefusedError(f"{host} has no address")

    def check_behind_proxy(self, host: str) -> None:
        """Check a host to which a proxy connects: after a redirect, and if it can be looked up here at all."""
        if not self.private:
            with suppress(OSError):  # often only the proxy can
                self.check(host, addresses(host, 0))
        self.private = False


class _Opener(HTTPHandler, HTTPSHandler):
    """Opens connections by a route."""

    def __init__(self, route: _Route) -> None:
        HTTPSHandler.__init__(self)
        self._route = route

    def http_open(self, req: Request) -> HTTPResponse:
        return self._open(HTTPConnection, req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self._open(partial(HTTPSConnection, context=self._context), req)  # type: ignore[attr-defined]

    def _open(self, kind: Callable[..., HTTPConnection], request: Request) -> HTTPResponse:
        target = urlsplit(request.full_url)
        proxied = request.host != target.netloc
        if proxied:
            self._route.check_behind_proxy(target.hostname or "")

        def connection(*arguments: Any, **options: Any) -> HTTPConnection:
            made = kind(*arguments, **options)
            if not proxied:
                made._create_connection = self._route.opened  # type: ignore[attr-defined]
            return made

        return self.do_open(connection, request)


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to http and https only; those to which hosts is for the route to say."""

    def http_error_302(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage) -> Any:
        fp.close()  # before urllib reads what the server sends with it, which may be endless
        scheme = urlsplit(headers.get("Location") or headers.get("URI") or "").scheme.lower()
        if scheme not in ("", "http", "https"):
            raise _RefusedError(f"redirected to {scheme}; expected http or https")
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _page(url: str, limits: Limits, policy: Policy) -> RawPage:
    deadline = time.monotonic() + policy.seconds
    try:
        with _opener(policy).open(Request(_in_ascii(url), headers=HEADERS), timeout=policy.seconds) as response:
            data = _body(response, limits.bytes, deadline)
            return RawPage(url, data, response.url, response.headers.get_content_charset())
    except HTTPError as error:
        error.close()  # it is a response too, and holds the connection
        problem = f"the server answered {error.code} {error.reason}"
    except TimeoutError:
        problem = f"took longer than {policy.seconds:g} s"
    except URLError as error:
        problem = f"cannot be fetched: {getattr(error.reason, 'strerror', None) or error.reason}"
    except Exception as error:  # a server, and who wrote the URL, can cause anything
        problem = f"cannot be fetched: {getattr(error, 'strerror', None) or error or type(error).__name__}"
    return RawPage(url, url=url, problem=problem)


def _opener(policy: Policy) -> OpenerDirector:
    """Return what opens URLs: like urllib's own, but for ftp, files and data, which are left out."""
    opener = OpenerDirector()
    handlers = (ProxyHandler, UnknownHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor, _Redirects)
    for handler in (*(each() for each in handlers), _Opener(_Route(policy))):
        opener.add_handler(handler)
    return opener


def _body(response: HTTPResponse, limit: int, deadline: float) -> bytes:
    """Return what the server sends, up to one byte more than the limit, which is enough to have it refused."""
    packed = response.headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip", "deflate")
    unpack = _Unpacker(limit + 1) if packed else None
    data, read = bytearray(), 0
    while len(data) <= limit and (chunk := response.read1(CHUNK)):
        read += len(chunk)
        data += unpack.decompress(chunk) if unpack else chunk
        if time.monotonic() > deadline:
            raise TimeoutError
    length = response.headers.get("Content-Length") or ""
    promised = int(length) if length.isdecimal() else read
    if len(data) <= limit and (read < promised or (unpack and read and not unpack.complete)):
        raise HTTPException(f"the answer broke off after {read:,} of {promised:,} bytes")
    return bytes(data[: limit + 1])


class _Unpacker:
    """Decompresses gzip, which may consist of several members, or deflate."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._member: Any = None  # None before the first, and where one could begin
        self._packed = b""  # too little to tell whether a member begins
        self.complete = False

    def decompress(self, chunk: bytes) -> bytes:
        """Return what a chunk contains, up to the limit."""
        data, packed = b"", self._packed + chunk
        self._packed = b""
        while packed and len(data) < self._limit:
            if self.complete and len(packed) < len(GZIP):
                self._packed = packed
                break
            if self.complete and not packed.startswith(GZIP):
                break  # padding, which browsers ignore, too
            self._member = self._member or zlib.decompressobj(zlib.MAX_WBITS | 32)  # 32: header of gzip or of zlib
            data += self._member.decompress(packed, self._limit - len(data))
            self.complete, packed = self._member.eof, self._member.unused_data
            if self.complete:
                self._member = None
        return data


def _in_ascii(url: str) -> str:
    """Return a URL as it is sent: people paste URLs as browsers show them.

    >>> _in_ascii("https://bücher.example/straße?q=a b")
    'https://xn--bcher-kva.example/stra%C3%9Fe?q=a%20b'
    """
    parts = urlsplit(url)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode("ascii")
    path, query = (quote(part, safe="%/:=&?~+!$,;'@()*[]") for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme, host, path, query, ""))
