"""The kernel's features: everything that its networks see of a page, in columns."""

from dataclasses import dataclass
from math import log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.features import Column, Ints, Longs, Matrix, text, title, tree
from dehusk.features.fast_tree import Element, Total
from dehusk.features.links import link_density
from dehusk.features.text import text_features
from dehusk.features.title import title_features
from dehusk.features.tokens import Tokens, Vocabulary, token_bits
from dehusk.features.tree import TAG_FACTS, block_totals, read_tree, tree_features
from dehusk.page import Page

NAMES: Final = (*text.NAMES, *tree.NAMES, *title.NAMES)
ROWS: Final = {name: row for row, name in enumerate(NAMES)}
DOCTYPES: Final = ("html5", "html4", "xhtml", "none")
PAGE_TYPES: Final = ("article", "product", "website", "")  # the page's og:type; "" where it has none
PAGE_NAMES: Final = ("blocks", "words", "elements", "links", "prose", *DOCTYPES, *PAGE_TYPES)
TAGS: Final = len(TAG_FACTS) + 1


@dataclass(frozen=True, slots=True, eq=False)
class PageFeatures:
    """Columns over the blocks of a page, and one over the page."""

    matrix: Matrix  # one row per name in `NAMES`
    above: Longs  # bits of `tree.ABOVE`
    tag: Ints  # the number of the tag that holds each block, below `TAGS`
    tokens: Tokens
    page: NDArray[np.float32]  # one number per name in `PAGE_NAMES`
    groups: Ints  # one row per `Grouping`: the number of each block's group
    sizes: Ints  # one row per `Grouping`: the sizes of the groups, then zeros
    words: Column

    def __len__(self) -> int:
        return len(self.words)


def page_features(page: Page, blocks: Blocks, vocabulary: Vocabulary) -> PageFeatures:
    """Compute all features of a page, with those tokens that the vocabulary has."""
    found, counted, links = read_tree(page, blocks), text_features(blocks), link_density(blocks)
    totals = block_totals(counted, links)
    in_tree = tree_features(page, blocks, found, counted, links, totals)
    matrix = np.concatenate((counted.matrix, in_tree, title_features(page, blocks, found)))
    tag = found.elements[Element.TAG][found.holder]
    tokens = token_bits(page, found, vocabulary)
    summary = _summary(page, len(blocks), totals[:, -1])
    return PageFeatures(matrix, found.above, tag, tokens, summary, found.groups, found.sizes, counted.words)


def _summary(page: Page, blocks: int, totals: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the features of the page as a whole, in the order of `PAGE_NAMES`."""
    words = max(float(totals[Total.ALL_WORDS]), 1.0)
    counts = [log1p(number) / 5 for number in (blocks, words, len(page.elements))]
    shares = [float(totals[total]) / words for total in (Total.LINK_WORDS, Total.PROSE)]
    declared = page.declared_type
    flags = [*(page.doctype == name for name in DOCTYPES), *(declared == name for name in PAGE_TYPES)]
    return np.array([*counts, *shares, *flags], np.float32)
