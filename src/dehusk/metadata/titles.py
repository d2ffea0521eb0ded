"""Titles: what a piece is called, without the name of the site."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from dehusk.metadata.clean_text import folded, line
from dehusk.page.fast_scan import places_of, texts_below

if TYPE_CHECKING:
    from dehusk.page import Page

SEPARATOR: Final = re.compile(r" ?[|»«]+ ?| (?:[-–—·•:~/>]|::) ")  # of a line, whose white space is single
HEADINGS: Final = frozenset({"h1"})
MOST_HEADINGS: Final = 20  # h1 elements that are looked at
ENDS: Final = "¶#§ "  # what documentation puts after its headings, to link to them
# Swept on the half of the sites that rules were chosen on: docs/metadata.md.
INSIDE: Final = 0.5  # share of a claimed title from which on a heading within it is the title itself
LEAST: Final = 3  # words of a title that something may be cut off from
SHORT: Final = 5  # words of what may be cut off
ALIKE: Final = 0.1  # share of words that a heading must have in common with a claimed title that it differs from


class Heading(NamedTuple):
    """An `h1` and the leaf that it begins with."""

    text: str
    leaf: int


class Title(NamedTuple):
    """A title, where it was found, and the leaf where readers see it, or -1."""

    text: str
    origin: str
    leaf: int = -1


def headings(page: "Page") -> list[Heading]:
    """Return the headings of the first level that have text.

    >>> from dehusk.page import Page
    >>> headings(Page.from_html("<p>News<h1>A <i>title</i></h1>"))
    [Heading(text='A title', leaf=1)]
    """
    found: list[Heading] = []
    elements, leaves = page.elements, page.leaves
    # The tree knows how many there are; looking for one more would run to the end of the page.
    most = min(len(page.tree.select("h1")), MOST_HEADINGS) if page.tree else 0
    places = places_of(elements.tag, HEADINGS, 0, len(elements), most)
    columns = (leaves.start, leaves.end, leaves.element, leaves.opened)
    for shown, leaf in texts_below(page.text, places, elements.parent, *columns) if places else ():
        text = line(shown, shown=True).rstrip(ENDS)
        if folded(text):
            found.append(Heading(text, leaf))
    return found


def without_site(title: str, sites: Iterable[str]) -> str:
    """Return a title without the name of the site at its end or start; `sites` are the names it goes by, folded.

    What stands last and is short is taken for the site's name too, since few pages tell it elsewhere.

    >>> without_site("A title - with a dash | Example News", {"examplenews"}), without_site("Home | Example", set())
    ('A title - with a dash', 'Home | Example')
    """
    parts = list(SEPARATOR.finditer(title))
    if not parts:
        return title
    start, end = title[: parts[-1].start()], title[parts[-1].end() :]
    if is_site(end, sites):
        return start
    if is_site(title[: parts[0].start()], sites):
        return title[parts[0].end() :]
    return start if len(start.split()) >= LEAST and len(end.split()) <= SHORT and len(end) < len(start) else title


def is_site(part: str, sites: Iterable[str]) -> bool:
    """Whether a part of a title is one of the site's names, or one of the two lies within the other."""
    name = folded(part)
    return any(name == site or (min(len(name), len(site)) > 3 and (name in site or site in name)) for site in sites)


def title_of(page: "Page", claims: list[Title], sites: Collection[str], text: str, *, sells: bool) -> Title | None:
    """Return the title, out of what the head claims, the most trusted first, and the headings.

    A heading that says what a claim says is the title. One that says something else is believed as long as it has
    words in common with the claim, but not on pages that sell something (`sells`), which have slogans for headings.
    `text` is what was kept of the page: its start is where a title is that no line repeats.
    """
    claims = _distinct(claims)
    every = [heading for heading in headings(page) if folded(heading.text) not in sites]
    # A dash may belong to a title, a bar never does.
    whole = {folded(claim.text) for claim in claims if "|" not in claim.text}
    chosen, found = _equal(whole, every), every
    if chosen is None:
        books = _books(claims, every, sites)
        sites = {*sites, *books}
        found = [heading for heading in every if folded(heading.text) not in books] if books else every
        claims = [Title(without_site(claim.text, sites), claim.origin) for claim in claims]
        chosen = _chosen(claims, found, sells=sells)
    return chosen if chosen is None or chosen.leaf >= 0 else chosen._replace(leaf=_place(page, chosen, found, text))


def _distinct(claims: list[Title]) -> list[Title]:
    """Return the claims that say anything; the same words claimed again say no more."""
    found: dict[str, Title] = {}
    for claim in claims:
        if folded(claim.text):
            found.setdefault(claim.text, claim)
    return list(found.values())


def _books(claims: list[Title], every: list[Heading], sites: Collection[str]) -> set[str]:
    """Return headings that only stand last in claims: the name of the site, or of the book that the page is from."""
    names = {folded(heading.text) for heading in every} - {folded(claim.text) for claim in claims}
    books = set()
    for claim in claims if names else ():
        parts = SEPARATOR.split(claim.text)
        if len(parts) > 1 and not is_site(parts[0], sites):
            books.add(folded(parts[-1]))
    return names & books


def _chosen(claims: list[Title], found: list[Heading], *, sells: bool) -> Title | None:
    if not claims or not found:
        return claims[0] if claims else _heading(found[0]) if found else None
    return (
        _equal({folded(claim.text) for claim in claims}, found)
        or _within(claims, found)
        or _round(claims, found)
        or (claims[0] if sells or not _alike(claims[0].text, found[0].text) else _heading(found[0]))
    )


def _place(page: "Page", title: Title, found: list[Heading], text: str) -> int:
    """Return the leaf where a title stands that no heading has: where its words are, or where the kept text begins."""
    place = page.text.find(title.text)
    if place < 0 and text:
        place = page.text.find(text.partition("\n")[0])
    if place < 0:
        return found[0].leaf if found else 0
    return bisect_right(page.leaves.start, place) - 1


def _heading(heading: Heading) -> Title:
    return Title(heading.text, "heading", heading.leaf)


def _equal(names: set[str], found: list[Heading]) -> Title | None:
    return next((_heading(heading) for heading in found if folded(heading.text) in names), None)


def _within(claims: list[Title], found: list[Heading]) -> Title | None:
    """Return the longest heading that a claim holds: as a part that is not the last one, the site, or as most of it."""
    held = [(folded(claim.text), [folded(part) for part in SEPARATOR.split(claim.text)]) for claim in claims]
    for heading in sorted(found, key=lambda heading: -len(heading.text)):
        name = folded(heading.text)
        for whole, parts in held:
            if name in parts[: max(len(parts) - 1, 1)]:
                return _heading(heading)
            if name in whole and name not in parts and len(name) >= INSIDE * len(whole):
                return _heading(heading)
    return None


def _round(claims: list[Title], found: list[Heading]) -> Title | None:
    """Return a claim that a heading holds, with a number of comments or a date beside it."""
    for heading in found:
        name = folded(heading.text)
        for claim in claims:
            if folded(claim.text) in name and 2 * len(folded(claim.text)) > len(name):
                return Title(claim.text, claim.origin, heading.leaf)
    return None


def _alike(one: str, other: str) -> bool:
    left, right = set(one.casefold().split()), set(other.casefold().split())
    return len(left & right) >= ALIKE * len(left | right)
