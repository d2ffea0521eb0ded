"""Title features: which heading says what the page's title says, and where a block stands to it."""

from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import Matrix
from dehusk.features.tree import HEADING_BITS, Tree
from dehusk.page import Page

NAMES: Final = ("since_title", "title", "before_title")
FAR: Final = 200
ALIKE: Final = 0.5  # the share of its words from which on a heading is the page's title


def title_features(page: Page, blocks: Blocks, found: Tree) -> Matrix:
    """Return one row a name in `NAMES` and one column a block."""
    matrix = np.zeros((len(NAMES), len(blocks)), np.float32)
    wanted = set(page.title.lower().split())
    for index in np.flatnonzero(found.above & HEADING_BITS).tolist() if wanted else ():
        words = set(blocks.text[blocks.start[index] : blocks.end[index]].lower().split())
        # One word in common with the title is chance; three are not.
        matrix[1, index] = len(words & wanted) / len(words) * min(1.0, len(words) / 3)
    best = int(matrix[1].argmax()) if len(blocks) else 0
    if len(blocks) and matrix[1, best] >= ALIKE:
        matrix[2, :best] = 1
        matrix[0, best:] = np.log1p(np.minimum(np.arange(len(blocks) - best), FAR))
    return matrix
