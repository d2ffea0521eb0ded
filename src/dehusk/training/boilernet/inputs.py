"""Inputs: the vocabulary of some pages, and all pages as counts of its tags and words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.columns import Floats, Ints, Longs

TAGS: Final = 50
WORDS: Final = 1000

Ways = Literal["logs", "counts"]


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """Leaves as the network takes them: a sparse matrix, one row per leaf."""

    width: int
    size: Ints  # leaves of each page
    entries: Longs  # where the entries of each leaf begin, and the end of the last
    column: NDArray[np.int16]
    value: Floats
    labels: Floats
    sizes: Floats

    @property
    def start(self) -> Longs:
        """Where the leaves of each page begin, and the end of the last."""
        return np.concatenate(([0], np.cumsum(self.size, dtype=np.int64)))


def choose_vocabulary(
    packed: BoilernetPacked, pages: Sequence[int], most_tags: int = TAGS, most_words: int = WORDS
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commonest tags and words of some pages, in alphabetical order as in the original."""
    chosen = np.zeros(len(packed.info), np.bool_)
    chosen[list(pages)] = True
    leaves = np.repeat(chosen, packed.size)
    tags: dict[str, int] = {}
    for chain, count in zip(*np.unique(packed.chain[leaves], return_counts=True), strict=True):
        for tag in packed.chains[int(chain)].split():
            tags[tag] = tags.get(tag, 0) + int(count)
    inside = np.repeat(leaves, packed.distinct)
    totals = np.bincount(packed.word[inside], packed.count[inside], len(packed.words))
    words = {packed.words[index]: int(totals[index]) for index in np.flatnonzero(totals).tolist()}
    return _commonest(tags, most_tags), _commonest(words, most_words)


def _commonest(counted: dict[str, int], most: int) -> tuple[str, ...]:
    """Return the most frequent strings, ties in alphabetical order.

    >>> _commonest({"b": 2, "c": 1, "a": 1}, 2)
    ('a', 'b')
    """
    return tuple(sorted(sorted(counted, key=lambda each: (-counted[each], each))[:most]))


def inputs(packed: BoilernetPacked, tags: Sequence[str], words: Sequence[str], way: Ways = "logs") -> Inputs:
    """Return all pages in terms of a vocabulary, as `dehusk.methods.boilernet.features` would count them.

    The paper uses "counts", the shipped networks the logarithms of one plus the count.
    """
    chain_sizes, chain_columns, chain_counts = _chains(packed, tags)
    indices = {word: index for index, word in enumerate(words, 1)}
    base = len(tags) + 1
    of_word = np.array([base + indices.get(word, 0) for word in packed.words], np.int16)
    leaf = np.repeat(np.arange(len(packed.chain)), packed.distinct)
    starts = np.cumsum(chain_sizes) - chain_sizes
    above = chain_sizes[packed.chain]
    tag_leaf = np.repeat(np.arange(len(packed.chain)), above)
    tag_entry = np.arange(len(tag_leaf)) - np.repeat(np.cumsum(above) - above, above) + starts[packed.chain[tag_leaf]]
    rows = np.concatenate([tag_leaf, leaf])
    columns = np.concatenate([chain_columns[tag_entry], of_word[packed.word]])
    counts = np.concatenate([chain_counts[tag_entry], packed.count.astype(np.float64)])
    # Unknown words of a leaf share a column, so their counts are summed.
    width = base + len(words) + 1
    cells, which = np.unique(rows * width + columns, return_inverse=True)
    total = np.bincount(which, counts)
    value = (np.log1p(total) if way == "logs" else total).astype(np.float32)
    entries = np.searchsorted(cells // width, np.arange(len(packed.chain) + 1))
    return Inputs(width, packed.size, entries, (cells % width).astype(np.int16), value, packed.labels, packed.sizes)


def _chains(packed: BoilernetPacked, tags: Sequence[str]) -> tuple[Longs, NDArray[np.int16], Floats]:
    """Return the number of columns of each chain, then the columns and counts of all chains."""
    indices = {tag: index for index, tag in enumerate(tags, 1)}
    sizes, columns, counts = [], [], []
    for chain in packed.chains:
        often = np.bincount([indices.get(tag, 0) for tag in chain.split()])
        used = np.flatnonzero(often)
        sizes.append(len(used))
        columns.append(used)
        counts.append(often[used])
    return np.array(sizes), np.concatenate(columns).astype(np.int16), np.concatenate(counts).astype(np.float32)
