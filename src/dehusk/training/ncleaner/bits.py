"""Bits: from the counts of clean and of dirty text to how many bits likelier each n-gram is clean than dirty.

With geometric interpolation the probability of a code after a history is, but for a factor that only the order decides,

    S(c1 … cn) = p(cn | c1 … cn-1) + q S(c2 … cn)        S(c) = (count + 1) / (all + alphabet)

For an n-gram that neither model has seen, S is q times that of its end, in both models. So its bits are those of the
longest end that was seen, and a table of the n-grams that were seen is the whole model.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from dehusk.training.columns import Doubles
from dehusk.training.ncleaner.counts import CodeCounts, Keys, look_up

ALPHABET_SIZE: Final = 256


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The probabilities of n-grams: for each order the keys and the probabilities of their last codes."""

    orders: tuple[tuple[Keys, Doubles], ...]
    unseen: float  # the probability of an unseen code

    @classmethod
    def of(cls, counts: CodeCounts) -> "Model":
        """Estimate by maximum likelihood; single codes have one added to each count."""
        keys, often = counts.orders[0]
        size = often.sum() + ALPHABET_SIZE
        orders = [(keys, (often + 1) / size)]
        orders += [(keys, often / _totals(keys, often)) for keys, often in counts.orders[1:]]
        return cls(tuple(orders), 1 / size)

    def sums(self, keys: Keys, order: int, q: float) -> Doubles:
        """Return S of n-grams of one order."""
        single, shares = self.orders[0]
        sums = look_up(keys & _mask(1), single, shares - self.unseen) + self.unseen
        for length in range(2, order + 1):
            sums = q * sums + look_up(keys & _mask(length), *self.orders[length - 1])
        return sums


def _totals(keys: Keys, often: Doubles) -> Doubles:
    """Return how often the history of each n-gram occurs."""
    if not len(keys):
        return often
    _, owner = np.unique(keys >> np.uint64(8), return_inverse=True)
    totals: Doubles = np.bincount(owner, often).astype(np.float64)[owner]
    return totals


def _mask(length: int) -> np.uint64:
    return np.uint64((1 << (8 * length)) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class NgramBits:
    """N-grams of all orders and their bits, as `dehusk.methods.ncleaner.fast_ngrams.sum_bits` takes them."""

    keys: Keys
    bits: Doubles
    order: int


def ngram_bits(
    clean: CodeCounts, dirty: CodeCounts, order: int, q: float, min_count: float = 1, min_gain: float = 0.0
) -> NgramBits:
    """Return the bits of n-grams that occur at least `min_count` times and say something new.

    An n-gram is left out if all its occurrences together change the balance by fewer than `min_gain` bits from what its
    longest end says; its end then stands for it.
    """
    models = Model.of(clean), Model.of(dirty)
    keys, bits = np.empty(0, np.uint64), np.empty(0)
    for length in range(1, order + 1):
        both = CodeCounts.total([CodeCounts((each.orders[length - 1],)) for each in (clean, dirty)])
        new_keys, often = both.orders[0]
        if length == 1:
            # A code that neither has seen is worth what the formula says: 1 over the size of each.
            new_keys = np.arange(1, ALPHABET_SIZE, dtype=np.uint64)
        else:
            new_keys, often = new_keys[often >= min_count], often[often >= min_count]
        new_bits = np.log2(models[0].sums(new_keys, length, q) / models[1].sums(new_keys, length, q))
        if length > 1:
            useful = np.abs(new_bits - _bits_of_ends(new_keys, length, keys, bits)) * often >= min_gain
            new_keys, new_bits = new_keys[useful], new_bits[useful]
        index = np.searchsorted(keys, new_keys)
        keys, bits = np.insert(keys, index, new_keys), np.insert(bits, index, new_bits)
    return NgramBits(keys, bits, order)


def _bits_of_ends(ngrams: Keys, length: int, keys: Keys, bits: Doubles) -> Doubles:
    """Return the bits of the longest shorter end of each n-gram, 0 if there is none."""
    known = np.zeros(len(ngrams))
    for shorter in range(1, length):
        end = ngrams & _mask(shorter)
        index = np.minimum(np.searchsorted(keys, end), len(keys) - 1)
        there = keys[index] == end
        known[there] = bits[index[there]]
    return known
