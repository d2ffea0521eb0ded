"""Metadata: what a page says about itself, and where it says so. docs/metadata.md lists the sources of each field."""

from dataclasses import dataclass, field
from typing import Any

from dehusk.fast_spans import joined
from dehusk.metadata.authors import authors_of
from dehusk.metadata.claims import Claims
from dehusk.metadata.language import LENGTHS, language_of
from dehusk.metadata.other_fields import address_of, description_of, image_of, licence_of, tags_of
from dehusk.metadata.publication_dates import dates_of
from dehusk.page import Page, Span
from dehusk.page.address import Addresses

__all__ = ["Metadata", "read", "read_kept"]


@dataclass(frozen=True, slots=True)
class Metadata:
    """Facts about a page; None or empty if the page does not say.

    >>> import dehusk
    >>> html = "<title>Rain - The News</title><h1>Rain</h1><p>By Ann Example, 2 May 2024<p>It rained."
    >>> metadata = dehusk.extract(html, method="alltext").metadata
    >>> metadata.title, metadata.authors, metadata.published, metadata.origin["published"]
    ('Rain', ('Ann Example',), '2024-05-02', 'text')
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None  # ISO 8601: a date, with the time if the page gives one
    modified: str | None = None
    site: str | None = None
    description: str | None = None
    url: str | None = None  # the canonical address, absolute
    image: str | None = None  # absolute
    language: str | None = None  # ISO 639-1 if it has such a code
    language_confidence: float | None = None
    kind: str | None = None  # of page, according to the method
    licence: str | None = None
    tags: tuple[str, ...] = ()
    origin: dict[str, str] = field(default_factory=dict)  # of each field above that is filled: where it was found


def read_kept(page: Page, spans: list[Span], kind: str | None = None) -> Metadata:
    """Return the metadata of a page of whose text the `spans` were kept; only the first lines of these are read.

    >>> page = Page.from_html("<h1>Rain</h1><p>By Ann Example<p>It rained on Monday and it rained on Tuesday.")
    >>> read_kept(page, [(20, len(page.text))]).authors
    ('Ann Example',)
    """
    return from_claims(claims_kept(page, spans, kind))


def claims_kept(page: Page, spans: list[Span], kind: str | None) -> Claims:
    """Return what `read_kept` reads, for those who need the claims too."""
    count = length = 0
    while count < len(spans) and length < LENGTHS[-1]:
        length += spans[count][1] - spans[count][0]
        count += 1
    text = joined(page.text, spans[:count])
    # The first line must be complete, since it is looked up in the page.
    return Claims(page, text if "\n" in text else joined(page.text, spans), kind)


def read(page: Page, text: str, kind: str | None = None, *, language: bool = True) -> Metadata:
    """Return the metadata of a page; `text` is its kept text, `kind` the kind of page.

    Without `language` that field stays empty and the detector is not loaded.

    >>> page = Page.from_html("<title>Rain - The News</title><h1>Rain</h1><p>By Ann Example, 2 May 2024<p>It rained.")
    >>> metadata = read(page, page.text, language=False)
    >>> metadata.title, metadata.authors, metadata.published, metadata.origin["authors"]
    ('Rain', ('Ann Example',), '2024-05-02', 'byline')
    """
    return from_claims(Claims(page, text, kind), language=language)


def from_claims(claims: Claims, *, language: bool = True) -> Metadata:
    """Return the metadata that follows from the claims of a page."""
    addresses, kind = Addresses(claims.page), claims.kind
    dates = dates_of(claims)
    detected = language_of(claims.text, claims.languages) if language else None
    fields = {
        "title": (claims.title.text, claims.title.origin) if claims.title else None,
        "authors": authors_of(claims),
        "published": dates.published,
        "modified": dates.modified,
        "site": claims.site,
        "description": description_of(claims),
        "url": address_of(claims, addresses),
        "image": image_of(claims, addresses),
        "language": (detected.code, detected.origin) if detected else None,
        "language_confidence": (detected.confidence, detected.origin) if detected and detected.code else None,
        "kind": (kind, "method"),
        "licence": licence_of(claims, addresses),
        "tags": tags_of(claims),
    }
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name, claim in fields.items():
        if claim and claim[0]:
            values[name], origins[name] = claim
    return Metadata(**values, origin=origins)
