"""Variants: a page with random parts taken away, or with its main text, wherever that is, as markup."""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import cut
from dehusk.features import Ints
from dehusk.features.text import text_features
from dehusk.features.tree import tree
from dehusk.page import Page

REMOVED: Final = (0.1, 0.45)  # between these shares of the blocks are taken away
# A part with more of the page's words is likely what the page is about.
LARGEST: Final = 0.3
# Single blocks are by far the most elements; so some larger parts come first, as many as this.
LARGER_FIRST: Final = 12
LARGER: Final = 3  # blocks
KEPT_TAGS: Final = frozenset(("html", "head", "body"))
# What holds the main text holds so much of the gold, and leaves so much of the page.
HOLDS: Final = 0.97
AT_MOST: Final = 0.9
LEAST_GOLD: Final = 20  # words, below which there is not much to take away


@dataclass(frozen=True, slots=True, eq=False)
class _Subtrees:
    """Columns over a page's elements."""

    depth: Ints
    blocks: Ints  # in the subtree
    size: Ints  # elements in the subtree
    words: NDArray[np.float64]  # in the subtree, as a share of the page's
    gold: NDArray[np.float64]  # likewise


@dataclass(frozen=True, slots=True)
class Holder:
    """The innermost element with all of the main text."""

    element: int
    stretch: range  # itself and all elements in it: they stand in document order
    words: float  # which share of the page's words it has


def thinned(page: Page, seed: int) -> str | None:
    """Return the page without some of its parts, None where it has none that could go. The page's tree is used up."""
    found = _subtrees(page)
    if page.tree is None or found is None:
        return None
    random = Random(seed)
    goal = random.uniform(*REMOVED) * int(found.blocks[0])
    gone, dead = 0, np.zeros(len(page.elements), np.bool_)
    for element in _order(page, found, random):
        # Elements stand in document order, so that a subtree is one stretch.
        stretch = slice(element, element + int(found.size[element]))
        if gone >= goal:
            break
        if not dead[stretch].any():
            page.elements.node[element].decompose()
            dead[stretch] = True
            gone += int(found.blocks[element])
    return page.tree.html if gone else None


def emptied(page: Page, gold: NDArray[np.float64]) -> str | None:
    """Return the page without its main text, None where that is not in one place. The page's tree is used up.

    `gold` has how many words of each block are wanted.
    """
    found = holder(page, gold)
    if page.tree is None or found is None or found.words >= AT_MOST:
        return None
    page.elements.node[found.element].decompose()
    return page.tree.html


def holder(page: Page, gold: NDArray[np.float64]) -> Holder | None:
    """Return what holds the main text, None where there is little of it."""
    found = _subtrees(page, gold)
    if found is None or gold.sum() < LEAST_GOLD:
        return None
    fit = np.flatnonzero(found.gold >= HOLDS)
    deepest = int(fit[found.depth[fit].argmax()])
    return Holder(deepest, range(deepest, deepest + int(found.size[deepest])), float(found.words[deepest]))


def _subtrees(page: Page, gold: NDArray[np.float64] | None = None) -> _Subtrees | None:
    blocks = cut(page)
    if not len(blocks):
        return None
    found = tree(page, blocks)
    first, last, size = found.ranges
    words = text_features(blocks).words.astype(np.float64)
    shares = [_held(column, first, last) for column in (words, words if gold is None else gold)]
    return _Subtrees(found.columns[1], last - first, size, *shares)


def _held(column: NDArray[np.float64], first: Ints, last: Ints) -> NDArray[np.float64]:
    """Return which share of a column over blocks lies in each element."""
    total = np.concatenate(([0.0], np.cumsum(column)))
    held: NDArray[np.float64] = (total[last] - total[first]) / max(float(total[-1]), 1.0)
    return held


def _order(page: Page, found: _Subtrees, random: Random) -> list[int]:
    """Return the elements that may go, in random order, some larger ones first."""
    small = np.flatnonzero((found.blocks >= 1) & (found.words <= LARGEST)).tolist()
    order = [element for element in small if element and page.elements.tag[element] not in KEPT_TAGS]
    random.shuffle(order)
    larger = [element for element in order if found.blocks[element] >= LARGER][:LARGER_FIRST]
    return [*larger, *order]
