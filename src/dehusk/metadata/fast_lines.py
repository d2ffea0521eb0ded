# cython: wraparound=False
"""Where the lines around a leaf begin.

Compiled with the C types in fast_lines.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray


def line_edges(
    parted: NDArray[np.uint8], leaf: int, above: int, below: int, most: int, new: int
) -> tuple[list[int], int]:
    """Return where the lines round a leaf begin, at last where the last one ends, and which of them is the leaf's own.

    At most so many lines `above` and `below` it, and about `most` leaves a line; `new` is what parts two lines.
    """
    low, high = leaf - most * above, leaf + most * below
    low = max(low, 0)
    high = min(high, len(parted))
    here = leaf
    while here > low and parted[here] < new:
        here -= 1
    edges = [here]
    place, count = here, 0
    while place > low and count < above:
        place -= 1
        if parted[place] >= new:
            edges.append(place)
            count += 1
    edges.reverse()
    place, found = leaf + 1, 0
    while place < high and found <= below:
        if parted[place] >= new:
            edges.append(place)
            found += 1
        place += 1
    if found <= below:
        edges.append(high)
    return edges, count
