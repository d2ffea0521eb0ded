"""Tree features: where a block stands, what stands above it, and how much text its ancestors hold."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Ints, Longs, Matrix
from dehusk.features.fast_tree import (
    block_ranges,
    climb,
    count_repeats,
    dominance,
    group,
    group_means,
    hold,
    page_columns,
    place_columns,
    running_totals,
    since_marked,
    subtrees,
)
from dehusk.features.text import Text
from dehusk.page import Page
from dehusk.page.walk_flags import BLOCK, LINKED, ROLES

# Tags whose presence above a block says something; one bit each.
ABOVE: Final = (
    "nav", "header", "footer", "aside", "main", "article", "section", "form", "table", "tr", "td", "th", "ul", "ol",
    "li", "dl", "figure", "figcaption", "blockquote", "noscript", "dialog", "details", "select", "button", "a",
    "label", "pre", "code", "h1", "h2", "h3", "h4", "h5", "h6", "p", "address", "center", "font", "strong", "em", "b",
    "i", "time", "small", "span", "dt", "dd", "option",
)  # fmt: skip
# What is known of a tag in one number: its bit, whether it is block-level, and a number of its own for paths.
IS_BLOCK: Final = 1 << len(ABOVE)
OWN: Final = len(ABOVE) + 1
FACTS: Final[dict[str, int]] = {
    tag: (1 << ABOVE.index(tag) if tag in ABOVE else 0) | (IS_BLOCK if ROLES.get(tag, 0) & BLOCK else 0) | place << OWN
    for place, tag in enumerate(sorted({*ABOVE, *(tag for tag, role in ROLES.items() if role & BLOCK)}), 1)
}
HEADING_BITS: Final = sum(1 << ABOVE.index(tag) for tag in ("h1", "h2", "h3", "h4", "h5", "h6"))
TITLE_BIT: Final = 1 << ABOVE.index("h1")
LEVELS: Final = np.array([1, 2, 3, 5], np.int32)  # how many steps up the subtrees are looked at
SHARES: Final = (0.2, 0.4, 0.7)  # of the page's plain words that an element must hold to dominate it
WAYS: Final = 4  # to group blocks
PROSE: Final = 15  # words from which a block counts as prose
FAR: Final = 50  # blocks from which on a heading does not matter any more
COUNTS: Final = (
    "depth", "leaves", "tags", "link_leaves", "alike", "siblings", "cousins", "repeated", "since_heading", "since_h1",
    *(f"{name}_{level}" for name in ("words", "blocks", "elements") for level in LEVELS),
)  # fmt: skip
REST: Final = (
    *(f"{name}_{level}" for name in ("links", "prose", "page") for level in LEVELS),
    "position", "place", "hidden", "link_share", "all_link", "alike_words", "alike_links", "alike_page",
    *(f"{name}_{int(100 * share)}" for share in SHARES for name in ("inside", "below")),
)  # fmt: skip
NAMES: Final = (*COUNTS, *REST)
SUBTREES: Final = COUNTS.index("words_1")


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """What the features of a page share: columns over its elements, and over its blocks."""

    columns: Ints  # of each element: parent, depth, nearest block-level element, numbers of its path and of its tag
    ranges: Ints  # of each element: first block, block after the last, elements below it with itself
    above: Longs  # of each block, the bits of `ABOVE`
    holder: Ints  # of each block, the block-level element that holds it
    groups: Ints  # of each block, numbers of those under the same path of tags, of siblings, cousins, and beyond
    sizes: Ints  # of each way to group, the sizes of the groups, then zeros


def tree(page: Page, blocks: Blocks) -> Tree:
    """Work out the columns over elements and over blocks."""
    elements, leaves = page.elements, page.leaves
    count = len(elements)
    columns: Ints = np.zeros((5, count), np.int32)
    bits: Longs = np.zeros(count, np.int64)
    climb(elements.tag, elements.parents, FACTS, bits, columns, OWN)
    ranges: Ints = np.zeros((3, count), np.int32)
    block_ranges(columns[0], leaves.opened, leaves.element, blocks.first_leaf, blocks.last_leaf, ranges)
    holder: Ints = np.empty(len(blocks), np.int32)
    above: Longs = np.empty(len(blocks), np.int64)
    groups: Ints = np.empty((WAYS, len(blocks)), np.int32)
    sizes: Ints = np.zeros((WAYS, len(blocks)), np.int32)
    seen: Ints = np.zeros((WAYS, count + 1), np.int32)
    hold(columns, bits, blocks.owner, holder, groups, above)
    for row in range(WAYS):
        group(groups[row], groups[row], sizes[row], seen[row])  # numbers take the place of their keys
    return Tree(columns, ranges, above, holder, groups, sizes)


def running(text: Text) -> NDArray[np.float64]:
    """Return words added up over the blocks, as `core.columns.running_totals` has them."""
    totals = np.zeros((5, len(text.words) + 1))
    running_totals(text.words, text.link, PROSE, totals)
    return totals


def tree_features(page: Page, blocks: Blocks, found: Tree, text: Text, totals: NDArray[np.float64]) -> Matrix:
    """Return one row a name in `NAMES` and one column a block."""
    matrix: Matrix = np.empty((len(NAMES), len(blocks)), np.float32)
    _counts(matrix, page, blocks, found, text)
    subtrees(matrix[SUBTREES:], matrix[len(COUNTS) :], LOGS, LEVELS, found.columns, found.ranges, found.holder, totals)
    rest = matrix[len(COUNTS) + 3 * len(LEVELS) :]
    # The last row is the logarithm of words, of which the means are taken.
    page_columns(rest, blocks.start, blocks.hidden, text.link, text.matrix[1], max(len(page.text), 1))
    group_means(found.groups[0], found.sizes[0], text.words, text.link, max(float(totals[0, -1]), 1.0), rest[5:8])
    for step, share in enumerate(SHARES):
        rows = rest[8 + 2 * step : 10 + 2 * step]
        dominance(found.columns, found.ranges, totals[3], share, found.holder, rows)
    return matrix


def _counts(matrix: Matrix, page: Page, blocks: Blocks, found: Tree, text: Text) -> None:
    """Fill in what is counted, up to the subtrees."""
    leaves = page.leaves
    where = (found.columns, found.holder, found.groups, found.sizes)
    place_columns(matrix, LOGS, *where, leaves.opened, leaves.state, blocks.first_leaf, blocks.last_leaf, LINKED)
    room = 2 * len(blocks) + 1
    count_repeats(text.marks, LOGS, np.zeros(room, np.int64), np.zeros(room, np.int32), matrix[7])
    since_marked(found.above, HEADING_BITS, FAR, LOGS, matrix[8])
    since_marked(found.above, TITLE_BIT, FAR, LOGS, matrix[9])
