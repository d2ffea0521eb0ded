"""Titles: the title of a page, without the name of its site."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from dehusk.metadata.fast_clean_text import clean_line, folded
from dehusk.page.fast_scan import element_texts, elements_with_tags

if TYPE_CHECKING:
    from dehusk.page import Page

SEPARATOR: Final = re.compile(r" ?[|»«]+ ?| (?:[-–—·•:~/>]|::) ")  # in a line with single blanks
SEPARATOR_BESIDE_QUOTES: Final = re.compile(r" ?\|+ ?| (?:[-–—·•:~/>]|::) ")
OPENGRAPH_TITLE: Final = 'meta[property="og:title"]'
MAX_HEADINGS: Final = 20
LINK_SIGNS: Final = "¶#§ "  # documentation puts links with these after its headings
# Swept on the half of the sites that the rules were chosen on: research/metadata.md.
MIN_SHARE: Final = 0.5  # of a claimed title; a heading inside it that is longer than this is the title
MIN_TITLE_WORDS: Final = 3  # that must be left when the last part is cut off
MAX_SITE_WORDS: Final = 5  # of a part that is cut off
MIN_COMMON_WORDS: Final = 0.1  # share of words that a heading must have in common with a different claimed title


class PageHeading(NamedTuple):
    """The text of a heading and its first leaf."""

    text: str
    leaf: int


class Title(NamedTuple):
    """A title, its origin, and the leaf where readers see it, or -1."""

    text: str
    origin: str
    leaf: int = -1


def headings(page: "Page", tag: str = "h1") -> list[PageHeading]:
    """Return the headings of a level that have text.

    >>> from dehusk.page import Page
    >>> headings(Page.from_html("<p>News<h1>A <i>title</i></h1>"))
    [PageHeading(text='A title', leaf=1)]
    """
    shown_headings: list[PageHeading] = []
    elements, leaves = page.elements, page.leaves
    if not elements.may_have(tag):
        return shown_headings
    # Not by a selector: what is in `noscript` is not in the tree.
    indices = elements_with_tags(elements.tag, frozenset((tag,)), 0, len(elements), MAX_HEADINGS)
    columns = (leaves.start, leaves.end, leaves.element, leaves.opened)
    for shown, leaf in element_texts(page.text, indices, elements.parent, *columns) if indices else ():
        text = clean_line(shown, keep_tags=True).rstrip(LINK_SIGNS)
        if folded(text):
            shown_headings.append(PageHeading(text, leaf))
    return shown_headings


def repeated_heading(page: "Page") -> PageHeading | None:
    """Return the `h1` that `title` repeats, in front of the name of the site if there is one, or that `og:title` is.

    It is what `choose_title` would return on nearly all pages, without a look at the rest of the head.

    >>> from dehusk.page import Page
    >>> repeated_heading(Page.from_html("<title>All about rain - The News</title><p>News<h1>All about rain</h1>"))
    PageHeading(text='All about rain', leaf=1)
    """
    # What is shorter may be the name of the site.
    candidates = [heading for heading in headings(page) if len(heading.text.split()) >= MIN_TITLE_WORDS]
    if not candidates:
        return None
    title = clean_line(page.title, keep_tags=True)
    parts = separators(title).split(title)
    names = {folded(title), *(folded(part) for part in parts[:-1])}
    repeated = next((heading for heading in candidates if folded(heading.text) in names), None)
    if repeated is None and page.tree is not None and (meta := page.tree.select_one(OPENGRAPH_TITLE)) is not None:
        name = folded(clean_line(meta.attr("content")))
        repeated = next((heading for heading in candidates if folded(heading.text) == name), None)
    return repeated


def separators(title: str) -> "re.Pattern[str]":
    """Return what separates the parts of a title; if it has both « and », these are quotation marks.

    >>> separators("Rain » News").split("Rain » News"), separators("«Rain» | News").split("«Rain» | News")
    (['Rain', 'News'], ['«Rain»', 'News'])
    """
    return SEPARATOR_BESIDE_QUOTES if "«" in title and "»" in title else SEPARATOR


def without_site(title: str, site_names: Iterable[str]) -> str:
    """Return a title without the name of the site at its end or start; `site_names` are folded.

    A short last part counts as the name of the site too, since few pages give it elsewhere.

    >>> without_site("A title - with a dash | Example News", {"examplenews"}), without_site("Home | Example", set())
    ('A title - with a dash', 'Home | Example')
    """
    marks = list(separators(title).finditer(title))
    if not marks:
        return title
    start, end = title[: marks[-1].start()], title[marks[-1].end() :]
    if is_site(end, site_names):
        return start
    if is_site(title[: marks[0].start()], site_names):
        return title[marks[0].end() :]
    is_short = len(end.split()) <= MAX_SITE_WORDS and len(end) < len(start)
    return start if len(start.split()) >= MIN_TITLE_WORDS and is_short else title


def is_site(part: str, site_names: Iterable[str]) -> bool:
    """Return whether a part of a title is a name of the site, or one of the two contains the other."""
    name = folded(part)
    return any(
        name == site or (min(len(name), len(site)) > 3 and (name in site or site in name)) for site in site_names
    )


def choose_title(
    page: "Page", claims: list[Title], site_names: Collection[str], text: str, *, sells: bool
) -> Title | None:
    """Return the title, chosen among the claims of the head, most trusted first, and the headings.

    A heading that equals a claim is the title. A different one is preferred to the claim if they share some words,
    except on pages that sell something (`sells`), whose headings are slogans. `text` is the kept text: if no line of
    the page has the title, its position is where that text starts.
    """
    claims = _distinct(claims)
    every = [heading for heading in headings(page) if folded(heading.text) not in site_names]
    # A dash may belong to a title, a bar never does.
    whole = {folded(claim.text) for claim in claims if "|" not in claim.text}
    chosen, candidates = _equal_heading(whole, every), every
    if chosen is None:
        books = _book_titles(claims, every, site_names)
        site_names = {*site_names, *books}
        candidates = [heading for heading in every if folded(heading.text) not in books] if books else every
        claims = _distinct([Title(without_site(claim.text, site_names), claim.origin) for claim in claims])
        chosen = _compare(claims, candidates, sells=sells)
    if chosen is None or chosen.leaf >= 0:
        return chosen
    return chosen._replace(leaf=_find_leaf(page, chosen, candidates, text))


def _distinct(claims: list[Title]) -> list[Title]:
    """Return the claims that have letters or digits, each text once."""
    distinct: dict[str, Title] = {}
    for claim in claims:
        if folded(claim.text):
            distinct.setdefault(claim.text, claim)
    return list(distinct.values())


def _book_titles(claims: list[Title], every: list[PageHeading], site_names: Collection[str]) -> set[str]:
    """Return headings that are only the last part of claims: the name of the site, or of the book a page is from."""
    names = {folded(heading.text) for heading in every} - {folded(claim.text) for claim in claims}
    books = set()
    for claim in claims if names else ():
        parts = separators(claim.text).split(claim.text)
        if len(parts) > 1 and not is_site(parts[0], site_names):
            books.add(folded(parts[-1]))
    return names & books


def _compare(claims: list[Title], candidates: list[PageHeading], *, sells: bool) -> Title | None:
    """Return the title on which claims and headings agree best."""
    if not claims or not candidates:
        return claims[0] if claims else _from_heading(candidates[0]) if candidates else None
    agreed = (
        _equal_heading({folded(claim.text) for claim in claims}, candidates)
        or _heading_in_claim(claims, candidates)
        or _claim_in_heading(claims, candidates)
    )
    if agreed or sells:
        return agreed or claims[0]
    claim_words, heading_words = (set(each[0].text.casefold().split()) for each in (claims, candidates))
    common = len(claim_words & heading_words)
    alike = common >= MIN_COMMON_WORDS * len(claim_words | heading_words)
    return _from_heading(candidates[0]) if alike else claims[0]


def _find_leaf(page: "Page", title: Title, candidates: list[PageHeading], text: str) -> int:
    """Return the leaf of a title that is no heading: where its words are, or where the kept text starts."""
    offset = page.text.find(title.text)
    if offset < 0 and text:
        offset = page.text.find(text.partition("\n")[0])
    if offset < 0:
        return candidates[0].leaf if candidates else 0
    return bisect_right(page.leaves.start, offset) - 1


def _from_heading(heading: PageHeading) -> Title:
    return Title(heading.text, "heading", heading.leaf)


def _equal_heading(names: set[str], candidates: list[PageHeading]) -> Title | None:
    return next((_from_heading(heading) for heading in candidates if folded(heading.text) in names), None)


def _heading_in_claim(claims: list[Title], candidates: list[PageHeading]) -> Title | None:
    """Return the longest heading that is part of a claim: any but the last, which is the site, or most of the claim."""
    parted = [(claim.text, separators(claim.text).split(claim.text)) for claim in claims]
    folded_claims = [(folded(text), [folded(part) for part in parts]) for text, parts in parted]
    for heading in sorted(candidates, key=lambda heading: -len(heading.text)):
        name = folded(heading.text)
        for whole, parts in folded_claims:
            if name in parts[: max(len(parts) - 1, 1)]:
                return _from_heading(heading)
            if name in whole and name not in parts and len(name) >= MIN_SHARE * len(whole):
                return _from_heading(heading)
    return None


def _claim_in_heading(claims: list[Title], candidates: list[PageHeading]) -> Title | None:
    """Return a claim that is most of a heading, beside a number of comments or a date."""
    for heading in candidates:
        name = folded(heading.text)
        for claim in claims:
            if folded(claim.text) in name and 2 * len(folded(claim.text)) > len(name):
                return Title(claim.text, claim.origin, heading.leaf)
    return None
