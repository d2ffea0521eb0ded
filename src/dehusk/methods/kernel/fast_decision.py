# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops over scores that decide a page's cut.

Compiled with the C types in fast_decision.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def best_f1(likely: NDArray[np.float64], words: Floats) -> float:
    """Return the F1 that is expected of the best choice of blocks, counted in words.

    With the best one, a block is worth taking if it is likelier than half of that F1. Choosing by half of the F1
    reached so far comes closer with each turn, and the choice gets smaller, so that it ends: mostly after five turns.
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


def moved(values: NDArray[np.float64], cut: float, above: float, out: NDArray[np.float64]) -> None:
    """Fill in the values stretched piece by piece, so that `cut` becomes 0.5, and 0.5 becomes `above`."""
    for index in range(len(values)):
        value = values[index]
        if value < cut:
            out[index] = value * (0.5 / cut)
        elif value < 0.5:
            out[index] = 0.5 + (value - cut) * ((above - 0.5) / (0.5 - cut))
        else:
            out[index] = above + (value - 0.5) * ((1.0 - above) / 0.5)
