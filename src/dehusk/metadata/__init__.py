"""Metadata: what a page says about itself, and where it says so."""

from dataclasses import dataclass, field

from dehusk.page import Page


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


def read(page: Page, text: str, kind: str | None = None) -> Metadata:
    """Return what `page` tells about itself; its language is that of `text`, the part that was kept."""
    return Metadata(kind=kind, origin={"kind": "method"} if kind else {})
