"""Table: the values of character n-grams in bits, and the bias and slope that turn bits into scores.

The models of clean and of dirty text are merged into one table, since only their difference is needed
(`dehusk.training.ncleaner.bits`).
"""

from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_hash_table import build_table
from dehusk.methods.ncleaner.alphabet import MODES, folding, mode_folding
from dehusk.methods.ncleaner.fast_ngrams import sum_bits

MOST: Final = 7  # codes per n-gram: one byte each, and the sign stays free
STEP: Final = 1 / 16  # bits; a value is stored in one byte

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class NgramTable:
    """A hash table of n-grams and their values in bits."""

    keys: NDArray[np.int64] = field(repr=False)
    values: NDArray[np.float32] = field(repr=False)
    order: int
    lexical: bool
    bias: float  # bits per character by which a clean segment must be likelier clean than dirty
    slope: float  # how fast scores change with bits
    neighbours: float  # weight of the segments before and after, relative to the segment itself; 0 in the paper
    mode: int | None = None  # one of the original's foldings in place of ours

    @classmethod
    def of(
        cls, keys: Array, bits: Array, order: int, *, lexical: bool, bias: float, slope: float, neighbours: float
    ) -> Self:
        """Build the table: twice as many slots as n-grams, and an odd number."""
        if not 1 <= order <= MOST:
            raise ValueError(f"n-grams must have 1 to {MOST} characters, got {order}")
        if keys.shape != bits.shape or keys.ndim != 1:
            raise ValueError(f"expected one value per n-gram, got {keys.shape} n-grams and {bits.shape} values")
        if np.any(keys <= 0) or not np.all(np.isfinite(bits)):
            raise ValueError("n-grams must be positive and values finite")
        if not (np.isfinite(bias) and np.isfinite(slope) and slope > 0 and 0 <= neighbours <= 1):
            raise ValueError(f"bias {bias}, slope {slope} or neighbours {neighbours} is out of range")
        table = build_table(keys.astype(np.int64), bits.astype(np.float32), 2 * len(keys) + 1)
        return cls(*table, order, lexical, bias, slope, neighbours)

    def with_mode(self, mode: int | None) -> Self:
        """Return the table for text folded in one of the original's modes, or as ours if it is None."""
        if mode is not None and mode not in MODES:
            raise ValueError(f"mode {mode} is none of {', '.join(map(str, MODES))}")
        return replace(self, mode=mode)

    def bits(self, text: str, start: Ints, end: Ints, order: int | None = None) -> Floats:
        """Return by how many bits per character each span of a text is likelier clean than dirty.

        With a smaller `order` than the table's, shorter n-grams decide, as if it had no longer ones.
        """
        order = min(order or self.order, self.order)
        codes = folding(self.lexical) if self.mode is None else mode_folding(self.mode)
        sums, counts = sum_bits(text, start, end, codes, self.keys, self.values, order)
        lengths = blended(counts.astype(np.float64), self.neighbours)
        bits: Floats = blended(sums, self.neighbours) / np.maximum(lengths, 1)
        return bits

    def scores(self, bits: Floats) -> Floats:
        """Return bits as scores: 0.5 at the bias, closer to 1 for dirtier segments."""
        scores: Floats = 1 / (1 + np.exp2(np.clip(self.slope * (bits - self.bias), -60, 60)))
        return scores


def blended(values: Floats, share: float) -> Floats:
    """Return each value plus a share of those before and after it.

    >>> blended(np.array([8.0, 0.0, 4.0]), 0.25)
    array([8., 3., 4.])
    """
    mixed = values.copy()
    mixed[1:] += share * values[:-1]
    mixed[:-1] += share * values[1:]
    return mixed
