"""Title features: which heading says what the page's title says, and where a block stands to it."""

from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Matrix
from dehusk.features.fast_title import title_columns
from dehusk.features.tree import HEADING_BITS, Tree
from dehusk.page import Page

NAMES: Final = ("since_title", "title", "before_title")
FAR: Final = 200
ALIKE: Final = 0.5  # the share of its words from which on a heading is the page's title


def title_features(page: Page, blocks: Blocks, found: Tree) -> Matrix:
    """Return one row a name in `NAMES` and one column a block."""
    matrix: Matrix = np.zeros((len(NAMES), len(blocks)), np.float32)
    # A page without headings need not be searched for its title.
    wanted = set(page.title.lower().split()) if (found.above & HEADING_BITS).any() else set()
    if wanted:
        where = (blocks.text, blocks.start, blocks.end, found.above)
        title_columns(*where, HEADING_BITS, wanted, ALIKE, FAR, LOGS, matrix)
    return matrix
