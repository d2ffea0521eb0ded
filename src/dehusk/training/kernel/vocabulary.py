"""Vocabulary: the tokens of class, id, role and itemprop that most sites have. No label is looked at."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from dehusk.features.tokens import MEANS
from dehusk.gold.labelled import Labelled
from dehusk.page import Page
from dehusk.pool import Pool
from dehusk.training.kernel.examples import parsed
from dehusk.training.makers import LIMITS, Tick

SIZE: Final = 372  # six numbers of 62 bits
# As `core.columns.add_tokens` cuts them, which knows none that are longer; single letters say nothing.
TOKEN: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
LENGTHS: Final = range(2, 14)


def choose_tokens(
    pages: Iterable[Labelled], jobs: int, skipped: Counter[str], tick: Tick = lambda: None
) -> tuple[str, ...]:
    """Return the tokens that most sites have, the commonest first; pages that fail are counted in `skipped`."""
    sites: defaultdict[str, set[str]] = defaultdict(set)
    with Pool(("dehusk.training.kernel.vocabulary", "tokens_of", None), jobs, LIMITS) as pool:
        for page, answer in pool.map(pages):
            if isinstance(answer, str):
                skipped[answer] += 1
            else:
                for token in answer:
                    sites[token].add(f"{page.corpus} {page.site}")
            tick()
    return most_common({token: len(found) for token, found in sites.items()})


def most_common(counts: Mapping[str, int], size: int = SIZE) -> tuple[str, ...]:
    """Return the tokens with the highest counts, those with the same count by the alphabet.

    >>> most_common({"nav": 2, "main": 3, "box": 2, "ad": 1}, 3)
    ('main', 'box', 'nav')
    """
    return tuple(sorted(counts, key=lambda token: (-counts[token], token))[:size])


def tokens_of(_: None, source: Labelled) -> set[str]:
    """Run in a worker: return the tokens of all elements that have text below them."""
    page = parsed(source.html)
    meaning = set(page.tree.select(MEANS)) if page.tree else set()
    nodes: Sequence[Any] = page.elements.node
    found: set[str] = set()
    for element in _with_text(page):
        node = nodes[element]
        names = ("class", "id", "role", "itemprop") if node in meaning else ("class", "id")
        for name in names:
            found.update(cut_tokens(node.attr(name) or ""))
    return found


def cut_tokens(text: str) -> list[str]:
    """Return the tokens of an attribute, without case.

    >>> cut_tokens("main-nav2 SubItem HTMLBox a")
    ['main', 'nav', 'sub', 'item', 'html', 'box']
    """
    return [token.lower() for token in TOKEN.findall(text) if len(token) in LENGTHS]


def _with_text(page: Page) -> list[int]:
    """Return the elements that hold text themselves or further down; the root is none."""
    needed: set[int] = set()
    for element in set(page.leaves.element.tolist()):
        above = element
        while above > 0 and above not in needed:
            needed.add(above)
            above = page.elements.parent[above]
    return sorted(needed)
