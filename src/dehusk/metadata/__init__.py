"""Metadata: what a page says about itself, and where it says so. docs/metadata.md gives the order of trust."""

from dataclasses import dataclass, field
from typing import Any

from dehusk.fast_spans import joined
from dehusk.metadata.about import address_of, description_of, image_of, licence_of, tags_of
from dehusk.metadata.language import LENGTHS, language_of
from dehusk.metadata.said import Said
from dehusk.metadata.when import dates_of
from dehusk.metadata.who import authors_of
from dehusk.page import Page, Span
from dehusk.page.address import Addresses

__all__ = ["Metadata", "read", "read_kept"]


@dataclass(frozen=True, slots=True)
class Metadata:
    """Facts about a page; None or empty where the page does not tell."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None  # ISO 8601: a date, or a date and time where the page gives one
    modified: str | None = None
    site: str | None = None
    description: str | None = None
    url: str | None = None  # the canonical address, absolute
    image: str | None = None  # absolute
    language: str | None = None  # ISO 639-1 where there is one
    language_confidence: float | None = None
    kind: str | None = None  # what the method took the page for
    licence: str | None = None
    tags: tuple[str, ...] = ()
    origin: dict[str, str] = field(default_factory=dict)  # of each field above that is filled: where it was found


def read_kept(page: Page, spans: list[Span], kind: str | None = None) -> Metadata:
    """Return what `page` tells about itself; `spans` of its text were kept, of which only the first lines are read.

    >>> page = Page.from_html("<h1>Rain</h1><p>By Ann Example<p>It rained on Monday and it rained on Tuesday.")
    >>> read_kept(page, [(20, len(page.text))]).authors
    ('Ann Example',)
    """
    count = length = 0
    while count < len(spans) and length < LENGTHS[-1]:
        length += spans[count][1] - spans[count][0]
        count += 1
    text = joined(page.text, spans[:count])
    # The first line has to be whole, as it is looked for on the page.
    return read(page, text if "\n" in text else joined(page.text, spans), kind)


def read(page: Page, text: str, kind: str | None = None, *, language: bool = True) -> Metadata:
    """Return what `page` tells about itself; its language is that of `text`, the part that was kept.

    Without `language` the detector is neither loaded nor run, and the page's own word is not taken either.

    >>> page = Page.from_html("<title>Rain - The News</title><h1>Rain</h1><p>By Ann Example, 2 May 2024<p>It rained.")
    >>> found = read(page, page.text, language=False)
    >>> found.title, found.authors, found.published, found.origin["authors"]
    ('Rain', ('Ann Example',), '2024-05-02', 'byline')
    """
    said, addresses = Said(page, text, kind), Addresses(page)
    dates = dates_of(said)
    spoken = language_of(text, said.languages) if language else None
    found = {
        "title": (said.title.text, said.title.origin) if said.title else None,
        "authors": authors_of(said),
        "published": dates.published,
        "modified": dates.modified,
        "site": said.site,
        "description": description_of(said),
        "url": address_of(said, addresses),
        "image": image_of(said, addresses),
        "language": (spoken.code, spoken.origin) if spoken else None,
        "language_confidence": (spoken.confidence, spoken.origin) if spoken and spoken.code else None,
        "kind": (kind, "method"),
        "licence": licence_of(said, addresses),
        "tags": tags_of(said),
    }
    facts: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name, fact in found.items():
        if fact and fact[0]:
            facts[name], origins[name] = fact
    return Metadata(**facts, origin=origins)
