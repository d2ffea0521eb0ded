"""Link density: how much of a block's text can be clicked."""

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import Column


def link_density(blocks: Blocks) -> Column:
    """Return the share of each block's characters that are in links, from 0 to 1.

    >>> link_density(Blocks.of(("Home", 4), ("half of it", 5), ("A plain sentence.", 0)))
    array([1. , 0.5, 0. ], dtype=float32)
    """
    density: Column = (blocks.link_chars / np.maximum(blocks.end - blocks.start, 1)).astype(np.float32)
    return density
