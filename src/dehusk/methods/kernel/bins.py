"""Bins: the ranges that features are parted into, so that the kernel's networks see each of them step by step.

The bins of a feature abut. So a value is in one of them, has passed all before it and has reached none after it; what
a network adds for it is the sum of the weights of those before, and as much of its own as the value has come in it.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.features import Ints, Longs
from dehusk.methods.kernel.aligned_arrays import lined_floats

Floats = NDArray[np.float32]
ABUT: Final = 1e-4  # of a bin's width: so near to its end the next one of its feature begins
TILE: Final = 16  # blocks that the compiled `look` takes at a time


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Which bins the features of each block are in; those that have not reached their first are left out."""

    rows: Ints  # bins, one block's after the other's
    shares: Floats  # how far the feature has come in the bin, from 0 to 1
    ends: Longs  # where each block's bins end


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """All bins, ordered by feature, and those of a feature by where they begin."""

    column: Ints  # which feature each bin belongs to
    low: Floats  # where the bin begins
    slope: Floats  # one over its width
    first: Ints  # of every feature, the number of its first bin, then that of all bins

    @classmethod
    def of(cls, arrays: dict[str, NDArray[np.generic]]) -> Self:
        """Make bins of named arrays; raise ModelError where they are none."""
        column = np.ascontiguousarray(arrays["column"], np.int32)
        low, slope = lined_floats(arrays["low"]), lined_floats(arrays["slope"])
        if not _abut(column, low, slope):
            raise unfit()
        first = np.searchsorted(column, np.arange(int(column[-1]) + 2)).astype(np.int32)
        return cls(column, low, slope, first)

    def __len__(self) -> int:
        return len(self.column)

    def equals(self, other: Self) -> bool:
        """Tell whether these are the same bins."""
        pairs = (self.column, other.column), (self.low, other.low), (self.slope, other.slope)
        return all(np.array_equal(*pair) for pair in pairs)

    def places(self, matrix: Floats) -> Places:
        """Return which bins the features of each block are in; `matrix` has one row a feature."""
        count = matrix.shape[1]
        room = (count + TILE) * (len(self.first) - 1)
        found = Places(np.empty(room, np.int32), np.empty(room, np.float32), np.empty(count, np.int64))
        look(matrix, self.first, self.low, self.slope, found.rows, found.shares, found.ends)
        return found

    def passed(self, matrix: Floats, bins: NDArray[np.intp]) -> Floats:
        """Return how far each block's features have come in some bins: 0 before them, 1 beyond."""
        begun = matrix[self.column[bins]] - self.low[bins, None]
        passed: Floats = np.clip(begun * self.slope[bins, None], 0, 1)
        return passed

    def risen(self, weights: Floats) -> Floats:
        """Return two rows a bin: the sum of the weights of all before it of the same feature, and its own.

        >>> bins = Bins.of({"column": np.array([0, 0, 1]), "low": np.array([0, 1, 0]), "slope": np.ones(3)})
        >>> bins.risen(np.array([[1], [2], [4]], np.float32)).tolist()
        [[[0.0], [1.0]], [[1.0], [2.0]], [[0.0], [4.0]]]
        """
        before = np.cumsum(weights, axis=0, dtype=np.float64) - weights
        before -= before[self.first[self.column]]
        return lined_floats(np.stack((before, weights), axis=1))


def unfit() -> ModelError:
    """Return the error about weights that would be read beyond their ends."""
    return ModelError("the kernel's weights do not fit together; install dehusk again or train it anew")


def _abut(column: Ints, low: Floats, slope: Floats) -> bool:
    """Tell whether these are bins of every feature, of which each begins where the one before it ends."""
    if column.ndim != 1 or not len(column) or not column.shape == low.shape == slope.shape:
        return False
    same = np.diff(column) == 0
    if column[0] != 0 or not (same | (np.diff(column) == 1)).all():
        return False
    if not (np.isfinite([low, slope]).all() and (slope > 0).all()):
        return False
    width = 1 / slope[:-1].astype(np.float64)
    apart = np.abs(np.diff(low.astype(np.float64)) - width)
    # What rounding to single precision may have moved both ends by counts as nothing.
    return bool((apart <= ABUT * width + 4 * np.spacing(np.abs(low[1:])))[same].all())


def _look(matrix: Floats, first: Ints, low: Floats, slope: Floats, rows: Ints, shares: Floats, ends: Longs) -> None:
    sizes = np.diff(first)
    reached = np.repeat(matrix[: len(sizes)], sizes, axis=0) > low[:, None]
    bins = np.add.reduceat(reached, first[:-1], axis=0, dtype=np.int32)
    blocks, features = np.nonzero(bins.T)
    found = first[features] + bins[features, blocks] - 1
    rows[: len(found)] = found
    with np.errstate(over="ignore"):
        shares[: len(found)] = np.minimum((matrix[features, blocks] - low[found]) * slope[found], 1)
    ends[:] = np.searchsorted(blocks, np.arange(len(ends)), side="right")


try:
    from dehusk.methods.kernel import layers
except ImportError:  # there was no compiler
    look = _look
else:
    look = layers.look
