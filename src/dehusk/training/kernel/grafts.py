"""Grafts: the main text of one page in the template of another, so that it is seen in more than its own."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Final

from dehusk.gold.pages import GoldPage
from dehusk.page import Page
from dehusk.page.edits import replace_by_text, set_text
from dehusk.training.columns import Doubles
from dehusk.training.kernel.variants import AT_MOST, main_element

CANDIDATES: Final = 8  # hosts per page; some have their main text in more than one place and cannot be used
OWN_SET: Final = 0.5  # how often the other page is from the same set
# Placeholders in markup, of private-use characters that no page has.
MAIN, TITLE, HEADING = (f"\ue000{name}\ue001" for name in ("main", "title", "heading"))
HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4"))
MIN_HEADING: Final = 8  # characters; shorter headings are part of any title
# Elements that need a certain parent: their content moves without them.
INNER: Final = frozenset(("td", "th", "li", "dd", "dt", "body"))
FIXED: Final = frozenset(("#document", "html", "head", "tr", "tbody", "thead", "tfoot"))

_Sets = dict[str, dict[str, list[GoldPage]]]  # by corpus and site


@dataclass(frozen=True, slots=True)
class PageWithHosts:
    """A page with gold, and pages that its main text may be put into."""

    page: GoldPage
    hosts: tuple[GoldPage, ...] = ()


@dataclass(frozen=True, slots=True)
class Guest:
    """The main text of a page as markup, with its title."""

    main: str
    title: str
    heading: str  # "" if it is part of the main text, or there is none


def with_hosts(pages: Iterable[GoldPage], seed_of: Callable[[GoldPage], int]) -> Iterator[PageWithHosts]:
    """Yield each page with others of its kind, drawn evenly from sets and sites so that no large one dominates."""
    all_ = list(pages)
    by_kind: dict[str, _Sets] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for page in all_:
        if page.gold:
            by_kind[_kind(page)][page.corpus][page.site].append(page)
    for page in all_:
        random = Random(seed_of(page))
        drawn = (_draw_host(page, by_kind[_kind(page)], random) for _ in range(CANDIDATES))
        yield PageWithHosts(page, tuple(host for host in drawn if host))


def _kind(page: GoldPage) -> str:
    return page.kind or "article"  # sets without kinds consist of articles


def _draw_host(page: GoldPage, sets: _Sets, random: Random) -> GoldPage | None:
    """Return a page of another site, as often as not of the same set; None if there is none."""
    corpus = page.corpus if random.random() < OWN_SET else random.choice(sorted(sets) or [page.corpus])
    sites = sets.get(corpus, {})
    site = random.choice([site for site in sites if site != page.site] or [""])
    return random.choice(sites[site]) if site else None


def take_guest(page: Page, gold: Doubles) -> Guest | None:
    """Return a page's main text, None if it is not in one place; `gold` is how many words of each block are gold."""
    main = main_element(page, gold)
    if main is None or page.tree is None or page.elements.tag[main.element] in FIXED:
        return None
    node = page.elements.node[main.element]
    markup = f"<div>{node.inner_html}</div>" if page.elements.tag[main.element] in INNER else node.html
    headings = _headings(page)
    heading = _words(page.elements.node[headings[0]].text) if headings else ""
    within = any(element in main.subtree for element in headings)
    return Guest(markup, page.title, "" if within else heading)


def make_host(page: Page, gold: Doubles) -> str | None:
    """Return a page as markup with placeholders for main text and title, None if its main text is not in one place.

    The page's tree is consumed.
    """
    main = main_element(page, gold)
    if main is None or page.tree is None or main.words >= AT_MOST:
        return None
    tag = page.elements.tag[main.element]
    if tag in FIXED:
        return None
    for element in _headings(page):
        if element not in main.subtree:
            set_text(page.elements.node[element], HEADING)
    title = page.tree.select_one("title")
    if title is not None:
        set_text(title, TITLE)
    replace_by_text(page.elements.node[main.element], MAIN)
    html = page.tree.html
    return html.replace(MAIN, f"<{tag}>{MAIN}</{tag}>") if tag in INNER else html


def graft(guest: Guest, host: str) -> str:
    """Return the guest's main text in the host's page.

    >>> graft(Guest("<p>Rye.</p>", "Rye & oats", "Rye"), f"<title>{TITLE}</title><h1>{HEADING}</h1>{MAIN}")
    '<title>Rye &amp; oats</title><h1>Rye</h1><p>Rye.</p>'
    """
    contents = {MAIN: guest.main, TITLE: escape(guest.title), HEADING: escape(guest.heading)}
    for placeholder, content in contents.items():
        host = host.replace(placeholder, content)
    return host


def _headings(page: Page) -> list[int]:
    """Return the headings whose text is part of the page's title."""
    title = _words(page.title).lower()
    elements = [element for element, tag in enumerate(page.elements.tag) if tag in HEADINGS]
    texts = {element: _words(page.elements.node[element].text).lower() for element in elements}
    return [element for element, words in texts.items() if len(words) >= MIN_HEADING and words in title]


def _words(text: str) -> str:
    return " ".join(text.split())
