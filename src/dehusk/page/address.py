"""Addresses: what a link on a page points at, absolute and safe to follow."""

from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from dehusk.page import Page

# Whoever clicks on a link of these expects to go somewhere; all others run something or hold what they point at.
FOLLOWED: Final = frozenset({"", "http", "https", "ftp", "mailto", "tel"})
# Browsers drop these from an address wherever they stand, so "java\nscript:" would run.
DROPPED: Final = str.maketrans("", "", "\t\n\r")
LONGEST: Final = 4096  # characters; longer ones carry data, not a place


class Addresses:
    """Resolves a page's links by its `base` element and its own address.

    >>> from dehusk.page import Page
    >>> addresses = Addresses(Page.from_html("<base href=/en/><a href=x>", url="https://example.org/a/b"))
    >>> addresses.absolute(" x#y "), addresses.absolute("javascript:alert(1)")
    ('https://example.org/en/x#y', None)
    """

    def __init__(self, page: "Page") -> None:
        self.base = page.url or ""
        found = page.tree.select_one("base[href]") if page.tree else None
        if found is not None:
            self.base = self.absolute(found.attr("href") or "") or self.base

    def absolute(self, address: str | None) -> str | None:
        """Return the address in full as far as that is known; None for what is no place to go to."""
        if address is None:
            return None
        address = address.strip().translate(DROPPED)
        if not address or len(address) > LONGEST:
            return None
        try:
            whole = urljoin(self.base, address)
            return whole if urlsplit(whole).scheme.lower() in FOLLOWED else None
        except ValueError:  # brackets that are no IPv6 address
            return None
