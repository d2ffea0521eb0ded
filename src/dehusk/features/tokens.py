"""Tokens: the parts of class, id, role and itemprop attributes above a block, as bits over a fixed vocabulary."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_hash_table import build_table
from dehusk.features import Ints, Longs
from dehusk.features.fast_tokens import add_tokens, join_tokens, read_tokens
from dehusk.features.fast_tree import Element
from dehusk.features.tree import Tree
from dehusk.page import Page

BITS: Final = 62  # of a number that are used, so that none is negative
ANNOTATED: Final = "[role], [itemprop]"


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
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
class Vocabulary:
    """The tokens that count, in order, and a hash table of them.

    >>> Vocabulary.of(["main", "nav", "sub", "item"]).known("main-nav2 SubItem SUBItem")
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
        numbers = np.arange(len(chosen), dtype=np.int32)
        return cls(chosen, *build_table(np.array(keys, np.int64), numbers, 4 * len(chosen) + 1))

    @property
    def numbers(self) -> int:
        """How many numbers hold the bits of all tokens."""
        return -(-len(self) // BITS)

    def bits(self, words: Iterable[str]) -> Longs:
        """Return the bits of some words; those not in the vocabulary have none."""
        bits: Longs = np.zeros(self.numbers, np.int64)
        for word in words:
            if word in self.words:
                number = self.words.index(word)
                bits[number // BITS] |= np.int64(1 << number % BITS)
        return bits

    def known(self, text: str) -> list[str]:
        """Return which of the words an attribute contains, in the vocabulary's order."""
        bits: Longs = np.zeros((1, self.numbers), np.int64)
        add_tokens(text, self.keys, self.values, bits, 0)
        return [self.words[number] for number in np.flatnonzero(unpacked(bits, len(self))[0]).tolist()]


def token_bits(page: Page, tree: Tree, vocabulary: Vocabulary) -> Tokens:
    """Return which tokens of the vocabulary are above each block."""
    parent, holder, numbers = tree.elements[Element.PARENT], tree.holder, vocabulary.numbers
    own: Longs = np.zeros((len(parent), numbers), np.int64)
    anywhere: Longs = np.zeros((len(parent), numbers), np.int64)
    whole: Longs = np.zeros(numbers, np.int64)
    nodes, tags = page.elements.node, page.elements.tag
    marked, keys, values = page.elements.annotated, vocabulary.keys, vocabulary.values
    read_tokens(nodes, tags, parent, holder, marked, keys, values, own, anywhere, whole)
    both: Longs = np.empty((len(holder), 2 * numbers), np.int64)
    join_tokens(own, anywhere, holder, parent, both)
    return Tokens(both, whole)


def unpacked(bits: Longs, size: int) -> NDArray[np.uint8]:
    """Return one column per token for the bits that `Tokens` packs into numbers.

    >>> unpacked(np.array([[5, 1]]), 64)[0, [0, 1, 2, 62]].tolist()
    [1, 0, 1, 1]
    """
    rows, numbers = bits.shape
    parts = np.ascontiguousarray(bits).astype("<i8").view(np.uint8).reshape(rows, numbers, 8)
    return np.unpackbits(parts, axis=2, bitorder="little")[:, :, :BITS].reshape(rows, numbers * BITS)[:, :size]
