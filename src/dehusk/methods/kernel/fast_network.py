# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops that prepare the inputs of the networks.

Compiled with the C types in fast_network.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def group_shares(sizes: Ints, shares: Floats) -> None:
    """Fill in one over each size, and one where there is none."""
    for way in range(sizes.shape[0]):
        for index in range(sizes.shape[1]):
            shares[way, index] = 1.0 / (sizes[way, index] if sizes[way, index] > 1 else 1)


def spread_bits(bits: Longs, used: int, out: Floats) -> None:
    """Fill in 1 for every bit that is set and 0 for others, `used` of each number, as many as there is room for."""
    for number in range(len(out)):
        out[number] = (bits[number // used] >> (number % used)) & 1


def add_rows(given: Floats, weights: Floats, total: Floats) -> None:
    """Add to `total` the rows of `weights`, each as often as is `given`; most are not, and need not be read."""
    for row in range(len(given)):
        if given[row] != 0:
            for column in range(len(total)):
                total[column] += given[row] * weights[row, column]
