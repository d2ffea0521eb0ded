"""Bins: the ranges that features are split into, so that the kernel's networks see each of them step by step.

The bins of a feature are adjacent. So a value is in one of them, has passed all before it and reached none after it; a
network adds for it the weights of the bins before, and as much of its own bin's weight as the value has passed of it.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.features import Floats, Ints, Longs
from dehusk.methods.kernel.aligned_arrays import aligned_floats

TOLERANCE: Final = 1e-4  # of a bin's width: how far from its end the next one may begin
TILE: Final = 16  # blocks that the compiled `find_bins` takes at a time


@dataclass(frozen=True, slots=True, eq=False)
class BinValues:
    """Which bins the features of each block are in; features that have not reached their first are left out."""

    rows: Ints  # bins, block after block
    shares: Floats  # how much of the bin the feature has passed, from 0 to 1
    ends: Longs  # where each block's bins end


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """All bins, ordered by feature, and those of a feature by where they begin."""

    column: Ints  # which feature each bin belongs to
    low: Floats  # where the bin begins
    slope: Floats  # one over its width
    first: Ints  # of every feature, the number of its first bin, then the number of all bins

    @classmethod
    def of(cls, arrays: dict[str, NDArray[np.generic]]) -> Self:
        """Make bins of named arrays; raise ModelError where these are invalid."""
        column = np.ascontiguousarray(arrays["column"], np.int32)
        low, slope = aligned_floats(arrays["low"]), aligned_floats(arrays["slope"])
        if not _adjacent(column, low, slope):
            raise inconsistent_weights()
        first = np.searchsorted(column, np.arange(int(column[-1]) + 2)).astype(np.int32)
        return cls(column, low, slope, first)

    def __len__(self) -> int:
        return len(self.column)

    def equals(self, other: Self) -> bool:
        """Return whether these are the same bins."""
        pairs = (self.column, other.column), (self.low, other.low), (self.slope, other.slope)
        return all(np.array_equal(*pair) for pair in pairs)

    def values(self, matrix: Floats) -> BinValues:
        """Return which bins the features of each block are in; `matrix` has one row per feature."""
        count = matrix.shape[1]
        room = (count + TILE) * (len(self.first) - 1)
        values = BinValues(np.empty(room, np.int32), np.empty(room, np.float32), np.empty(count, np.int64))
        find_bins(matrix, self, values)
        return values

    def passed(self, matrix: Floats, bins: NDArray[np.intp]) -> Floats:
        """Return how much each block's features have passed of some bins: 0 before them, 1 beyond."""
        begun = matrix[self.column[bins]] - self.low[bins, None]
        passed: Floats = np.clip(begun * self.slope[bins, None], 0, 1)
        return passed

    def cumulated(self, weights: Floats) -> Floats:
        """Return two rows per bin: the sum of the weights of all bins before it of the same feature, and its own.

        >>> bins = Bins.of({"column": np.array([0, 0, 1]), "low": np.array([0, 1, 0]), "slope": np.ones(3)})
        >>> bins.cumulated(np.array([[1], [2], [4]], np.float32)).tolist()
        [[[0.0], [1.0]], [[1.0], [2.0]], [[0.0], [4.0]]]
        """
        before = np.cumsum(weights, axis=0, dtype=np.float64) - weights
        before -= before[self.first[self.column]]
        return aligned_floats(np.stack((before, weights), axis=1))


def inconsistent_weights() -> ModelError:
    """Return the error about weights that compiled loops would read beyond their ends."""
    return ModelError("the kernel's weights do not fit together; reinstall dehusk or retrain it")


def _adjacent(column: Ints, low: Floats, slope: Floats) -> bool:
    """Return whether these are bins of every feature, each of which begins where the one before it ends."""
    if column.ndim != 1 or not len(column) or not column.shape == low.shape == slope.shape:
        return False
    same = np.diff(column) == 0
    if column[0] != 0 or not (same | (np.diff(column) == 1)).all():
        return False
    if not (np.isfinite([low, slope]).all() and (slope > 0).all()):
        return False
    width = 1 / slope[:-1].astype(np.float64)
    apart = np.abs(np.diff(low.astype(np.float64)) - width)
    # Rounding to single precision may have moved both ends.
    return bool((apart <= TOLERANCE * width + 4 * np.spacing(np.abs(low[1:])))[same].all())


def _find_bins(matrix: Floats, bins: Bins, values: BinValues) -> None:
    sizes = np.diff(bins.first)
    reached = np.repeat(matrix[: len(sizes)], sizes, axis=0) > bins.low[:, None]
    counts = np.add.reduceat(reached, bins.first[:-1], axis=0, dtype=np.int32)
    blocks, features = np.nonzero(counts.T)
    rows = bins.first[features] + counts[features, blocks] - 1
    values.rows[: len(rows)] = rows
    with np.errstate(over="ignore"):
        passed = (matrix[features, blocks] - bins.low[rows]) * bins.slope[rows]
        values.shares[: len(rows)] = np.minimum(passed, 1)
    values.ends[:] = np.searchsorted(blocks, np.arange(len(values.ends)), side="right")


try:
    from dehusk.methods.kernel import layers
except ImportError:  # there was no compiler
    find_bins = _find_bins
else:
    find_bins = layers.find_bins
