"""Target nodes: the subtrees of a page that are judged as one, each a text block more or less.

The paper's rule: a node is a target if at least 10 % of the text of its subtree stands in its own text nodes. Of nested
ones the outermost is taken, so targets are disjoint. Paragraphs that are separated by `br` count as nodes, too: they
are virtual, the tree stays as it is. Text may be outside any target: a menu of bare links is, apart from its links.

The repair, for pages on which the rule yields one target for nearly everything: an element with more than `LARGEST` of
the page's text is not taken if it can be divided. Its own text then becomes virtual paragraphs between its block-level
children, or between single line breaks if it has no such children, and the search goes on below. If a page still has
at most `FEW` targets, all elements that can be divided are. research/fiasco has the figures with and without.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.fiasco.fast_targets import TargetFinder, find_breaks, sum_up
from dehusk.page import Page
from dehusk.page.leaves import BoolArray, IntArray
from dehusk.page.walk_flags import BLOCK, NEW_BLOCK, NEW_LINE, ROLES

OWN_SHARE: Final = 0.1
LARGEST: Final = 0.5
FEW: Final = 4
UNLIMITED: Final = 2.0  # a share that no element has

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """Columns, one row per target in document order; `of_leaf` and `of_element` have -1 where there is none.

    >>> page = Page.from_html("<div><p>One <a href=/>two</a></p></div><td>three<br><br>four <b>five</b></td>")
    >>> targets = find_targets(page)
    >>> [page.text[start:end] for start, end in zip(targets.start, targets.end)]
    ['One two', 'three', 'four five']
    >>> [page.elements.tag[element] for element in targets.element], targets.virtual.tolist()
    (['p', 'body', 'body'], [False, True, True])
    >>> targets.own.tolist()
    [True, False, True, True, False]
    """

    element: IntArray  # in the page's elements; for a virtual paragraph the element that it is a part of
    virtual: BoolArray
    start: IntArray  # span in the page's text, of all that is below the node
    end: IntArray
    first_leaf: IntArray
    last_leaf: IntArray  # one past the end
    of_leaf: IntArray  # the target of each leaf
    of_element: IntArray  # the target that each element is in, itself or below; elements without text, too
    own: BoolArray  # whether a leaf is one of the target's own text nodes

    def __len__(self) -> int:
        return len(self.element)


def find_targets(page: Page, *, repair: bool = True) -> Targets:
    """Return the target nodes of a page; without the repair exactly by the rule of the paper."""
    tree = _Tree.of(page)
    finder = tree.targets(LARGEST if repair else UNLIMITED)
    if repair and finder.targets <= FEW:
        finder = tree.targets(0.0)
    return _columns(page, finder)


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """What the choice needs to know of the elements of a page."""

    page: Page
    lengths: IntArray  # of the leaves
    own: IntArray  # characters in an element's own text nodes
    whole: IntArray  # and in its subtree
    first: IntArray  # the first leaf in it
    holds_block: Bytes  # whether a block-level element with text is below
    block_like: Bytes  # whether it is one or holds one
    widest: Bytes  # the widest gap between pieces of inline content that follow each other in it

    @classmethod
    def of(cls, page: Page) -> "_Tree":
        leaves, parents, count = page.leaves, page.elements.parents, len(page.elements)
        is_block = np.array([ROLES.get(tag, 0) & BLOCK != 0 for tag in page.elements.tag], np.uint8)
        lengths: IntArray = leaves.end - leaves.start
        own, whole = np.zeros(count, np.int32), np.zeros(count, np.int32)
        first, holds_block = np.full(count, len(leaves), np.int32), np.zeros(count, np.uint8)
        sum_up(parents, is_block, leaves.element, lengths, own, whole, first, holds_block)
        block_like, widest = is_block | holds_block, np.zeros(count, np.uint8)
        find_breaks(parents, block_like, whole, first, leaves.element, leaves.opened, leaves.gap, widest)
        return cls(page, lengths, own, whole, first, holds_block, block_like, widest)

    def targets(self, largest: float) -> TargetFinder:
        """Return the targets; elements with a larger share of the text than `largest` are divided if they can be."""
        leaves, parents, break_at = self.page.leaves, self.page.elements.parents, self.breaks(largest)
        position = (leaves.element, leaves.opened)
        finder = TargetFinder(len(parents), len(leaves))
        finder.cut_paragraphs(
            parents, self.block_like, self.whole, self.first, *position, leaves.gap, self.lengths, break_at
        )
        finder.choose(parents, self.own, self.whole, *position, break_at, OWN_SHARE)
        return finder

    def breaks(self, largest: float) -> Bytes:
        """Return for each element the gap that separates virtual paragraphs in it, 0 if it has none."""
        too_large = (self.whole > largest * self.whole[0]) & (self.own >= OWN_SHARE * self.whole)
        paragraphs = (self.widest == NEW_BLOCK) | (too_large & (self.holds_block != 0))
        lines = too_large & (self.holds_block == 0) & (self.widest == NEW_LINE)
        breaks: Bytes = np.where(paragraphs, NEW_BLOCK, np.where(lines, NEW_LINE, 0)).astype(np.uint8)
        return breaks


def _columns(page: Page, finder: TargetFinder) -> Targets:
    leaves, count = page.leaves, finder.targets
    of_leaf: IntArray = np.asarray(finder.of_leaf)
    element: IntArray = np.asarray(finder.target_element)[:count].copy()
    inside = np.flatnonzero(of_leaf >= 0)
    # The leaves of a target are neighbours, and targets come in document order.
    first = inside[np.searchsorted(of_leaf[inside], np.arange(count))]
    last = inside[np.searchsorted(of_leaf[inside], np.arange(count), "right") - 1]
    own: BoolArray = (of_leaf >= 0) & (leaves.element == np.append(element, -1)[of_leaf])
    return Targets(
        element,
        np.asarray(finder.is_virtual)[:count] != 0,
        leaves.start[first],
        leaves.end[last],
        first.astype(np.int32),
        (last + 1).astype(np.int32),
        of_leaf,
        np.asarray(finder.of_element),
        own,
    )
