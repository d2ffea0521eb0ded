"""Bins: each feature is split into ranges with equally many blocks, so that a network sees it step by step."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dehusk.training.columns import Doubles, Floats, Longs
from dehusk.training.kernel.packed import TOP, KernelPacked

SAMPLED = 40  # blocks per page: every page has the same weight
SEED = 0  # for all networks, whatever their own: with equal bins a page is looked up once for all of them


@dataclass(frozen=True, slots=True, eq=False)
class QuantileBins:
    """Columns, one row per bin; values as shares of the highest value of a feature."""

    column: Longs  # which feature a bin belongs to
    low: Floats
    slope: Floats  # one over its width

    def __len__(self) -> int:
        return len(self.column)


def bins_of(packed: KernelPacked, examples: Sequence[int], count: int) -> QuantileBins:
    """Return at most `count` + 1 bins per feature, from the blocks of some examples; the last ends at 1."""
    random = np.random.default_rng(SEED)
    start = packed.start
    sample = np.concatenate([random.integers(start[page], start[page + 1], SAMPLED) for page in examples])
    limits = [edges(packed.numbers[row][sample] / TOP, count) for row in range(len(packed.numbers))]
    column = np.repeat(np.arange(len(limits)), [len(each) - 1 for each in limits])
    low = np.concatenate([each[:-1] for each in limits])
    width = np.concatenate([np.diff(each) for each in limits])
    return QuantileBins(column, low.astype(np.float32), (1 / width).astype(np.float32))


def edges(values: Doubles, count: int) -> Doubles:
    """Return the edges of the bins of one feature: its quantiles, and 1.

    >>> edges(np.array([0.0, 0.0, 0.0, 0.1, 0.2, 0.4]), 2)
    array([0.  , 0.05, 0.4 , 1.  ])
    >>> edges(np.zeros(3), 2)
    array([0., 1.])
    """
    quantiles = np.unique(np.append(np.quantile(values, np.linspace(0, 1, count + 1)), 1.0))
    # Steps below the precision in which numbers are stored do not count.
    apart: Doubles = quantiles[np.append(np.diff(quantiles) > 1 / TOP, True)]
    return apart if len(apart) > 1 else np.array([0.0, 1.0])
