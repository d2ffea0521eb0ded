# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops before and after the networks: their inputs, and the decision about their outputs.

Compiled with the C types in fast_scoring.pxd; runs as plain Python with the same results.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.features import Floats, Ints, Longs

Doubles = NDArray[np.float64]


def group_shares(sizes: Ints, shares: Floats) -> None:
    """Fill in 1 / size for each group, and 1 where there is none."""
    for way in range(sizes.shape[0]):
        for index in range(sizes.shape[1]):
            shares[way, index] = 1.0 / max(sizes[way, index], 1)


def spread_bits(bits: Longs, used: int, out: Floats) -> None:
    """Fill in 1 for every bit that is set and 0 for the others, `used` bits of each number, until `out` is full."""
    for bit in range(len(out)):
        out[bit] = (bits[bit // used] >> (bit % used)) & 1


def add_rows(factors: Floats, weights: Floats, total: Floats) -> None:
    """Add to `total` the rows of `weights`, each times its factor; most factors are 0, and their rows are not read."""
    for row in range(len(factors)):
        if factors[row] != 0:
            for column in range(len(total)):
                total[column] += factors[row] * weights[row, column]


def expected_f1(likely: Doubles, words: Floats) -> float:
    """Return the F1, counted in words, that the best choice of blocks is expected to reach.

    >>> float(expected_f1(np.array([1.0, 0.0]), np.array([10, 5], np.float32)))
    1.0

    The best choice takes the blocks that are likelier than half of its F1. Choosing by half of the F1 reached so far
    gets closer with each turn, and the choice gets smaller, so that it ends: usually after five turns.
    """
    total = best = 0.0
    for index in range(len(likely)):
        total += words[index] * likely[index]
    while True:
        taken = right = 0.0
        for index in range(len(likely)):
            if 2 * likely[index] > best:
                taken += words[index]
                right += words[index] * likely[index]
        reached = 2 * right / (taken + total) if taken > 0 else 0.0
        if not reached > best:
            return best
        best = reached


def stretch(values: Doubles, cut: float, above: float, out: Doubles) -> None:
    """Fill in the values mapped linearly piece by piece, so that `cut` becomes 0.5, and 0.5 becomes `above`."""
    for index in range(len(values)):
        value = values[index]
        if value < cut:
            out[index] = value * (0.5 / cut)
        elif value < 0.5:
            out[index] = 0.5 + (value - cut) * ((above - 0.5) / (0.5 - cut))
        else:
            out[index] = above + (value - 0.5) * ((1.0 - above) / 0.5)
