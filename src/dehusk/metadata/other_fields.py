"""The other fields: description, address, image, licence and tags of a page."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dehusk.metadata import meta_names
from dehusk.metadata.claims import NO_CLAIM, Claim, Claims, link_text
from dehusk.metadata.fast_clean_text import INVISIBLE, clean_line, folded
from dehusk.page.address import Addresses

MAX_TAGS: Final = 50
MAX_TAG_LENGTH: Final = 80  # characters; longer ones are sentences
ABSOLUTE: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
COMMA: Final = re.compile(r"(?<!\s)\s*[,;|、،]\s*")


def description_of(claims: Claims) -> Claim:
    """Return the page's description of itself."""
    descriptions = claims.meta(meta_names.DESCRIPTION)
    return descriptions[0] if descriptions else (claims.json_ld.string("description"), "json-ld")


def address_of(claims: Claims, addresses: Addresses) -> Claim:
    """Return the page's canonical address, or the one it was fetched from."""
    stated = [
        *((address, "rel") for address in claims.markup.links.get("canonical", ())),
        *((address, "opengraph") for address in claims.markup.meta.get(meta_names.ADDRESS, ())),
        (claims.json_ld.address("mainEntityOfPage"), "json-ld"),
        (claims.json_ld.address("url"), "json-ld"),
    ]
    return _first_address([*stated, (claims.page.url or "", "page")], addresses)


def image_of(claims: Claims, addresses: Addresses) -> Claim:
    """Return the address of the page's main image."""
    return _first_address(_images(claims), addresses)


def _images(claims: Claims) -> Iterator[Claim]:
    yield from claims.meta(meta_names.IMAGE)
    yield claims.json_ld.address("image"), "json-ld"
    for address in claims.markup.links.get("image_src", ()):
        yield address, "rel"


def licence_of(claims: Claims, addresses: Addresses) -> Claim:
    """Return the address of the licence, or its text if it has none."""
    licence = _first_address(_licences(claims), addresses)
    return licence if licence[0] else (claims.meta(meta_names.LICENCE) or [NO_CLAIM])[0]


def _licences(claims: Claims) -> Iterator[Claim]:
    for address in claims.markup.links.get("license", ()):
        yield address, "rel"
    yield claims.json_ld.address("license"), "json-ld"
    for link in claims.markup.links_with_rel("license"):
        yield link.attr("href") or "", "rel"


def tags_of(claims: Claims) -> tuple[tuple[str, ...], str]:
    """Return the tags of the page, from the first source that has any."""
    for values, origin in _tag_sources(claims):
        if tags := _distinct_tags(values):
            return tags, origin
    return (), ""


def _tag_sources(claims: Claims) -> Iterator[tuple[Iterable[str], str]]:
    yield claims.json_ld.strings("keywords"), "json-ld"
    meta = claims.markup.meta
    for name in filter(meta.__contains__, meta_names.KEYWORDS):
        yield meta[name], meta_names.KEYWORDS[name]
    yield map(link_text, claims.markup.links_with_rel("tag")), "rel"


def _distinct_tags(values: Iterable[str]) -> tuple[str, ...]:
    tags: dict[str, str] = {}
    for value in values:
        for tag in COMMA.split(clean_line(value)):
            if (name := folded(tag)) and len(tag) <= MAX_TAG_LENGTH:
                tags.setdefault(name, tag.strip("# "))
            if len(tags) == MAX_TAGS:
                return tuple(tags.values())
    return tuple(tags.values())


def _first_address(claims: Iterable[Claim], addresses: Addresses) -> Claim:
    """Return the first claim that is an address, made absolute; without a base, relative claims are skipped."""
    for claim, origin in claims:
        if claim and (absolute := addresses.absolute(claim)) and ABSOLUTE.match(absolute):
            if not absolute.isprintable() or " " in absolute:  # browsers escape blanks and drop control characters
                absolute = "%20".join(INVISIBLE.sub("", absolute).split())
            return absolute, origin
    return NO_CLAIM
