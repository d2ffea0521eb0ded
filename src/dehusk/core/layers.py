# cython: cdivision=True, wraparound=False, boundscheck=False
"""Layers: the steps of the kernel's network that numpy would need many passes for, each in one loop over numbers.

Worth calling only when compiled; `dehusk.methods.network` has the same in numpy.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


def add_rows(weights: Floats, indices: Ints, offsets: Ints, out: Floats) -> None:
    """Add to every row of `out` the rows of `weights` that `indices` lists for it, from its offset to the next."""
    width = weights.shape[1]
    for row in range(out.shape[0]):
        for place in range(offsets[row], offsets[row + 1]):
            index = indices[place]
            for column in range(width):
                out[row, column] += weights[index, column]


def ramp(matrix: Floats, column: Ints, low: Floats, slope: Floats, out: Floats) -> None:
    """Write to every row of `out` how far a feature has come in one of its bins: 0 before it, 1 beyond it."""
    for row in range(len(column)):
        index, begin, rise = column[row], low[row], slope[row]
        for place in range(matrix.shape[1]):
            value = (matrix[index, place] - begin) * rise
            value = value if value > 0.0 else 0.0
            out[row, place] = value if value < 1.0 else 1.0


def pool(values: Floats, pooled: Floats) -> None:
    """Write the means over the rows to the first half of `pooled`, the largest values to the second."""
    count, width = values.shape[0], values.shape[1]
    for column in range(width):
        pooled[column] = 0.0
        pooled[width + column] = -1e30
    for row in range(count):
        for column in range(width):
            value = values[row, column]
            pooled[column] += value
            pooled[width + column] = value if value > pooled[width + column] else pooled[width + column]
    for column in range(width):
        pooled[column] /= count


def normalise(values: Floats, gain: Floats, bias: Floats, out: Floats, pooled: Floats) -> None:
    """Write every row to `out` with mean 0 and variance 1, times `gain`, plus `bias`; and pool what was written.

    The first half of `pooled` gets the means over the rows, the second half the largest values.
    """
    count, width = values.shape[0], values.shape[1]
    for column in range(width):
        pooled[column] = 0.0
        pooled[width + column] = -1e30
    for row in range(count):
        mean = square = 0.0
        for column in range(width):
            mean += values[row, column]
            square += values[row, column] * values[row, column]
        mean /= width
        square = square / width - mean * mean
        scale = ((square if square > 0.0 else 0.0) + 1e-5) ** -0.5
        for column in range(width):
            value = (values[row, column] - mean) * scale * gain[column] + bias[column]
            out[row, column] = value
            pooled[column] += value
            pooled[width + column] = value if value > pooled[width + column] else pooled[width + column]
    for column in range(width):
        pooled[column] /= count


def advance(state: Floats, update: Floats, pooled: Floats, weights: Floats, shift: Floats) -> None:
    """Add to `state` what is positive of `update`, `shift` and what `weights` make of `pooled`; `shift` is lost."""
    width = state.shape[1]
    for row in range(weights.shape[0]):
        value = pooled[row]
        for column in range(width):
            shift[column] += value * weights[row, column]
    for row in range(state.shape[0]):
        for column in range(width):
            value = update[row, column] + shift[column]
            state[row, column] += value if value > 0.0 else 0.0


def blend(  # noqa: C901, PLR0912, PLR0913, PLR0917
    values: Floats, taps: Floats, step: int, groups: Ints, shares: Floats, weights: Floats, sums: Floats, out: Floats
) -> None:
    """Write to `out`, for every row, a weighted sum of the rows round it and of the means of its groups.

    `taps` weigh the rows `step` apart, the row itself in the middle; what lies beyond the edges is zero. Each row of
    `groups` numbers the rows' groups, `shares` has one over the size of each, `weights` what their means count for.
    """
    count, width, reach = values.shape[0], values.shape[1], taps.shape[0] // 2
    for row in range(count):
        for column in range(width):
            out[row, column] = values[row, column] * taps[reach, column]
        for tap in range(taps.shape[0]):
            other = row + (tap - reach) * step
            if tap != reach and 0 <= other < count:
                for column in range(width):
                    out[row, column] += values[other, column] * taps[tap, column]
    for way in range(groups.shape[0]):
        for row in range(count):
            index = groups[way, row]
            share = shares[way, index]
            if share == 1.0:  # alone in its group: it is its own mean
                for column in range(width):
                    out[row, column] += values[row, column] * weights[way, column]
            else:
                for column in range(width):
                    sums[index, column] += values[row, column]
        for row in range(count):
            index = groups[way, row]
            share = shares[way, index]
            if share != 1.0:
                for column in range(width):
                    out[row, column] += sums[index, column] * share * weights[way, column]
        for row in range(count):
            index = groups[way, row]
            for column in range(width):
                sums[index, column] = 0.0
