"""The fetcher: pages from the web, within limits on time and size, and by default never from a private network.

Every request, also one that follows a redirect, looks up its host once, checks all its addresses and connects to one.
"""

import threading
import time
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit
from urllib.request import Request

from dehusk.config import Limits
from dehusk.reasons import Code, Reason
from dehusk.sources.fetcher.body import read_body
from dehusk.sources.fetcher.connections import Route
from dehusk.sources.raw_page import RawPage

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
    private: bool = False
    # Whether to use the proxies that the environment names. A proxy looks up the host again, so that the address that
    # was checked may not be the one that it connects to.
    proxies: bool = True


USUAL: Final = Policy()


def fetch(url: str, limits: Limits, policy: Policy = USUAL) -> RawPage:
    """Fetch a page; whatever goes wrong is its problem."""
    # In a thread that can be abandoned: neither the lookup of the host nor a server that sends its header byte by byte
    # can be stopped from outside, and the timeout of a socket starts again with each byte.
    box: SimpleQueue[RawPage] = SimpleQueue()
    route = Route(private=policy.private, proxies=policy.proxies)
    thread = threading.Thread(target=lambda: box.put(_page(url, limits, policy, route)), name="fetcher", daemon=True)
    thread.start()
    try:
        page = box.get(timeout=policy.seconds)
        thread.join()  # so that this process has one thread again
    except Empty:
        page = RawPage(url, url=url, problem=Reason(Code.TOO_SLOW, limit=policy.seconds))
    finally:
        route.end()
    return page


def _page(url: str, limits: Limits, policy: Policy, route: Route) -> RawPage:
    deadline = time.monotonic() + policy.seconds
    try:
        with route.opener().open(Request(_in_ascii(url), headers=HEADERS), timeout=policy.seconds) as response:
            data = read_body(response, limits.bytes, deadline)
            kind = response.headers.get("Content-Type", "")
            charset = response.headers.get_content_charset()
            return RawPage(url, data, response.url, charset, content_type=kind, private=route.private)
    except HTTPError as error:
        error.close()  # it is a response too, and holds the connection
        problem = Reason(Code.HTTP_STATUS, str(error.reason), seen=error.code)
    except TimeoutError:
        problem = Reason(Code.TOO_SLOW, limit=policy.seconds)
    except URLError as error:
        problem = Reason(Code.FETCH_FAILED, str(getattr(error.reason, "strerror", None) or error.reason))
    except Exception as error:  # a server, and who wrote the URL, can cause anything
        detail = str(getattr(error, "strerror", None) or error or type(error).__name__)
        problem = Reason(Code.FETCH_FAILED, detail)
    return RawPage(url, url=url, problem=problem)


def _in_ascii(url: str) -> str:
    """Return a URL as it is sent: people paste URLs as browsers show them.

    >>> _in_ascii("https://bücher.example/straße?q=a b")
    'https://xn--bcher-kva.example/stra%C3%9Fe?q=a%20b'
    """
    parts = urlsplit(url)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode("ascii")
    path, query = (quote(part, safe="%/:=&?~+!$,;'@()*[]") for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme, host, path, query, ""))
