"""Build: the tables of a language model from counts; sources are weighted, rare n-grams left out until it fits."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from dehusk.errors import UsageError
from dehusk.lm.table import OFFSET_BYTES, ProbabilityTable
from dehusk.lm.tokens import mixed
from dehusk.page.leaves import BoolArray
from dehusk.training.lm.counts import Merged, NgramCounts

# A source is weighted by the root of its size: one that is a hundred times as large has ten times the weight.
BALANCE: Final = 0.5
# A word less probable than this adds less than a twentieth to the floor that every word has.
MIN_WORD_PROBABILITY: Final = 2.5e-7
BINS: Final = 64  # for the weights of n-grams, per doubling
MOST: Final = 32 * BINS


def weights(words: Sequence[int]) -> list[float]:
    """Return the weight of one count of each source; that of the largest source is 1.

    >>> weights([400, 100])
    [1.0, 2.0]
    """
    most = max(words, default=1)
    return [(most / size) ** (1 - BALANCE) if size else 0.0 for size in words]


def tables(counts: NgramCounts, size: int, least: int = 1) -> tuple[list[ProbabilityTable], list[float]]:
    """Return the tables, at most `size` bytes together, and the least weight of the n-grams kept of each order."""
    weight = weights(counts.words)
    made, floors, room = [], [], size
    for order in range(1, counts.order + 1):
        room -= OFFSET_BYTES
        share = room if order == counts.order else room // 2
        floor = _floor(counts.merged(order, weight), share // 3, order, least)
        made.append(_table(counts.merged(order, weight), order, floor, least))
        floors.append(floor)
        room -= 3 * len(made[-1])
    return made, floors


def _floor(parts: Iterable[Merged], entries: int, order: int, least: int) -> float:
    """Return the weight that keeps no more than `entries` n-grams.

    By weight, not by count, since twice in a small source says more than twice in a large one.
    """
    histogram = np.zeros(MOST + 1, np.int64)
    for part in parts:
        weight = part.weight[_eligible(part, order, least)]
        histogram += np.bincount(np.clip(np.log2(weight) * BINS, 0, MOST).astype(np.int64), minlength=MOST + 1)
    above = np.cumsum(histogram[::-1])[::-1]  # how many weigh this much or more
    fitting = np.flatnonzero(above <= entries)
    if not len(fitting):
        raise UsageError(
            f"a model with room for {max(0, entries):,} n-grams of {order} is too small; allow more bytes",
            setting="bytes",
        )
    return float(2 ** (fitting[0] / BINS)) if fitting[0] else 0.0


def _eligible(part: Merged, order: int, least: int) -> BoolArray:
    return part.weight >= MIN_WORD_PROBABILITY * part.history_weight if order == 1 else part.counts >= least


def _table(parts: Iterable[Merged], order: int, floor: float, least: int) -> ProbabilityTable:
    keys, probabilities = [np.zeros(0, np.uint64)], [np.zeros(0, np.float32)]
    for part in parts:
        # Slightly less, since the edge of a bin is not exactly the power of two it was made from.
        kept = _eligible(part, order, least) & (part.weight >= floor * (1 - 1e-9))
        keys.append(part.keys[kept] if order == 1 else mixed(part.keys[kept]))
        probabilities.append((part.weight[kept] / part.history_weight[kept]).astype(np.float32))
    joined, values = np.concatenate(keys), np.concatenate(probabilities)
    sort = np.argsort(joined)
    return ProbabilityTable.of(joined[sort], values[sort])
