"""Variants: the markup of a page without random parts, or without its main text."""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from dehusk.blocks import cut
from dehusk.features.fast_tree import Element
from dehusk.features.text import text_features
from dehusk.features.tree import read_tree
from dehusk.page import Page
from dehusk.training.columns import Doubles, Ints

REMOVED: Final = (0.1, 0.45)  # the share of blocks that are removed lies between these
# A part with more of the page's words is probably what the page is about.
MAX_WORDS: Final = 0.3
# Most elements have a single block, so this many larger parts come first.
LARGER_FIRST: Final = 12
LARGER: Final = 3  # blocks
KEPT_TAGS: Final = frozenset(("html", "head", "body"))
# The element of the main text contains this share of the gold, and at most that share of the page's words.
HOLDS: Final = 0.97
AT_MOST: Final = 0.9
MIN_GOLD: Final = 20  # words; below, there is not much to remove


@dataclass(frozen=True, slots=True, eq=False)
class _Subtrees:
    """Columns over a page's elements."""

    depth: Ints
    blocks: Ints  # in the subtree
    size: Ints  # elements in the subtree
    words: Doubles  # in the subtree, as a share of the page's
    gold: Doubles  # likewise


@dataclass(frozen=True, slots=True)
class MainElement:
    """The innermost element with all of the main text."""

    element: int
    subtree: range  # itself and all elements in it, since elements are in document order
    words: float  # its share of the page's words


def thinned(page: Page, seed: int) -> str | None:
    """Return the page without some of its parts, None if it has none to remove. The page's tree is consumed."""
    subtrees = _subtrees(page)
    if page.tree is None or subtrees is None:
        return None
    random = Random(seed)
    goal = random.uniform(*REMOVED) * int(subtrees.blocks[0])
    removed, gone = 0, np.zeros(len(page.elements), np.bool_)
    for element in _removable(page, subtrees, random):
        # Elements are in document order, so a subtree is one range.
        inside = slice(element, element + int(subtrees.size[element]))
        if removed >= goal:
            break
        if not gone[inside].any():
            page.elements.node[element].decompose()
            gone[inside] = True
            removed += int(subtrees.blocks[element])
    return page.tree.html if removed else None


def emptied(page: Page, gold: Doubles) -> str | None:
    """Return the page without its main text, None if that is not in one place. The page's tree is consumed.

    `gold` is how many words of each block are gold.
    """
    main = main_element(page, gold)
    if page.tree is None or main is None or main.words >= AT_MOST:
        return None
    page.elements.node[main.element].decompose()
    return page.tree.html


def main_element(page: Page, gold: Doubles) -> MainElement | None:
    """Return the element of the main text, None if there is little of it."""
    subtrees = _subtrees(page, gold)
    if subtrees is None or gold.sum() < MIN_GOLD:
        return None
    candidates = np.flatnonzero(subtrees.gold >= HOLDS)
    deepest = int(candidates[subtrees.depth[candidates].argmax()])
    subtree = range(deepest, deepest + int(subtrees.size[deepest]))
    return MainElement(deepest, subtree, float(subtrees.words[deepest]))


def _subtrees(page: Page, gold: Doubles | None = None) -> _Subtrees | None:
    blocks = cut(page)
    if not len(blocks):
        return None
    elements = read_tree(page, blocks).elements
    first, last, size = elements[[Element.FIRST_BLOCK, Element.END_BLOCK, Element.SIZE]]
    words = text_features(blocks).words.astype(np.float64)
    shares = [_held(column, first, last) for column in (words, words if gold is None else gold)]
    return _Subtrees(elements[Element.LEVEL], last - first, size, *shares)


def _held(column: Doubles, first: Ints, last: Ints) -> Doubles:
    """Return the share of a column over blocks that is in each element."""
    total = np.concatenate(([0.0], np.cumsum(column)))
    held: Doubles = (total[last] - total[first]) / max(float(total[-1]), 1.0)
    return held


def _removable(page: Page, subtrees: _Subtrees, random: Random) -> list[int]:
    """Return the elements that may be removed, in random order, some larger ones first."""
    small = np.flatnonzero((subtrees.blocks >= 1) & (subtrees.words <= MAX_WORDS)).tolist()
    order = [element for element in small if element and page.elements.tag[element] not in KEPT_TAGS]
    random.shuffle(order)
    larger = [element for element in order if subtrees.blocks[element] >= LARGER][:LARGER_FIRST]
    return [*larger, *order]
