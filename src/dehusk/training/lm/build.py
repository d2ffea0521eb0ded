"""Build: from counts to the tables of a language model, sources weighed, rare n-grams left out until it fits."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from dehusk.errors import UsageError
from dehusk.lm.table import OFFSET_BYTES, Table
from dehusk.lm.tokens import mixed
from dehusk.page.leaves import BoolArray
from dehusk.training.lm.counts import Counts, Merged

# A source counts by the root of its size, so that one that is a hundred times as large has ten times the say.
BALANCE: Final = 0.5
# A single word less probable than this adds less than a twentieth to what every word has anyway.
LEAST_WORD: Final = 2.5e-7
BINS: Final = 64  # that the weights of n-grams are sorted into, to every doubling
MOST: Final = 32 * BINS


def weights(words: Sequence[int]) -> list[float]:
    """Return what one count of each source weighs, the largest source's 1.

    >>> weights([400, 100])
    [1.0, 2.0]
    """
    most = max(words, default=1)
    return [(most / number) ** (1 - BALANCE) if number else 0.0 for number in words]


def tables(counts: Counts, size: int, least: int = 1) -> tuple[list[Table], list[float]]:
    """Return the tables, at most `size` bytes together, and what n-grams of each order had to weigh to stay."""
    weigh = weights(counts.words)
    made, floors, room = [], [], size
    for order in range(1, counts.order + 1):
        room -= OFFSET_BYTES
        share = room if order == counts.order else room // 2
        floor = _floor(counts.merged(order, weigh), share // 3, order, least)
        made.append(_table(counts.merged(order, weigh), order, floor, least))
        floors.append(floor)
        room -= 3 * len(made[-1])
    return made, floors


def _floor(parts: Iterable[Merged], entries: int, order: int, least: int) -> float:
    """Return what an n-gram must weigh so that no more than `entries` of them stay.

    By weight, not by count, since one that comes twice in a small source says more than twice in a large one.
    """
    having = np.zeros(MOST + 1, np.int64)
    for part in parts:
        weight = part.weight[_eligible(part, order, least)]
        having += np.bincount(np.clip(np.log2(weight) * BINS, 0, MOST).astype(np.int64), minlength=MOST + 1)
    above = np.cumsum(having[::-1])[::-1]  # how many weigh so much or more
    fitting = np.flatnonzero(above <= entries)
    if not len(fitting):
        raise UsageError(f"a model with room for {max(0, entries):,} n-grams of {order} is too small; allow more bytes")
    return float(2 ** (fitting[0] / BINS)) if fitting[0] else 0.0


def _eligible(part: Merged, order: int, least: int) -> BoolArray:
    return part.weight >= LEAST_WORD * part.before if order == 1 else part.counts >= least


def _table(parts: Iterable[Merged], order: int, floor: float, least: int) -> Table:
    keys, probabilities = [np.zeros(0, np.uint64)], [np.zeros(0, np.float32)]
    for part in parts:
        # A hair below, since the edge of a bin is not exactly the power of two that it was made from.
        kept = _eligible(part, order, least) & (part.weight >= floor * (1 - 1e-9))
        keys.append(part.keys[kept] if order == 1 else mixed(part.keys[kept]))
        probabilities.append((part.weight[kept] / part.before[kept]).astype(np.float32))
    joined, values = np.concatenate(keys), np.concatenate(probabilities)
    sort = np.argsort(joined)
    return Table.of(joined[sort], values[sort])
