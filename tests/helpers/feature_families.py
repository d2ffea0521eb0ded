"""The kernel's features, family by family: what `page_features` computes in one call."""

from math import log1p

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features.fast_tree import Element, Total
from dehusk.features.links import link_density
from dehusk.features.text import text_features
from dehusk.features.title import title_features
from dehusk.features.tokens import Vocabulary, token_bits
from dehusk.features.tree import block_totals, read_tree, tree_features
from dehusk.methods.kernel.features import DOCTYPES, PAGE_TYPES, PageFeatures
from dehusk.page import Page


def by_family(page: Page, blocks: Blocks, vocabulary: Vocabulary) -> PageFeatures:
    """Compute all features of a page."""
    found, counted, links = read_tree(page, blocks), text_features(blocks), link_density(blocks)
    totals = block_totals(counted, links)
    in_tree = tree_features(page, blocks, found, counted, links, totals)
    matrix = np.concatenate((counted.matrix, in_tree, title_features(page, blocks, found)))
    words = max(float(totals[Total.ALL_WORDS, -1]), 1.0)
    sizes = [log1p(number) / 5 for number in (len(blocks), words, len(page.elements))]
    shares = [float(totals[total, -1]) / words for total in (Total.LINK_WORDS, Total.PROSE)]
    flags = [*(page.doctype == name for name in DOCTYPES), *(page.declared_type == name for name in PAGE_TYPES)]
    summary = np.array([*sizes, *shares, *flags], np.float32)
    tag, tokens = found.elements[Element.TAG][found.holder], token_bits(page, found, vocabulary)
    return PageFeatures(matrix, found.above, tag, tokens, summary, found.groups, found.sizes, counted.words)


def assert_same(left: PageFeatures, right: PageFeatures) -> None:
    """Compare two pages' features, bit by bit."""
    for name in ("matrix", "above", "tag", "page", "groups", "sizes", "words"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)
    np.testing.assert_array_equal(left.tokens.both, right.tokens.both)
    np.testing.assert_array_equal(left.tokens.page, right.tokens.page)
