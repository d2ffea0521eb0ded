"""Bits: two sets of counts become the worth of every n-gram, how many bits likelier it is clean than dirty.

With geometric interpolation the probability of a code after a history is, but for a factor that only the order decides,

    S(c1 … cn) = p(cn | c1 … cn-1) + q S(c2 … cn)        S(c) = (count + 1) / (all + alphabet)

An n-gram that neither model has seen leaves of S only q times the shorter one's, in both models alike. So the worth of
what was never seen is that of its longest end that was, and a table of what was seen is the whole model.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from dehusk.training.ncleaner.counts import Counts, Floats, Keys, found

ALPHABET_SIZE: Final = 256


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What a set of counts says of n-grams: of each order the keys and the probabilities of their last codes."""

    orders: tuple[tuple[Keys, Floats], ...]
    unseen: float  # the probability of a code that was never seen

    @classmethod
    def of(cls, counts: Counts) -> "Model":
        """Estimate by maximum likelihood, of single codes with one added to each."""
        keys, numbers = counts.orders[0]
        size = numbers.sum() + ALPHABET_SIZE
        orders = [(keys, (numbers + 1) / size)]
        orders += [(keys, numbers / _totals(keys, numbers)) for keys, numbers in counts.orders[1:]]
        return cls(tuple(orders), 1 / size)

    def sums(self, keys: Keys, order: int, q: float) -> Floats:
        """Return S of n-grams of an order."""
        single, shares = self.orders[0]
        last = keys & np.uint64(0xFF)
        sums = found(last, single, shares - self.unseen) + self.unseen
        for length in range(2, order + 1):
            sums = q * sums + found(keys & _mask(length), *self.orders[length - 1])
        return sums


def _totals(keys: Keys, numbers: Floats) -> Floats:
    """Return how often the history of each n-gram occurs before anything."""
    if not len(keys):
        return numbers
    _, owner = np.unique(keys >> np.uint64(8), return_inverse=True)
    totals: Floats = np.bincount(owner, numbers).astype(np.float64)[owner]
    return totals


def _mask(length: int) -> np.uint64:
    return np.uint64((1 << (8 * length)) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """A table of n-grams of all orders and their bits, as `dehusk.methods.ncleaner.fast_ngrams.weigh` takes it."""

    keys: Keys
    bits: Floats
    order: int


def worth(clean: Counts, dirty: Counts, order: int, q: float, least: float = 1, dull: float = 0.0) -> Worth:
    """Return what n-grams are worth: those that occur at least so often, and that say something new.

    An n-gram is `dull` if all its occurrences together move the balance by fewer bits than that, measured from what its
    longest end says already; its end then stands for it.
    """
    models = Model.of(clean), Model.of(dirty)
    keys, bits = np.empty(0, np.uint64), np.empty(0)
    for length in range(1, order + 1):
        here, often = _both(clean, dirty, length)
        here, often = (here, often) if length == 1 else (here[often >= least], often[often >= least])
        said = np.log2(models[0].sums(here, length, q) / models[1].sums(here, length, q))
        if length > 1:
            news = np.abs(said - _known(here, length, keys, bits)) * often >= dull
            here, said = here[news], said[news]
        place = np.searchsorted(keys, here)
        keys, bits = np.insert(keys, place, here), np.insert(bits, place, said)
    return Worth(keys, bits, order)


def _both(clean: Counts, dirty: Counts, length: int) -> tuple[Keys, Floats]:
    """Return the n-grams of an order that either has, and how often they have it together."""
    return Counts.total([Counts((each.orders[length - 1],)) for each in (clean, dirty)]).orders[0]


def _known(wanted: Keys, length: int, keys: Keys, bits: Floats) -> Floats:
    """Return the bits of the longest shorter end of each n-gram, 0 where there is none."""
    said = np.zeros(len(wanted))
    for shorter in range(1, length):
        end = wanted & _mask(shorter)
        place = np.minimum(np.searchsorted(keys, end), len(keys) - 1)
        there = keys[place] == end
        said[there] = bits[place[there]]
    return said
