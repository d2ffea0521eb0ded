"""Cross-entropy: bits per character under an n-gram model that has not seen the page (figure 2)."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.ncleaner.alphabet import folding
from dehusk.training.columns import Doubles
from dehusk.training.ncleaner.bits import Model
from dehusk.training.ncleaner.counts import MOST, CodeCounts, CodeStream, look_up
from dehusk.training.ncleaner.examples import NcleanerExample
from dehusk.training.ncleaner.fit import fold_of

FOLDS: Final = 10
QS: Final = tuple(round(0.05 * step, 2) for step in range(1, 20))
EVERY: Final = 4  # every fourth character is predicted, which changes no figure in its second digit


def cross_entropies(examples: Sequence[NcleanerExample], orders: int = MOST) -> Doubles:
    """Return bits per character, one row per order from 1 on, one column per value in `QS`; ten folds by site."""
    streams = [
        CodeStream.of(
            (text for each in examples if fold_of(each.site, FOLDS) == fold for text in each.segments), folding()
        )
        for fold in range(FOLDS)
    ]
    parts = [CodeCounts.of(stream, orders) for stream in streams]
    whole = CodeCounts.total(parts)
    total, predicted = np.zeros((orders, len(QS))), 0
    for stream, part in zip(streams, parts, strict=True):
        bits, count = _costs(Model.of(whole.less(part)), stream, orders)
        total += bits
        predicted += count
    return total / max(predicted, 1)


def _costs(model: Model, stream: CodeStream, orders: int) -> tuple[Doubles, int]:
    """Return the total bits of a stream, and how many characters were predicted."""
    chosen = np.flatnonzero(stream.offset > 0)[::EVERY]
    offset = stream.offset[chosen]
    shares = np.empty((orders, len(chosen)))
    for order in range(1, orders + 1):
        shares[order - 1] = look_up(stream.keys(order)[chosen], *model.orders[order - 1])
    shares[0] = np.maximum(shares[0], model.unseen)
    return np.array([_mixed(shares, offset, q) for q in QS]).T, len(chosen)


def _mixed(shares: Doubles, offset: NDArray[np.int64], q: float) -> list[float]:
    """Return the total bits for each order, from interpolated shares; histories are shorter near the beginning."""
    sums, bits = shares[0], []
    for order in range(1, len(shares) + 1):
        if order > 1:
            sums = np.where(offset + 1 >= order, shares[order - 1] + q * sums, sums)
        used = np.minimum(offset + 1, order)
        bits.append(float(-np.log2((1 - q) / (1 - q**used) * sums).sum()))
    return bits
