"""Tree features: where a block is in the page's tree, which tags are above it, and how much text its ancestors hold."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Column, Ints, Longs, Matrix, row_names
from dehusk.features.fast_text import TextRow
from dehusk.features.fast_tree import (
    Element,
    Grouping,
    Total,
    TreeRow,
    blocks_since,
    count_columns,
    count_repeats,
    dominance_columns,
    find_contents,
    find_holders,
    inherit,
    number_groups,
    path_means,
    position_columns,
    running_totals,
    subtree_columns,
)
from dehusk.features.text import Text
from dehusk.page import Page
from dehusk.page.walk_flags import BLOCK, LINKED, ROLES

# Tags whose presence above a block is informative, with one bit each.
ABOVE: Final = (
    "nav", "header", "footer", "aside", "main", "article", "section", "form", "table", "tr", "td", "th", "ul", "ol",
    "li", "dl", "figure", "figcaption", "blockquote", "noscript", "dialog", "details", "select", "button", "a",
    "label", "pre", "code", "h1", "h2", "h3", "h4", "h5", "h6", "p", "address", "center", "font", "strong", "em", "b",
    "i", "time", "small", "span", "dt", "dd", "option",
)  # fmt: skip
# What is known about a tag in one number: its bit, whether it is block-level, and from `TAG_SHIFT` on its own number.
IS_BLOCK: Final = 1 << len(ABOVE)
TAG_SHIFT: Final = len(ABOVE) + 1
TAG_FACTS: Final[dict[str, int]] = {
    tag: (1 << ABOVE.index(tag) if tag in ABOVE else 0)
    | (IS_BLOCK if ROLES.get(tag, 0) & BLOCK else 0)
    | number << TAG_SHIFT
    for number, tag in enumerate(sorted({*ABOVE, *(tag for tag, role in ROLES.items() if role & BLOCK)}), 1)
}
HEADING_BITS: Final = sum(1 << ABOVE.index(tag) for tag in ("h1", "h2", "h3", "h4", "h5", "h6"))
H1_BIT: Final = 1 << ABOVE.index("h1")
STEPS_UP: Final = np.array([1, 2, 3, 5], np.int32)  # from a block to the ancestors whose contents are counted
SHARES: Final = (0.2, 0.4, 0.7)  # of the page's words outside of links that an element must hold to dominate it
PROSE_WORDS: Final = 15  # from which on a block counts as prose
FARTHEST: Final = 50  # blocks: a heading further up does not matter
NAMES: Final = row_names(TreeRow)


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """What the features of a page share: columns over its elements, and over its blocks."""

    elements: Ints  # one row per `Element`, one column per element of the page
    above: Longs  # of each block, the bits of `ABOVE`
    holder: Ints  # of each block, the block-level element that holds it
    groups: Ints  # one row per `Grouping`: the number of each block's group
    sizes: Ints  # one row per `Grouping`: the sizes of the groups, then zeros


def read_tree(page: Page, blocks: Blocks) -> Tree:
    """Work out the columns over elements and over blocks."""
    leaves, count = page.leaves, len(page.elements)
    elements: Ints = np.zeros((len(Element), count), np.int32)
    bits: Longs = np.zeros(count, np.int64)
    inherit(page.elements.tag, page.elements.parents, TAG_FACTS, bits, elements, TAG_SHIFT)
    find_contents(elements, leaves.opened, leaves.element, blocks.first_leaf, blocks.last_leaf)
    holder: Ints = np.empty(len(blocks), np.int32)
    above: Longs = np.empty(len(blocks), np.int64)
    groups: Ints = np.empty((len(Grouping), len(blocks)), np.int32)
    sizes: Ints = np.zeros((len(Grouping), len(blocks)), np.int32)
    seen: Ints = np.zeros((len(Grouping), count + 1), np.int32)
    find_holders(elements, bits, blocks.owner, holder, groups, above)
    for way in range(len(Grouping)):
        number_groups(groups[way], sizes[way], seen[way])
    return Tree(elements, above, holder, groups, sizes)


def block_totals(text: Text, link_density: Column) -> NDArray[np.float64]:
    """Return one row per `Total`: words added up over the blocks, starting with zero."""
    totals = np.zeros((len(Total), len(text.words) + 1))
    running_totals(text.words, link_density, PROSE_WORDS, totals)
    return totals


def tree_features(
    page: Page, blocks: Blocks, tree: Tree, text: Text, link_density: Column, totals: NDArray[np.float64]
) -> Matrix:
    """Return one row per `TreeRow` and one column per block."""
    matrix: Matrix = np.empty((len(NAMES), len(blocks)), np.float32)
    leaves, elements, holder = page.leaves, tree.elements, tree.holder
    columns = (leaves.opened, leaves.state, blocks.first_leaf, blocks.last_leaf)
    count_columns(matrix, LOGS, elements, holder, tree.groups, tree.sizes, *columns, LINKED)
    room = 2 * len(blocks) + 1
    count_repeats(text.hashes, LOGS, np.zeros(room, np.int64), np.zeros(room, np.int32), matrix[TreeRow.REPEATED])
    blocks_since(tree.above, HEADING_BITS, FARTHEST, LOGS, matrix[TreeRow.SINCE_HEADING])
    blocks_since(tree.above, H1_BIT, FARTHEST, LOGS, matrix[TreeRow.SINCE_H1])
    subtree_columns(matrix, LOGS, STEPS_UP, elements, holder, totals)
    position_columns(matrix, blocks.start, blocks.hidden, link_density, max(len(page.text), 1))
    paths, sizes = tree.groups[Grouping.BY_PATH], tree.sizes[Grouping.BY_PATH]
    page_words = max(float(totals[Total.ALL_WORDS, -1]), 1.0)
    path_means(matrix, paths, sizes, text.words, text.matrix[TextRow.WORDS], link_density, page_words)
    for number, share in enumerate(SHARES):
        row = TreeRow.INSIDE_20 + 2 * number
        dominance_columns(matrix, row, elements, totals[Total.PLAIN_WORDS], share, holder)
    return matrix
