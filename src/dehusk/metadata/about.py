"""About: what a page is part of and how it may be used: description, address, image, licence, tags."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dehusk.metadata import vocabulary
from dehusk.metadata.clean_text import folded, line
from dehusk.metadata.fast_clean_text import UNSEEN
from dehusk.metadata.said import Said
from dehusk.metadata.tags import text_of
from dehusk.page.address import Addresses

Found = tuple[str, str]
NOTHING: Final[Found] = ("", "")
MOST_TAGS: Final = 50
LONGEST_TAG: Final = 80  # characters; longer ones are sentences
COMMA: Final = re.compile(r"\s*[,;|、،]\s*")


def description_of(said: Said) -> Found:
    """Return what the page says it is about."""
    found = said.meta(vocabulary.DESCRIPTION)
    return found[0] if found else (said.linked.string("description"), "json-ld")


def address_of(said: Said, addresses: Addresses) -> Found:
    """Return the address under which the page wants to be known, in full."""
    found = _absolute(_own_addresses(said), addresses)
    return found if found[0] else (_plain(said.page.url or ""), "page")


def _own_addresses(said: Said) -> Iterator[Found]:
    for address in said.tags.links.get("canonical", ()):
        yield address, "rel"
    for address in said.tags.meta.get(vocabulary.ADDRESS, ()):
        yield address, "opengraph"
    yield said.linked.address("mainEntityOfPage"), "json-ld"
    yield said.linked.address("url"), "json-ld"


def image_of(said: Said, addresses: Addresses) -> Found:
    """Return the address of the picture that stands for the page."""
    return _absolute(_images(said), addresses)


def _images(said: Said) -> Iterator[Found]:
    yield from said.meta(vocabulary.IMAGE)
    yield said.linked.address("image"), "json-ld"
    for address in said.tags.links.get("image_src", ()):
        yield address, "rel"


def licence_of(said: Said, addresses: Addresses) -> Found:
    """Return the address of the licence, or its words where there is none."""
    found = _absolute(_licences(said), addresses)
    return found if found[0] else (said.meta(vocabulary.LICENCE) or [NOTHING])[0]


def _licences(said: Said) -> Iterator[Found]:
    for address in said.tags.links.get("license", ()):
        yield address, "rel"
    yield said.linked.address("license"), "json-ld"
    for link in said.tags.related("license"):
        yield link.attr("href") or "", "rel"


def tags_of(said: Said) -> tuple[tuple[str, ...], str]:
    """Return the tags of the page, from the first source that has any."""
    for found, origin in _tags(said):
        if tags := _distinct(found):
            return tags, origin
    return (), ""


def _tags(said: Said) -> Iterator[tuple[Iterable[str], str]]:
    yield said.linked.strings("keywords"), "json-ld"
    told = said.tags.meta
    for name in filter(told.__contains__, vocabulary.KEYWORDS):
        yield told[name], vocabulary.KEYWORDS[name]
    yield (text_of(link) for link in said.tags.related("tag")), "rel"


def _distinct(claims: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for claim in claims:
        for tag in COMMA.split(line(claim)):
            if (name := folded(tag)) and len(tag) <= LONGEST_TAG:
                found.setdefault(name, tag.strip("# "))
            if len(found) == MOST_TAGS:
                return tuple(found.values())
    return tuple(found.values())


def _absolute(claims: Iterable[Found], addresses: Addresses) -> Found:
    """Return the first claim that is an address, in full."""
    for claim, origin in claims:
        if claim and (found := addresses.absolute(claim)):
            return _plain(found), origin
    return NOTHING


def _plain(address: str) -> str:
    """Return an address as browsers would send it as far as blanks and control characters go."""
    return address if address.isprintable() and " " not in address else "%20".join(UNSEEN.sub("", address).split())
