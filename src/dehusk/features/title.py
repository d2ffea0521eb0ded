"""Title features: which heading says what the page's title says, and where a block stands to it."""

from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Matrix
from dehusk.features.tree import HEADING_BITS, Tree
from dehusk.page import Page

NAMES: Final = ("since_title", "title", "before_title")
FAR: Final = 200
ALIKE: Final = 0.5  # the share of its words from which on a heading is the page's title


def title_features(page: Page, blocks: Blocks, found: Tree) -> Matrix:
    """Return one row a name in `NAMES` and one column a block."""
    matrix: Matrix = np.zeros((len(NAMES), len(blocks)), np.float32)
    headings = np.flatnonzero(found.above & HEADING_BITS)
    wanted = set(page.title.lower().split()) if len(headings) else None
    if not wanted:
        return matrix
    text, shares = blocks.text, []
    for start, end in zip(blocks.start[headings].tolist(), blocks.end[headings].tolist(), strict=True):
        words = text[start:end].lower().split()
        common = len(wanted.intersection(words))
        # Most headings have nothing in common with the title, and need not be counted.
        count = len(set(words)) if common else 1
        shares.append(common / count * min(1.0, count / 3))  # one word is chance; three are not
    matrix[1, headings] = shares
    best = int(headings[shares.index(max(shares))])
    if matrix[1, best] >= ALIKE:
        matrix[2, :best] = 1
        matrix[0, best:] = LOGS[: FAR + 1][np.minimum(np.arange(len(blocks) - best), FAR)]
    return matrix
