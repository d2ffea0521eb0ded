"""Link density: how much of a block's text can be clicked."""

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import Column
from dehusk.features.fast_text import link_shares


def link_density(blocks: Blocks) -> Column:
    """Return the share of each block's characters that are in links, from 0 to 1.

    >>> link_density(Blocks.of(("Home", 4), ("half of it", 5), ("A plain sentence.", 0)))
    array([1. , 0.5, 0. ], dtype=float32)
    """
    density: Column = np.empty(len(blocks), np.float32)
    link_shares(blocks.link_chars, blocks.start, blocks.end, density)
    return density
