"""Vocabulary: the tokens of class, id, role and itemprop that occur on most sites. No label is looked at."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from dehusk.features.tokens import ANNOTATED
from dehusk.gold.pages import GoldPage
from dehusk.page import Page
from dehusk.training.examples import make_in_workers, parse
from dehusk.training.progress import Tick

SIZE: Final = 372  # six numbers of 62 bits
# As the features cut them, which know none that are longer; single letters mean nothing.
TOKEN: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
LENGTHS: Final = range(2, 14)


def choose_tokens(pages: Iterable[GoldPage], jobs: int, tick: Tick = lambda: None) -> tuple[str, ...]:
    """Return the tokens of most sites, the commonest first."""
    sites: defaultdict[str, set[str]] = defaultdict(set)
    # Pages that fail here fail again when examples are made of them, and are counted there.
    for site, tokens in make_in_workers(site_tokens, pages, jobs, Counter(), tick):
        for token in tokens:
            sites[token].add(site)
    return most_common({token: len(own) for token, own in sites.items()})


def most_common(counts: Mapping[str, int], size: int = SIZE) -> tuple[str, ...]:
    """Return the tokens with the highest counts, ties in alphabetical order.

    >>> most_common({"nav": 2, "main": 3, "box": 2, "ad": 1}, 3)
    ('main', 'box', 'nav')
    """
    return tuple(sorted(counts, key=lambda token: (-counts[token], token))[:size])


def site_tokens(source: GoldPage) -> tuple[list[tuple[str, set[str]]], str]:
    """Return the site of a page and its tokens; runs in a worker."""
    return [(f"{source.corpus} {source.site}", page_tokens(parse(source.html)))], ""


def page_tokens(page: Page) -> set[str]:
    """Return the tokens of all elements that have text below them."""
    meaning = set(page.tree.select(ANNOTATED)) if page.tree else set()
    nodes: Sequence[Any] = page.elements.node
    tokens: set[str] = set()
    for element in _with_text(page):
        node = nodes[element]
        names = ("class", "id", "role", "itemprop") if node in meaning else ("class", "id")
        for name in names:
            tokens.update(cut_tokens(node.attr(name) or ""))
    return tokens


def cut_tokens(text: str) -> list[str]:
    """Return the tokens of an attribute in lower case.

    >>> cut_tokens("main-nav2 SubItem HTMLBox a")
    ['main', 'nav', 'sub', 'item', 'html', 'box']
    """
    return [token.lower() for token in TOKEN.findall(text) if len(token) in LENGTHS]


def _with_text(page: Page) -> list[int]:
    """Return the elements with text in them or further down, except the root."""
    needed: set[int] = set()
    for element in set(page.leaves.element.tolist()):
        above = element
        while above > 0 and above not in needed:
            needed.add(above)
            above = page.elements.parent[above]
    return sorted(needed)
