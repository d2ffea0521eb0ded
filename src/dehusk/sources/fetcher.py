"""The fetcher: pages from the web, within limits on time and size."""

import threading
import time
import zlib
from http.client import HTTPException, HTTPResponse
from queue import Empty, SimpleQueue
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from dehusk.config import Limits
from dehusk.sources.raw_page import RawPage

DOWNLOAD_SECONDS: Final = 30.0
CHUNK: Final = 65_536
HEADERS: Final = {
    "User-Agent": "dehusk (extraction of main text)",
    "Accept": "text/html, */*",
    "Accept-Encoding": "gzip",
}


def fetch(url: str, limits: Limits, seconds: float = DOWNLOAD_SECONDS) -> RawPage:
    """Fetch a page, within a limit on the total time and on the size."""
    # In a thread that can be abandoned: neither the lookup of the host nor a server that sends its header byte by byte
    # can be stopped from outside, and the timeout of a socket starts again with each byte.
    box: SimpleQueue[RawPage] = SimpleQueue()
    threading.Thread(target=lambda: box.put(_response(url, limits, seconds)), daemon=True).start()
    try:
        return box.get(timeout=seconds)
    except Empty:
        return RawPage(url, url=url, problem=f"took longer than {seconds:g} s")


def _response(url: str, limits: Limits, seconds: float) -> RawPage:
    deadline = time.monotonic() + seconds
    try:
        with urlopen(Request(_in_ascii(url), headers=HEADERS), timeout=seconds) as response:
            data = _body(response, limits.bytes, deadline)
            return RawPage(url, data, response.url, response.headers.get_content_charset())
    except HTTPError as error:
        error.close()  # it is a response too, and holds the connection
        problem = f"the server answered {error.code} {error.reason}"
    except TimeoutError:
        problem = f"took longer than {seconds:g} s"
    except URLError as error:
        problem = f"cannot be fetched: {getattr(error.reason, 'strerror', None) or error.reason}"
    except (OSError, HTTPException, ValueError, zlib.error) as error:
        problem = f"cannot be fetched: {getattr(error, 'strerror', None) or error or type(error).__name__}"
    return RawPage(url, url=url, problem=problem)


def _body(response: HTTPResponse, limit: int, deadline: float) -> bytes:
    """Return what the server sends, up to one byte more than the limit, which is enough to have it refused."""
    packed = response.headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip", "deflate")
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32) if packed else None  # 32: with the header of gzip or of zlib
    data, read = bytearray(), 0
    while len(data) <= limit and (chunk := response.read1(CHUNK)):
        read += len(chunk)
        data += unpack.decompress(chunk, limit + 1) if unpack else chunk
        if time.monotonic() > deadline:
            raise TimeoutError
    promised = int(response.headers.get("Content-Length") or read)
    if len(data) <= limit and (read < promised or (unpack and read and not unpack.eof)):
        raise HTTPException(f"the answer broke off after {read:,} of {promised:,} bytes")
    return bytes(data[: limit + 1])


def _in_ascii(url: str) -> str:
    """Return a URL as it is sent: people paste URLs as browsers show them.

    >>> _in_ascii("https://bücher.example/straße?q=a b")
    'https://xn--bcher-kva.example/stra%C3%9Fe?q=a%20b'
    """
    parts = urlsplit(url)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode("ascii")
    path, query = (quote(part, safe="%/:=&?~+!$,;'@()*[]") for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme, host, path, query, ""))
