"""Addresses: what a link on a page points at, absolute and safe to follow."""

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from dehusk.page import Page

# Whoever clicks on a link of these expects to go somewhere; all others run something or hold what they point at.
FOLLOWED: Final = frozenset({"", "http", "https", "ftp", "mailto", "tel"})
# Browsers drop line ends and tabs from an address wherever they stand, so "java\nscript:" would run; the other
# characters here may not stand in one, and are written by their numbers.
UNFIT: Final = re.compile(r"""[\x00-\x20"<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})|[][]|#.*#""", re.DOTALL)
# One class of characters is searched for many times faster, and most addresses have none of these.
SUSPECT: Final = re.compile(r"""[\x00-\x20"<>\\^`{|}\x7f%\[\]#]""")
LONE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
HOST: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", re.IGNORECASE)
FIT: Final = {
    **{code: f"%{code:02X}" for code in (*range(0x21), 0x7F, *map(ord, '"<>\\^`{|}'))},
    **dict.fromkeys(map(ord, "\t\n\r")),
}
WHOLE: Final = ("https://", "http://")
ROOT: Final = re.compile(r"https?://[a-z0-9.-]+(?::\d+)?(?=/|$)")
LONGEST: Final = 4096  # characters; longer ones carry data, not a place


class Addresses:
    """Resolves a page's links by its `base` element and its own address.

    >>> from dehusk.page import Page
    >>> addresses = Addresses(Page.from_html("<base href=/en/><a href=x>", url="https://example.org/a/b"))
    >>> addresses.absolute(" x#y "), addresses.absolute("javascript:alert(1)")
    ('https://example.org/en/x#y', None)
    """

    def __init__(self, page: "Page") -> None:
        self.base, self._root = _fit(page.url) if page.url else "", ""
        found = page.tree.select_one("base[href]") if page.tree else None
        if found is not None:
            self.base = self.absolute(found.attr("href") or "") or self.base
        if whole := ROOT.match(self.base):
            self._root = whole[0]

    def absolute(self, address: str | None) -> str | None:
        """Return the address in full as far as that is known; None for what is no place to go to."""
        if address is None:
            return None
        address = address.strip()
        if SUSPECT.search(address) and UNFIT.search(address):
            address = _fit(address)
        if not address or len(address) > LONGEST:
            return None
        # Most links are of these two sorts, and to take them apart and put them together would bring the same back.
        if "/." not in address and "[" not in address:
            if address.startswith(WHOLE) and ":" not in address[8:]:  # else what stands there may be no port
                return address
            if self._root and address[0] == "/" and not address.startswith("//"):
                return self._root + address
        try:
            whole = urljoin(self.base, address)
            parts = urlsplit(whole)
            return whole if parts.scheme.lower() in FOLLOWED and parts.port != 0 else None
        except ValueError:  # brackets that are no IPv6 address, a port that is none
            return None


def _fit(address: str) -> str:
    """Return an address with what may not stand in one written by its number; brackets may round a host alone."""
    address = LONE.sub("%25", address.strip().translate(FIT))
    host = HOST.match(address)
    edge = host.end() if host else 0
    place, mark, fragment = address[edge:].replace("[", "%5B").replace("]", "%5D").partition("#")
    return address[:edge] + place + mark + fragment.replace("#", "%23")
