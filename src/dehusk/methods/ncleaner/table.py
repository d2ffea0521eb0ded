"""Table: what n-grams of characters are worth in bits, and the bias and the slope that turn bits into scores.

Two models, one of clean text and one of dirty, come as one table, since only their difference is ever asked for
(`dehusk.training.ncleaner.bits`).
"""

from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.ncleaner.alphabet import EDGE, folding
from dehusk.methods.ncleaner.fast_ngrams import spread, weigh

MOST: Final = 7  # codes in an n-gram: a byte each, and the sign stays free
STEP: Final = 1 / 16  # bits; what n-grams are worth is kept in one byte

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """N-grams, ready to be looked up."""

    slots: NDArray[np.int64] = field(repr=False)
    worth: NDArray[np.float32] = field(repr=False)
    order: int
    lexical: bool
    bias: float  # bits a character that a segment must be likelier clean than dirty
    slope: float  # how fast scores change with bits
    neighbours: float  # how much the segments before and after count, where a segment counts 1; in the paper nothing

    @classmethod
    def of(
        cls,
        keys: NDArray[Any],
        bits: NDArray[Any],
        order: int,
        *,
        lexical: bool,
        bias: float,
        slope: float,
        neighbours: float,
    ) -> Self:
        """Lay out n-grams so that they are found quickly: twice as much room as there are, and an odd number."""
        if not 1 <= order <= MOST:
            raise ValueError(f"n-grams must have 1 to {MOST} characters, got {order}")
        if keys.shape != bits.shape or keys.ndim != 1:
            raise ValueError(f"there are {keys.shape} n-grams and {bits.shape} values")
        if np.any(keys <= 0) or not np.all(np.isfinite(bits)):
            raise ValueError("some n-grams or values are no numbers that training writes")
        if not (np.isfinite(bias) and np.isfinite(slope) and slope > 0 and 0 <= neighbours <= 1):
            raise ValueError(f"bias {bias}, slope {slope} and neighbours {neighbours} make no scores")
        slots = np.zeros(2 * len(keys) + 1, np.int64)
        worth = np.zeros(len(slots), np.float32)
        spread(keys.astype(np.int64), bits.astype(np.float32), slots, worth)
        return cls(slots, worth, order, lexical, bias, slope, neighbours)

    def bits(self, text: str, start: Ints, end: Ints) -> Floats:
        """Return by how many bits a character each span of a text is likelier clean than dirty."""
        total, count = np.zeros(len(start)), np.zeros(len(start), np.int32)
        weigh(text, start, end, EDGE, folding(self.lexical), self.slots, self.worth, self.order, total, count)
        sizes = blended(count.astype(np.float64), self.neighbours)
        bits: Floats = blended(total, self.neighbours) / np.maximum(sizes, 1)
        return bits

    def scores(self, bits: Floats) -> Floats:
        """Return bits as scores: 0.5 at the bias, nearer to 1 the dirtier."""
        scores: Floats = 1 / (1 + np.exp2(np.clip(self.slope * (bits - self.bias), -60, 60)))
        return scores


def blended(values: Floats, share: float) -> Floats:
    """Add to each value a share of those before and after it.

    >>> blended(np.array([8.0, 0.0, 4.0]), 0.25)
    array([8., 3., 4.])
    """
    mixed = values.copy()
    mixed[1:] += share * values[:-1]
    mixed[:-1] += share * values[1:]
    return mixed
