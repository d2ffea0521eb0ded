# cython: cdivision=True, wraparound=False, boundscheck=False
"""All features of a page in one call: the loops of `dehusk.features`, one after another, on columns that they share.

Compiled with the C types in fast_features.pxd; runs as plain Python with the same results.
"""

from math import log1p
from typing import TYPE_CHECKING

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Floats, Longs
from dehusk.features.fast_text import ROOM, TextRow, link_shares, text_columns, title_columns
from dehusk.features.fast_tokens import join_tokens, read_tokens
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
from dehusk.features.text import CLASSES, NAMES
from dehusk.features.title import FARTHEST as FARTHEST_TITLE
from dehusk.features.tokens import TokenVocabulary
from dehusk.features.tree import FARTHEST, H1_BIT, HEADING_BITS, PROSE_WORDS, SHARES, STEPS_UP, TAG_FACTS, TAG_SHIFT
from dehusk.page import Page
from dehusk.page.walk_flags import LINKED

if TYPE_CHECKING:
    from dehusk.methods.kernel.features import PageFeatures

# C numbers, for which no object has to be looked up.
TEXT_ROWS, TREE_ROWS = len(NAMES), len(TreeRow)
REPEATED, SINCE_HEADING, SINCE_H1, INSIDE_20 = (
    TreeRow.REPEATED, TreeRow.SINCE_HEADING, TreeRow.SINCE_H1, TreeRow.INSIDE_20,
)  # fmt: skip
WORDS, TAG, PARENT, BY_PATH, GROUPINGS = TextRow.WORDS, Element.TAG, Element.PARENT, Grouping.BY_PATH, len(Grouping)
ALL_WORDS, LINK_WORDS, PLAIN_WORDS, PROSE = Total.ALL_WORDS, Total.LINK_WORDS, Total.PLAIN_WORDS, Total.PROSE


def fill_features(features: "PageFeatures", page: Page, blocks: Blocks, vocabulary: TokenVocabulary) -> None:
    """Fill in all columns over the blocks of a page, and the first numbers of the page."""
    columns = _Columns(features, page, blocks)
    columns.read_tree(page)
    columns.count_text(blocks.text)
    columns.describe_places(len(page.text))
    columns.compare_with_title(page, blocks.text)
    columns.read_attributes(page, vocabulary, features.tokens.both, features.tokens.page)
    columns.summarise(features.page)


class _Columns:
    """The columns of a page: those of its leaves and blocks, and those that are being filled."""

    def __init__(self, features: "PageFeatures", page: Page, blocks: Blocks) -> None:
        self.count, self.size = len(blocks), len(page.elements.tag)
        self.logs, self.classes, self.steps_up = LOGS, CLASSES, STEPS_UP
        # Of the page.
        self.start, self.end, self.owner = blocks.start, blocks.end, blocks.owner
        self.first_leaf, self.last_leaf = blocks.first_leaf, blocks.last_leaf
        self.hidden, self.link_chars = blocks.hidden, blocks.link_chars
        self.opened, self.state = page.leaves.opened, page.leaves.state
        # What is returned.
        self.matrix, self.words, self.tag = features.matrix, features.words, features.tag
        self.above, self.groups, self.sizes = features.above, features.groups, features.sizes
        # What the steps share.
        self.elements = np.zeros((len(Element), self.size), np.int32)
        self.holder = np.empty(self.count, np.int32)
        self.hashes = np.empty(self.count, np.int64)
        self.links = np.empty(self.count, np.float32)
        self.totals = np.zeros((len(Total), self.count + 1))

    def read_tree(self, page: Page) -> None:
        bits = np.zeros(self.size, np.int64)
        seen = np.zeros((GROUPINGS, self.size + 1), np.int32)
        inherit(page.elements.tag, page.elements.parents, TAG_FACTS, bits, self.elements, TAG_SHIFT)
        find_contents(self.elements, self.opened, page.leaves.element, self.first_leaf, self.last_leaf)
        find_holders(self.elements, bits, self.owner, self.holder, self.groups, self.above)
        for way in range(GROUPINGS):
            number_groups(self.groups[way], self.sizes[way], seen[way])
        for block in range(self.count):
            self.tag[block] = self.elements[TAG, self.holder[block]]

    def count_text(self, text: str) -> None:
        counts = np.zeros(ROOM, np.int32)
        rows = self.matrix[:TEXT_ROWS]
        text_columns(text, self.start, self.end, self.classes, self.logs, counts, rows, self.words, self.hashes)
        link_shares(self.link_chars, self.start, self.end, self.links)
        running_totals(self.words, self.links, PROSE_WORDS, self.totals)

    def describe_places(self, length: int) -> None:
        rows, totals = self.matrix[TEXT_ROWS : TEXT_ROWS + TREE_ROWS], self.totals
        keys, counts = np.zeros(2 * self.count + 1, np.int64), np.zeros(2 * self.count + 1, np.int32)
        count_columns(
            rows, self.logs, self.elements, self.holder, self.groups, self.sizes, self.opened, self.state,
            self.first_leaf, self.last_leaf, LINKED,
        )  # fmt: skip
        count_repeats(self.hashes, self.logs, keys, counts, rows[REPEATED])
        blocks_since(self.above, HEADING_BITS, FARTHEST, self.logs, rows[SINCE_HEADING])
        blocks_since(self.above, H1_BIT, FARTHEST, self.logs, rows[SINCE_H1])
        subtree_columns(rows, self.logs, self.steps_up, self.elements, self.holder, totals)
        position_columns(rows, self.start, self.hidden, self.links, max(length, 1))
        words = max(totals[ALL_WORDS, self.count], 1.0)
        groups, sizes, log_words = self.groups[BY_PATH], self.sizes[BY_PATH], self.matrix[WORDS]
        path_means(rows, groups, sizes, self.words, log_words, self.links, words)
        for index in range(len(SHARES)):
            row = INSIDE_20 + 2 * index
            dominance_columns(rows, row, self.elements, totals[PLAIN_WORDS], SHARES[index], self.holder)

    def compare_with_title(self, page: Page, text: str) -> None:
        rows, above = self.matrix[TEXT_ROWS + TREE_ROWS :], self.above
        rows[:, :] = 0.0
        headed = False
        for block in range(self.count):
            headed |= (above[block] & HEADING_BITS) != 0
        # The title of a page without headings need not be looked up.
        words = set(page.title.lower().split()) if headed else set()
        if words:
            title_columns(text, self.start, self.end, above, HEADING_BITS, words, FARTHEST_TITLE, self.logs, rows)

    def read_attributes(self, page: Page, vocabulary: TokenVocabulary, both: Longs, whole: Longs) -> None:
        longs = len(whole)
        own, anywhere = np.zeros((self.size, longs), np.int64), np.zeros((self.size, longs), np.int64)
        parent, nodes, tags = self.elements[PARENT], page.elements.node, page.elements.tag
        keys, values = vocabulary.keys, vocabulary.values
        read_tokens(nodes, tags, parent, self.holder, page.elements.annotated, keys, values, own, anywhere, whole)
        join_tokens(own, anywhere, self.holder, parent, both)

    def summarise(self, values: Floats) -> None:
        totals, last = self.totals, self.count
        words = max(totals[ALL_WORDS, last], 1.0)
        values[0] = log1p(self.count) / 5
        values[1] = log1p(words) / 5
        values[2] = log1p(self.size) / 5
        values[3] = totals[LINK_WORDS, last] / words
        values[4] = totals[PROSE, last] / words
