"""Bins: every feature is parted into ranges that hold equally many blocks, so that a network sees it step by step."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dehusk.training.kernel.packed import TOP, Packed

LOOKED_AT = 40  # blocks of each page: every page has one vote
SEED = 0  # of all networks, whatever their own: in equal bins a page is looked up once for all of them


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Columns, one row a bin; values as shares of a feature's highest."""

    column: NDArray[np.int64]  # which feature a bin belongs to
    low: NDArray[np.float32]
    slope: NDArray[np.float32]  # one over its width

    def __len__(self) -> int:
        return len(self.column)


def bins_of(packed: Packed, examples: Sequence[int], count: int) -> Bins:
    """Return at most `count` + 1 bins a feature, from the blocks of some examples; the last ends at 1."""
    random = np.random.default_rng(SEED)
    start = packed.start
    looked_at = np.concatenate([random.integers(start[page], start[page + 1], LOOKED_AT) for page in examples])
    found = [edges(packed.numbers[row][looked_at] / TOP, count) for row in range(len(packed.numbers))]
    column = np.repeat(np.arange(len(found)), [len(each) - 1 for each in found])
    low = np.concatenate([each[:-1] for each in found])
    width = np.concatenate([np.diff(each) for each in found])
    return Bins(column, low.astype(np.float32), (1 / width).astype(np.float32))


def edges(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return where the bins of one feature meet: its quantiles, and 1.

    >>> edges(np.array([0.0, 0.0, 0.0, 0.1, 0.2, 0.4]), 2)
    array([0.  , 0.05, 0.4 , 1.  ])
    >>> edges(np.zeros(3), 2)
    array([0., 1.])
    """
    found = np.unique(np.append(np.quantile(values, np.linspace(0, 1, count + 1)), 1.0))
    # A step much smaller than the numbers are stored in is none.
    apart: NDArray[np.float64] = found[np.append(np.diff(found) > 1 / TOP, True)]
    return apart if len(apart) > 1 else np.array([0.0, 1.0])
