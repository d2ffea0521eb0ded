"""boilernet's features: for every text node, counts of the tags above it and of the words in it.

A row has a column for unknown tags, one per known tag, one for unknown words and one per known word. Unknown words are
added up, in training and in use; the original kept the count of the last one in training and the sum in the browser.

Words are found without any library, so that this module and web/boilernet.mjs agree on every character, which
tests/methods/boilernet-vectors.json checks:

- characters in `INVISIBLE` (soft hyphens, zero-width characters) are skipped;
- those in `BLANK` end a word;
- those in `SINGLE` (punctuation, symbols, scripts without blanks, all beyond the first plane) end a word and are one;
- all others are letters of a word: lowercase below U+0530, unless that takes two characters; digits become 0.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut_at
from dehusk.characters import BEYOND, IGNORED, PART_OF_WORD, SPACE, UNSPACED, WHOLE_WORD, class_table, lower_case
from dehusk.fast_hash_table import build_table
from dehusk.features import LOGS, Ints, Longs
from dehusk.methods.boilernet.fast_features import LeafCounter, hash_word, split_words
from dehusk.page import Page

BLANK: Final = (
    (0x00, 0x20), (0x7F, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
INVISIBLE: Final = (
    (0xAD, 0xAD), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
)  # fmt: skip
SINGLE: Final = (
    (0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E), (0xA1, 0xA9), (0xAB, 0xAC), (0xAE, 0xB4), (0xB6, 0xB9),
    (0xBB, 0xBF), (0xD7, 0xD7), (0xF7, 0xF7), (0x2010, 0x2027), (0x2030, 0x205E), (0x20A0, 0x20CF), (0x2100, 0x2BFF),
    (0x3001, 0x303F), (0xFF01, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40), (0xFF5B, 0xFF65), *UNSPACED,
)  # fmt: skip
# Letters with capitals that every version of Unicode agrees on: Latin, Greek, Cyrillic.
CASED: Final = 0x530

Counts = NDArray[np.float32]


@cache
def _classes() -> NDArray[np.uint8]:
    """Return the class of each character."""
    singles = (*SINGLE, (BEYOND, BEYOND))
    return class_table(PART_OF_WORD, (SPACE, BLANK), (WHOLE_WORD, singles), (IGNORED, INVISIBLE))


@cache
def _lowered() -> Ints:
    """Return the small letter of each character that may have one, and 0 for digits."""
    table = lower_case(CASED).astype(np.int32)
    table[ord("0") : ord("9") + 1] = ord("0")
    return table


def tokens(text: str) -> list[str]:
    """Return the words of a text.

    >>> tokens("Don't PANIC: 42\u00adnd\u200b street, Çà 三木")
    ['don', "'", 't', 'panic', ':', '00nd', 'street', ',', 'çà', '三', '木']
    """
    words: list[str] = split_words(text, _classes(), _lowered())
    return words


@dataclass(frozen=True, slots=True, eq=False)
class BoilernetVocabulary:
    """The tags and words that have a column of their own, and the hash table of the words' indices."""

    tags: tuple[str, ...]
    words: tuple[str, ...]
    keys: Longs = field(repr=False)
    indices: Ints = field(repr=False)

    @classmethod
    def of(cls, tags: Iterable[str], words: Iterable[str]) -> Self:
        """Build the table: at most a quarter full, so that most searches end at once.

        >>> BoilernetVocabulary.of(["p"], ["the", ","]).width
        5
        """
        chosen = tuple(words)
        keys = np.array([hash_word(word) for word in chosen], np.int64)
        indices = np.arange(1, len(chosen) + 1, dtype=np.int32)
        return cls(tuple(tags), chosen, *build_table(keys, indices, 4 * len(chosen) + 1))

    @property
    def width(self) -> int:
        """The number of columns, including the two for unknown tags and words."""
        return len(self.tags) + len(self.words) + 2


def cut(page: Page) -> Blocks:
    """Cut a page into its text nodes.

    >>> cut(Page.from_html("<p>One <b>two</b>three")).strings()
    ['One', 'two', 'three']
    """
    return cut_at(page, np.ones(len(page.leaves), np.bool_))


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The input of the network: leaf by leaf the columns that are not 0, and their values."""

    rows: Longs
    columns: Longs
    values: Counts
    leaves: int

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, first: int, last: int) -> Self:
        """Return the entries of some of the leaves, as if there were no others.

        >>> page = Page.from_html("<p>a<p>b<p>c")
        >>> boilernet_features(cut(page), BoilernetVocabulary.of(["p"], ["b"])).part(1, 2).columns.tolist()
        [1, 0, 3]
        """
        begin, end = np.searchsorted(self.rows, (first, last)).tolist()
        return type(self)(self.rows[begin:end] - first, self.columns[begin:end], self.values[begin:end], last - first)

    def only(self, leaves: NDArray[np.bool_]) -> Self:
        """Return the entries of the marked leaves, as if there were no others."""
        if leaves.all():
            return self
        kept, indices = leaves[self.rows], np.cumsum(leaves) - 1
        return type(self)(indices[self.rows[kept]], self.columns[kept], self.values[kept], int(leaves.sum()))


def leaves_outside(blocks: Blocks, tags: Collection[str]) -> NDArray[np.bool_]:
    """Return which text nodes are not below any of some tags.

    >>> leaves_outside(cut(Page.from_html("<p>One<button><b>two</b></button>three")), {"button"}).tolist()
    [True, False, True]
    """
    elements = blocks.elements
    if not any(tag in tags for tag in set(elements.tag)):
        return np.ones(len(blocks), np.bool_)
    inside: list[bool] = []  # parents come before their children
    for tag, parent in zip(elements.tag, elements.parent, strict=True):
        inside.append(tag in tags or (parent >= 0 and inside[parent]))
    return ~np.array(inside, np.bool_)[blocks.owner]


def boilernet_features(blocks: Blocks, vocabulary: BoilernetVocabulary, *, logs: bool = True) -> Entries:
    """Return the entries of a page: logarithms of one more than counts, or the counts.

    >>> leaves = cut(Page.from_html("<div><p>The sea, the sea"))
    >>> entries = boilernet_features(leaves, BoilernetVocabulary.of(["p"], ["the", ","]))
    >>> [*zip(entries.columns.tolist(), np.expm1(entries.values).round().tolist())]
    [(1, 1.0), (0, 3.0), (3, 2.0), (2, 2.0), (4, 1.0)]
    """
    columns_of = {tag: column for column, tag in enumerate(vocabulary.tags, 1)}
    tags: Ints = np.array([columns_of.get(tag, 0) for tag in blocks.elements.tag], np.int32)
    base = len(vocabulary.tags) + 1
    # A leaf has no more different words than characters.
    words = np.minimum(blocks.end - blocks.start, vocabulary.width - base)
    room = len(blocks) * base + int(words.sum(dtype=np.int64))
    counter = LeafCounter(vocabulary.keys, vocabulary.indices, _classes(), _lowered(), base, vocabulary.width, room)
    counter.count(blocks.text, blocks.start, blocks.end, blocks.owner, tags, blocks.elements.parents)
    rows, columns, counts = (
        np.asarray(each)[: counter.size] for each in (counter.rows, counter.columns, counter.counts)
    )
    values = LOGS[np.minimum(counts, len(LOGS) - 1).astype(np.int64)] if logs else counts
    return Entries(rows, columns, values, len(blocks))
