"""The address of an image, however the page delays loading it."""

import re
from collections.abc import Iterator
from typing import Any, Final

from dehusk.page.address import Addresses

LAZY_ATTRIBUTES: Final = ("data-src", "data-lazy-src", "data-original")
SRCSET_ATTRIBUTES: Final = ("srcset", "data-srcset", "data-lazy-srcset")
MAX_SRCSET_LENGTH: Final = 20_000  # characters
# What is in `src` until a script puts the image there.
PLACEHOLDER: Final = re.compile(
    r"(?:blank|spacer|pixel|placeholder|transparent|loading|lazy|empty|1x1)[\w.-]{0,40}\.(?:gif|png|svg|jpe?g|webp)",
    re.I,
)
TRACKING_PIXEL_SIZES: Final = frozenset({"0", "1"})
SCHEMES: Final = ("http:", "https:")


class ImageAddresses:
    """The addresses of a page's images."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._in_pictures: dict[Any, str] = {}  # a `picture` may hold any number of images that share its sources

    def of(self, node: Any) -> str:
        """Return the absolute address of an image, "" for placeholders and tracking pixels."""
        if node.attr("width") in TRACKING_PIXEL_SIZES or node.attr("height") in TRACKING_PIXEL_SIZES:
            return ""
        address = self._first(_own_candidates(node))
        if address or getattr(node.parent, "tag", "") != "picture":
            return address
        picture = node.parent
        if picture not in self._in_pictures:
            self._in_pictures[picture] = self._first(_source_candidates(picture))
        return self._in_pictures[picture]

    def _first(self, candidates: Iterator[str | None]) -> str:
        """Return the first address that is that of an image on the web, "" if none is."""
        for candidate in candidates:
            address = self._addresses.absolute(candidate) if candidate else None
            if not address or PLACEHOLDER.search(address):
                continue
            if address.startswith(SCHEMES) or ":" not in address.partition("/")[0]:
                return address
        return ""


def _own_candidates(node: Any) -> Iterator[str | None]:
    """Yield the addresses that an image gives for itself, the best first."""
    for name in SRCSET_ATTRIBUTES:
        yield largest(node.attr(name))
    for name in LAZY_ATTRIBUTES:
        yield node.attr(name)
    yield node.attr("src")


def _source_candidates(picture: Any) -> Iterator[str | None]:
    """Yield the addresses that the sources of a `picture` give."""
    for child in picture.children:
        if getattr(child, "tag", "") == "source":
            yield largest(child.attr("srcset"))
            yield largest(child.attr("data-srcset"))


def largest(srcset: str | None) -> str | None:
    """Return the address of the largest image in a `srcset`.

    >>> largest("a.jpg 480w, b,c.jpg 1024w, d.jpg 2x"), largest("one.jpg, two.jpg 2x"), largest("")
    ('b,c.jpg', 'two.jpg', None)
    """
    if not srcset:
        return None
    best, best_size = None, -1.0
    address: str | None = None
    size = 1.0
    for word in [*srcset[:MAX_SRCSET_LENGTH].split(), ","]:
        part = word.rstrip(",")
        if address is None:
            address, size = part or None, 1.0
        elif part:
            size = _size(part)
        if word.endswith(",") and address is not None:
            best, best_size = (address, size) if size > best_size else (best, best_size)
            address = None
    return best


def _size(descriptor: str) -> float:
    try:
        return min(float(descriptor[:-1]), 1e6) if descriptor[-1] in "wxh" else 1.0
    except ValueError:
        return 1.0
