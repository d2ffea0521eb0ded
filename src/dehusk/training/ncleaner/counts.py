"""Counts: how often each n-gram of codes occurs in some segments, and sums and differences of counts.

An n-gram is one number of 64 bits, one byte per code, the last code in the lowest byte, as in
`dehusk.methods.ncleaner.fast_ngrams`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.ncleaner.alphabet import EDGE, Folding
from dehusk.methods.ncleaner.fast_ngrams import fold
from dehusk.training.columns import Doubles, Longs

MOST: Final = 8  # codes in a number

Keys = NDArray[np.uint64]
Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class CodeStream:
    """Segments as codes, one after the other, each between two edges."""

    codes: Codes
    offset: Longs  # of each code in its segment; 0 is the edge before it, given but never predicted

    @classmethod
    def of(cls, segments: Iterable[str], folding: Folding) -> Self:
        """Fold segments.

        >>> from dehusk.methods.ncleaner.alphabet import folding
        >>> stream = CodeStream.of(["Ab", "é"], folding())
        >>> stream.codes.tolist(), stream.offset.tolist()
        ([1, 65, 98, 1, 1, 101, 1], [0, 1, 2, 3, 0, 1, 2])
        """
        pieces: list[Codes] = []
        for text in segments:
            room = np.empty(len(text) + 2, np.uint8)
            room[0] = EDGE
            size = fold(text, 0, len(text), folding, room[1:])
            room[size + 1] = EDGE
            pieces.append(room[: size + 2])
        sizes = np.array([len(piece) for piece in pieces], np.int64)
        codes = np.concatenate(pieces) if pieces else np.empty(0, np.uint8)
        return cls(codes, np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes))

    def keys(self, order: int) -> Keys:
        """Return the n-gram of an order that ends at each code, padded with zeros before the start of a segment."""
        keys = np.zeros(len(self.codes), np.uint64)
        for back in range(min(order, len(keys))):
            inside = self.offset[back:] >= back
            shifted = self.codes[: len(keys) - back].astype(np.uint64) << np.uint64(8 * back)
            keys[back:] |= np.where(inside, shifted, np.uint64(0))
        return keys


@dataclass(frozen=True, slots=True, eq=False)
class CodeCounts:
    """The n-grams of each order, starting at 1, sorted by their numbers, and how often each occurs."""

    orders: tuple[tuple[Keys, Doubles], ...]

    @classmethod
    def of(cls, stream: CodeStream, order: int) -> Self:
        """Count n-grams; none reaches beyond the start of its segment.

        >>> from dehusk.methods.ncleaner.alphabet import folding
        >>> counted = CodeCounts.of(CodeStream.of(["aa"], folding()), 2)
        >>> [list(zip(keys.tolist(), counts.tolist())) for keys, counts in counted.orders]
        [[(1, 1.0), (97, 2.0)], [(353, 1.0), (24833, 1.0), (24929, 1.0)]]
        """
        orders = []
        for length in range(1, order + 1):
            predicted = stream.offset >= max(1, length - 1)
            keys, counts = np.unique(stream.keys(length)[predicted], return_counts=True)
            orders.append((keys, counts.astype(np.float64)))
        return cls(tuple(orders))

    @classmethod
    def total(cls, parts: Sequence["CodeCounts"]) -> Self:
        """Add up the counts of several streams."""
        summed = []
        for each in zip(*(part.orders for part in parts), strict=True):
            keys, owner = np.unique(np.concatenate([keys for keys, _ in each]), return_inverse=True)
            weights = np.concatenate([counts for _, counts in each])
            counts: Doubles = np.bincount(owner, weights, len(keys)).astype(np.float64)
            summed.append((keys, counts))
        return cls(tuple(summed))

    def less(self, other: "CodeCounts") -> "CodeCounts":
        """Subtract, as differential training does: what is on the whole page but not in its clean text.

        N-grams that the other has as often, or more often, are dropped.
        """
        left = []
        for (keys, counts), (theirs, fewer) in zip(self.orders, other.orders, strict=True):
            rest = counts - look_up(keys, theirs, fewer)
            left.append((keys[rest > 0], rest[rest > 0]))
        return CodeCounts(tuple(left))


def look_up(queries: Keys, keys: Keys, values: Doubles) -> Doubles:
    """Return the value of each query, 0 if it is not among the keys.

    >>> look_up(np.array([3, 7], np.uint64), np.array([1, 3], np.uint64), np.array([0.5, 2.0]))
    array([2., 0.])
    """
    if not len(keys):
        return np.zeros(len(queries))
    index = np.minimum(np.searchsorted(keys, queries), len(keys) - 1)
    matched: Doubles = np.where(keys[index] == queries, values[index], 0.0)
    return matched
