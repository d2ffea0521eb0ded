"""Addresses: the targets of a page's links, absolute and safe to follow."""

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from dehusk.page import Page

# Links with these schemes lead somewhere; all others run code or contain their target.
SAFE_SCHEMES: Final = frozenset({"", "http", "https", "ftp", "mailto", "tel"})
# Browsers remove line ends and tabs anywhere in an address, so "java\nscript:" would run; the other characters here are
# not allowed in one and get escaped.
NOT_ALLOWED: Final = re.compile(r"""[\x00-\x20"<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})|[][]|#.*#""", re.DOTALL)
# A single character class is searched many times faster, and most addresses have none of these.
SUSPECT: Final = re.compile(r"""[\x00-\x20"<>\\^`{|}\x7f%\[\]#]""")
LONE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
HOST: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", re.IGNORECASE)
ESCAPES: Final = {
    **{code: f"%{code:02X}" for code in (*range(0x21), 0x7F, *map(ord, '"<>\\^`{|}'))},
    **dict.fromkeys(map(ord, "\t\n\r")),
}
WEB_SCHEMES: Final = ("https://", "http://")
ROOT: Final = re.compile(r"https?://[a-z0-9.-]+(?::\d+)?(?=/|$)")
MAX_ADDRESS_LENGTH: Final = 4096  # characters; longer addresses contain data


class Addresses:
    """Resolves a page's links by its `base` element and its own address.

    >>> from dehusk.page import Page
    >>> addresses = Addresses(Page.from_html("<base href=/en/><a href=x>", url="https://example.org/a/b"))
    >>> addresses.absolute(" x#y "), addresses.absolute("javascript:alert(1)")
    ('https://example.org/en/x#y', None)
    """

    def __init__(self, page: "Page") -> None:
        self.base, self._root = _escaped(page.url) if page.url else "", ""
        element = page.tree.select_one("base[href]") if page.tree else None
        if element is not None:
            self.base = self.absolute(element.attr("href") or "") or self.base
        if root := ROOT.match(self.base):
            self._root = root[0]

    def absolute(self, address: str | None) -> str | None:
        """Return the address made absolute as far as the page's own is known; None if it is not safe to follow."""
        if address is None:
            return None
        address = address.strip()
        if SUSPECT.search(address) and NOT_ALLOWED.search(address):
            address = _escaped(address)
        if not address or len(address) > MAX_ADDRESS_LENGTH:
            return None
        # Most links are of these two sorts, for which `urljoin` would give the same more slowly.
        if "/." not in address and "[" not in address:
            if address.startswith(WEB_SCHEMES) and ":" not in address[8:]:  # a port has to be checked
                return address
            if self._root and address[0] == "/" and not address.startswith("//"):
                return self._root + address
        try:
            whole = urljoin(self.base, address)
            parts = urlsplit(whole)
            return whole if parts.scheme.lower() in SAFE_SCHEMES and parts.port != 0 else None
        except ValueError:  # brackets without an IPv6 address, an invalid port
            return None


def _escaped(address: str) -> str:
    """Return an address with the characters escaped that are not allowed; brackets are allowed around a host only."""
    address = LONE_PERCENT.sub("%25", address.strip().translate(ESCAPES))
    host = HOST.match(address)
    edge = host.end() if host else 0
    path, mark, fragment = address[edge:].replace("[", "%5B").replace("]", "%5D").partition("#")
    return address[:edge] + path + mark + fragment.replace("#", "%23")
