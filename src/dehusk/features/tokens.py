"""Tokens: the parts of class, id, role and itemprop attributes above a block, as bits over a fixed vocabulary."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_hash_table import build_table
from dehusk.features import Ints, Longs
from dehusk.features.fast_tokens import add_tokens

BITS: Final = 62  # of a number that are used, so that none is negative
ANNOTATED: Final = "[role], [itemprop]"


@dataclass(frozen=True, slots=True, eq=False)
class AttributeTokens:
    """Bits, one row per block and one number for every `BITS` tokens of the vocabulary; and those of the whole page."""

    both: Longs  # those nearby above a block, then those anywhere above it
    page: Longs  # those of `html` and `body`, which describe the page rather than a block

    @property
    def nearby(self) -> Longs:
        """The tokens of the element that holds a block and of the two above it."""
        return self.both[:, : len(self.page)]

    @property
    def anywhere(self) -> Longs:
        """The tokens of all elements above a block."""
        return self.both[:, len(self.page) :]


@dataclass(frozen=True, slots=True, eq=False)
class TokenVocabulary:
    """The tokens that count, in order, and a hash table of them.

    >>> TokenVocabulary.of(["main", "nav", "sub", "item"]).known("main-nav2 SubItem SUBItem")
    ['main', 'nav', 'sub', 'item']
    """

    words: tuple[str, ...]
    keys: Longs
    values: Ints

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Build the table: at most a quarter full, so that most searches end at once."""
        chosen = tuple(words)
        keys = [reduce(lambda key, letter: key * 27 + ord(letter) - 96, word, 0) for word in chosen]
        indices = np.arange(len(chosen), dtype=np.int32)
        return cls(chosen, *build_table(np.array(keys, np.int64), indices, 4 * len(chosen) + 1))

    @property
    def longs(self) -> int:
        """How many 64-bit numbers hold the bits of all tokens."""
        return -(-len(self) // BITS)

    def bits(self, words: Iterable[str]) -> Longs:
        """Return the bits of some words; those not in the vocabulary have none."""
        bits: Longs = np.zeros(self.longs, np.int64)
        for word in words:
            if word in self.words:
                index = self.words.index(word)
                bits[index // BITS] |= np.int64(1 << index % BITS)
        return bits

    def known(self, text: str) -> list[str]:
        """Return which of the words an attribute contains, in the vocabulary's order."""
        bits: Longs = np.zeros((1, self.longs), np.int64)
        add_tokens(text, self.keys, self.values, bits, 0)
        return [self.words[index] for index in np.flatnonzero(unpacked(bits, len(self))[0]).tolist()]


def unpacked(bits: Longs, size: int) -> NDArray[np.uint8]:
    """Return one column per token for the bits that `AttributeTokens` packs into numbers.

    >>> unpacked(np.array([[5, 1]]), 64)[0, [0, 1, 2, 62]].tolist()
    [1, 0, 1, 1]
    """
    rows, longs = bits.shape
    parts = np.ascontiguousarray(bits).astype("<i8").view(np.uint8).reshape(rows, longs, 8)
    return np.unpackbits(parts, axis=2, bitorder="little")[:, :, :BITS].reshape(rows, longs * BITS)[:, :size]
