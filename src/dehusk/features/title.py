"""Title features: which heading repeats the page's title, and where a block is relative to it."""

from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Matrix, row_names
from dehusk.features.fast_text import TitleRow, title_columns
from dehusk.features.tree import HEADING_BITS, Tree
from dehusk.page import Page

NAMES: Final = row_names(TitleRow)
FARTHEST: Final = 200  # blocks: those further down count as if they were this far from the title


def title_features(page: Page, blocks: Blocks, tree: Tree) -> Matrix:
    """Return one row per `TitleRow` and one column per block."""
    matrix: Matrix = np.zeros((len(NAMES), len(blocks)), np.float32)
    # The title of a page without headings need not be looked up.
    title_words = set(page.title.lower().split()) if (tree.above & HEADING_BITS).any() else set()
    if title_words:
        text, start, end = blocks.text, blocks.start, blocks.end
        title_columns(text, start, end, tree.above, HEADING_BITS, title_words, FARTHEST, LOGS, matrix)
    return matrix
