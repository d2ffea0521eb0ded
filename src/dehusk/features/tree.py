"""Tree features: where a block is in the page's tree, which tags are above it, and how much text its ancestors hold."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import Ints, Longs, row_names
from dehusk.features.fast_tree import Element, Grouping, TreeRow, find_contents, find_holders, inherit, number_groups
from dehusk.page import Page
from dehusk.page.walk_flags import BLOCK, ROLES

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
    | index << TAG_SHIFT
    for index, tag in enumerate(sorted({*ABOVE, *(tag for tag, role in ROLES.items() if role & BLOCK)}), 1)
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
