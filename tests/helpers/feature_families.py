"""The kernel's features, family by family: the plain definition of what `page_features` computes in one call."""

from math import log1p

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Column, Longs, Matrix, title, tree
from dehusk.features.fast_text import TextRow, title_columns
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
    path_means,
    position_columns,
    running_totals,
    subtree_columns,
)
from dehusk.features.links import link_density
from dehusk.features.text import TextFeatures, text_features
from dehusk.features.tokens import AttributeTokens, TokenVocabulary
from dehusk.features.tree import FARTHEST, H1_BIT, HEADING_BITS, PROSE_WORDS, SHARES, STEPS_UP, Tree, read_tree
from dehusk.methods.kernel.features import DOCTYPES, PAGE_TYPES, PageFeatures
from dehusk.page import Page
from dehusk.page.walk_flags import LINKED


def by_family(page: Page, blocks: Blocks, vocabulary: TokenVocabulary) -> PageFeatures:
    """Compute all features of a page."""
    columns, counted, links = read_tree(page, blocks), text_features(blocks), link_density(blocks)
    totals = np.zeros((len(Total), len(counted.words) + 1))
    running_totals(counted.words, links, PROSE_WORDS, totals)
    in_tree = tree_features(page, blocks, columns, counted, links, totals)
    matrix = np.concatenate((counted.matrix, in_tree, title_features(page, blocks, columns)))
    words = max(float(totals[Total.ALL_WORDS, -1]), 1.0)
    sizes = [log1p(number) / 5 for number in (len(blocks), words, len(page.elements))]
    shares = [float(totals[total, -1]) / words for total in (Total.LINK_WORDS, Total.PROSE)]
    flags = [*(page.doctype == name for name in DOCTYPES), *(page.declared_type == name for name in PAGE_TYPES)]
    summary = np.array([*sizes, *shares, *flags], np.float32)
    tag, tokens = columns.elements[Element.TAG][columns.holder], token_bits(page, columns, vocabulary)
    return PageFeatures(matrix, columns.above, tag, tokens, summary, columns.groups, columns.sizes, counted.words)


def tree_features(
    page: Page, blocks: Blocks, columns: Tree, text: TextFeatures, links: Column, totals: NDArray[np.float64]
) -> Matrix:
    """Return one row per `TreeRow` and one column per block."""
    matrix: Matrix = np.empty((len(tree.NAMES), len(blocks)), np.float32)
    leaves, elements, holder = page.leaves, columns.elements, columns.holder
    spans = (leaves.opened, leaves.state, blocks.first_leaf, blocks.last_leaf)
    count_columns(matrix, LOGS, elements, holder, columns.groups, columns.sizes, *spans, LINKED)
    room = 2 * len(blocks) + 1
    count_repeats(text.hashes, LOGS, np.zeros(room, np.int64), np.zeros(room, np.int32), matrix[TreeRow.REPEATED])
    blocks_since(columns.above, HEADING_BITS, FARTHEST, LOGS, matrix[TreeRow.SINCE_HEADING])
    blocks_since(columns.above, H1_BIT, FARTHEST, LOGS, matrix[TreeRow.SINCE_H1])
    subtree_columns(matrix, LOGS, STEPS_UP, elements, holder, totals)
    position_columns(matrix, blocks.start, blocks.hidden, links, max(len(page.text), 1))
    paths, sizes = columns.groups[Grouping.BY_PATH], columns.sizes[Grouping.BY_PATH]
    page_words = max(float(totals[Total.ALL_WORDS, -1]), 1.0)
    path_means(matrix, paths, sizes, text.words, text.matrix[TextRow.WORDS], links, page_words)
    for index, share in enumerate(SHARES):
        row = TreeRow.INSIDE_20 + 2 * index
        dominance_columns(matrix, row, elements, totals[Total.PLAIN_WORDS], share, holder)
    return matrix


def title_features(page: Page, blocks: Blocks, columns: Tree) -> Matrix:
    """Return one row per `TitleRow` and one column per block."""
    matrix: Matrix = np.zeros((len(title.NAMES), len(blocks)), np.float32)
    title_words = set(page.title.lower().split())
    if title_words:
        text, start, end = blocks.text, blocks.start, blocks.end
        title_columns(text, start, end, columns.above, HEADING_BITS, title_words, title.FARTHEST, LOGS, matrix)
    return matrix


def token_bits(page: Page, columns: Tree, vocabulary: TokenVocabulary) -> AttributeTokens:
    """Return which tokens of the vocabulary are above each block."""
    parent, holder, numbers = columns.elements[Element.PARENT], columns.holder, vocabulary.longs
    own: Longs = np.zeros((len(parent), numbers), np.int64)
    anywhere: Longs = np.zeros((len(parent), numbers), np.int64)
    whole: Longs = np.zeros(numbers, np.int64)
    nodes, tags = page.elements.node, page.elements.tag
    marked, keys, values = page.elements.annotated, vocabulary.keys, vocabulary.values
    read_tokens(nodes, tags, parent, holder, marked, keys, values, own, anywhere, whole)
    both: Longs = np.empty((len(holder), 2 * numbers), np.int64)
    join_tokens(own, anywhere, holder, parent, both)
    return AttributeTokens(both, whole)


def assert_same(left: PageFeatures, right: PageFeatures) -> None:
    """Compare two pages' features, bit by bit."""
    for name in ("matrix", "above", "tag", "page", "groups", "sizes", "words"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)
    np.testing.assert_array_equal(left.tokens.both, right.tokens.both)
    np.testing.assert_array_equal(left.tokens.page, right.tokens.page)
