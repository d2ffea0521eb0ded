"""The kernel's features: everything that its networks see of a page, in columns."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.features import Column, Ints, Longs, Matrix, text, title, tree
from dehusk.features.fast_tree import Grouping
from dehusk.features.tokens import AttributeTokens, TokenVocabulary
from dehusk.features.tree import TAG_FACTS
from dehusk.methods.kernel.fast_features import fill_features
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
    tokens: AttributeTokens
    page: NDArray[np.float32]  # one number per name in `PAGE_NAMES`
    groups: Ints  # one row per `Grouping`: the number of each block's group
    sizes: Ints  # one row per `Grouping`: the sizes of the groups, then zeros
    words: Column

    @classmethod
    def empty(cls, blocks: int, tokens: int) -> Self:
        """Return columns to be filled, for so many blocks and numbers of token bits."""
        several, whole = (len(Grouping), blocks), np.zeros(tokens, np.int64)
        return cls(
            matrix=np.empty((len(NAMES), blocks), np.float32),
            above=np.empty(blocks, np.int64),
            tag=np.empty(blocks, np.int32),
            tokens=AttributeTokens(np.empty((blocks, 2 * tokens), np.int64), whole),
            page=np.zeros(len(PAGE_NAMES), np.float32),
            groups=np.empty(several, np.int32),
            sizes=np.zeros(several, np.int32),
            words=np.empty(blocks, np.float32),
        )

    def __len__(self) -> int:
        return len(self.words)


def page_features(page: Page, blocks: Blocks, vocabulary: TokenVocabulary) -> PageFeatures:
    """Compute all features of a page, with those tokens that the vocabulary has."""
    features = PageFeatures.empty(len(blocks), vocabulary.longs)
    fill_features(features, page, blocks, vocabulary)
    features.page[PAGE_NAMES.index(page.doctype)] = 1
    declared = page.declared_type
    if declared in PAGE_TYPES:
        features.page[len(PAGE_NAMES) - len(PAGE_TYPES) + PAGE_TYPES.index(declared)] = 1
    return features
