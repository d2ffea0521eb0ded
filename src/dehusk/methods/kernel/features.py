"""View: everything that a model of ours sees of a page, in columns."""

from dataclasses import dataclass
from math import log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.features import Ints, Longs, Matrix, text, title, tree
from dehusk.features.text import text_features
from dehusk.features.title import title_features
from dehusk.features.tokens import Tokens, Vocabulary, token_bits
from dehusk.features.tree import FACTS, Tree, tree_features
from dehusk.page import Page

NAMES: Final = (*text.NAMES, *tree.NAMES, *title.NAMES)
DOCTYPES: Final = ("html5", "html4", "xhtml", "none")
PAGE_TYPES: Final = ("article", "product", "website", "")  # what og:type says; "" where it says nothing
PAGE_NAMES: Final = ("blocks", "words", "elements", "links", "prose", *DOCTYPES, *PAGE_TYPES)
TAGS: Final = len(FACTS) + 1


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Columns over the blocks of a page, and one over the page."""

    matrix: Matrix  # one row a name in `NAMES`
    above: Longs  # bits of `tree.ABOVE`
    tag: Ints  # the number of the tag that holds each block, below `TAGS`
    tokens: Tokens
    page: NDArray[np.float32]  # one number a name in `PAGE_NAMES`
    groups: Ints  # one row a way to group blocks
    sizes: Ints  # of each way, the sizes of the groups, then zeros
    words: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)


def view(page: Page, blocks: Blocks, vocabulary: Vocabulary) -> View:
    """Look at a page, at those tokens that the vocabulary knows."""
    found = tree.tree(page, blocks)
    told = text_features(blocks)
    totals = tree.running(told)
    rows = (told.matrix, tree_features(page, blocks, found, told, totals), title_features(page, blocks, found))
    tag = found.columns[4][found.holder]
    bits = token_bits(page, found.holder, found.columns[0], vocabulary)
    summary = _summary(page, totals[:, -1].tolist(), found)
    return View(np.concatenate(rows), found.above, tag, bits, summary, found.groups, found.sizes, told.words)


def _summary(page: Page, totals: list[float], found: Tree) -> NDArray[np.float32]:
    words, linked, _, _, prose = totals
    total = max(words, 1.0)
    numbers = [log1p(number) / 5 for number in (len(found.holder), total, found.columns.shape[1])]
    shares = [linked / total, prose / total]
    said = page.declared_type
    flags = [*(page.doctype == name for name in DOCTYPES), *(said == name for name in PAGE_TYPES)]
    return np.array([*numbers, *shares, *flags], np.float32)
