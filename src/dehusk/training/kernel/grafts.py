"""Grafts: the main text of one page in the place of another's, so that it is seen in more templates than its own."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.gold.labelled import Labelled
from dehusk.page import Page
from dehusk.page.edits import give_way, say
from dehusk.training.kernel.variants import AT_MOST, holder

CANDIDATES: Final = 8  # pages to graft on, of which some have their main text in more than one place
OWN_SET: Final = 0.5  # how often the other page is from the same set
# Stand in markup for what is to come there; no page has these characters, which are for private use.
MAIN, TITLE, HEADING = (f"\ue000{name}\ue001" for name in ("main", "title", "heading"))
HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4"))
LEAST_HEADING: Final = 8  # characters, below which a heading is in any title
# Elements that stand only in others of their own: their content moves without them.
INNER: Final = frozenset(("td", "th", "li", "dd", "dt", "body"))
FIXED: Final = frozenset(("#document", "html", "head", "tr", "tbody", "thead", "tfoot"))


@dataclass(frozen=True, slots=True)
class Bed:
    """A page with gold, and pages that its main text may be put into."""

    page: Labelled
    hosts: tuple[Labelled, ...] = ()


@dataclass(frozen=True, slots=True)
class Guest:
    """The main text of a page as markup, and what it is called."""

    main: str
    title: str
    heading: str  # "" where the main text has it, or nothing has


def beds(pages: Iterable[Labelled], seed_of: Callable[[Labelled], int]) -> Iterator[Bed]:
    """Yield each page with others of its kind, drawn evenly from sets and sites so that no large one is behind all."""
    all_ = list(pages)
    known: dict[str, dict[str, dict[str, list[Labelled]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for page in all_:
        if page.gold:
            known[_kind(page)][page.corpus][page.site].append(page)
    for page in all_:
        random = Random(seed_of(page))
        drawn = (_drawn(page, known[_kind(page)], random) for _ in range(CANDIDATES))
        yield Bed(page, tuple(host for host in drawn if host))


def _kind(page: Labelled) -> str:
    return page.kind or "article"  # sets that tell no kinds are of articles


def _drawn(page: Labelled, sets: dict[str, dict[str, list[Labelled]]], random: Random) -> Labelled | None:
    """Return a page of another site, as often as not of the same set; None where there is none."""
    corpus = page.corpus if random.random() < OWN_SET else random.choice(sorted(sets) or [page.corpus])
    sites = sets.get(corpus, {})
    site = random.choice([site for site in sites if site != page.site] or [""])
    return random.choice(sites[site]) if site else None


def guest(page: Page, gold: NDArray[np.float64]) -> Guest | None:
    """Return a page's main text, None where it is not in one place.

    `gold` has how many words of each block are wanted.
    """
    found = holder(page, gold)
    if found is None or page.tree is None or page.elements.tag[found.element] in FIXED:
        return None
    node = page.elements.node[found.element]
    inner = page.elements.tag[found.element] in INNER
    headings = _headings(page)
    heading = _words(page.elements.node[headings[0]].text) if headings else ""
    within = any(number in found.stretch for number in headings)
    main = f"<div>{node.inner_html}</div>" if inner else node.html
    return Guest(main, page.title, "" if within else heading)


def host(page: Page, gold: NDArray[np.float64]) -> str | None:
    """Return a page as markup with marks for another's main text and title, None where its own is not in one place.

    The page's tree is used up.
    """
    found = holder(page, gold)
    if found is None or page.tree is None or found.words >= AT_MOST:
        return None
    tag = page.elements.tag[found.element]
    if tag in FIXED:
        return None
    for number in _headings(page):
        if number not in found.stretch:
            say(page.elements.node[number], HEADING)
    title = page.tree.select_one("title")
    if title is not None:
        say(title, TITLE)
    give_way(page.elements.node[found.element], MAIN)
    html = page.tree.html
    return html.replace(MAIN, f"<{tag}>{MAIN}</{tag}>") if tag in INNER else html


def grafted(guest: Guest, host: str) -> str:
    """Return the guest's main text in the host's page.

    >>> grafted(Guest("<p>Rye.</p>", "Rye & oats", "Rye"), f"<title>{TITLE}</title><h1>{HEADING}</h1>{MAIN}")
    '<title>Rye &amp; oats</title><h1>Rye</h1><p>Rye.</p>'
    """
    said = {MAIN: guest.main, TITLE: escape(guest.title), HEADING: escape(guest.heading)}
    for mark, words in said.items():
        host = host.replace(mark, words)
    return host


def _headings(page: Page) -> list[int]:
    """Return the elements that say what the page's title says."""
    title = _words(page.title).lower()
    numbers = [number for number, tag in enumerate(page.elements.tag) if tag in HEADINGS]
    said = {number: _words(page.elements.node[number].text).lower() for number in numbers}
    return [number for number, words in said.items() if len(words) >= LEAST_HEADING and words in title]


def _words(text: str) -> str:
    return " ".join(text.split())
