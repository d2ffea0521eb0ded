"""Words: the tokens of a page's targets, and what is known of single words: their class and whether they are keywords.

A token is a run of letters and digits, or any other visible character. In scripts without spaces, each character is a
word. A lexicon knows words by their keys, 32 bits each: no text is stored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import BEYOND, character_classes, lower_case
from dehusk.fast_hash_table import build_table
from dehusk.methods.fiasco.fast_tokens import TokenKind, TokenReader, key_of, look_up
from dehusk.methods.fiasco.targets import Targets
from dehusk.page import Page
from dehusk.page.leaves import BoolArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

# What a lexicon knows of a word, added up.
CLOSED: Final = 1  # articles, pronouns, prepositions, conjunctions, auxiliaries, particles, number words
OPEN: Final = 2  # nouns, verbs, adjectives, adverbs, interjections
SPECIAL: Final = 4  # foreign words and words that stand for symbols
CLEAN: Final = 8  # keywords of main text
DIRTY: Final = 16  # and of boilerplate


@dataclass(frozen=True, slots=True, eq=False)
class PageTokens:
    """Columns, one row per token of a page."""

    key: Longs  # of the word in lower case
    leaf: Ints
    kind: Bytes  # TokenKind
    end: Ints  # in the page's text

    @classmethod
    def of(cls, text: str, start: Ints, end: Ints, selected: BoolArray) -> Self:
        """Read the selected leaves of a text."""
        room = int((end - start)[selected].sum(dtype=np.int64))
        reader = TokenReader(*_characters(), room)
        reader.read(text, start, end, selected.view(np.uint8))
        size = reader.size
        key, leaf = np.asarray(reader.keys)[:size], np.asarray(reader.leaves)[:size]
        return cls(key, leaf, np.asarray(reader.kinds)[:size], np.asarray(reader.ends)[:size])


def tokens(page: Page, targets: Targets) -> PageTokens:
    """Return the tokens of all targets."""
    return PageTokens.of(page.text, page.leaves.start, page.leaves.end, targets.of_leaf >= 0)


def split(text: str) -> list[tuple[str, TokenKind]]:
    """Return the tokens of a text as strings in lower case.

    >>> [word for word, _ in split("Don't PANIC: 42 三木.")]
    ['don', "'", 't', 'panic', ':', '42', '三', '木', '.']
    """
    read = PageTokens.of(text, np.zeros(1, np.int32), np.array([len(text)], np.int32), np.ones(1, np.bool_))
    begin, pieces = 0, []
    for end, kind in zip(read.end.tolist(), read.kind.tolist(), strict=True):
        pieces.append((text[begin:end].strip().lower(), TokenKind(kind)))
        begin = end
    return pieces


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """What is known of words, as a hash table from their keys to flags.

    >>> lexicon = Lexicon.of({"the": CLOSED, "sea": OPEN | CLEAN})
    >>> page = PageTokens.of("The sea!", np.zeros(1, np.int32), np.array([8], np.int32), np.ones(1, np.bool_))
    >>> lexicon.flags(page.key).tolist()
    [1, 10, 0]
    """

    key: Longs  # sorted
    flag: Bytes
    table: Longs
    values: Bytes

    @classmethod
    def of(cls, words: Mapping[str, int]) -> Self:
        """Build the table of words in lower case."""
        return cls.of_keys(np.array([key_of(word) for word in words], np.int64), np.array([*words.values()], np.uint8))

    @classmethod
    def of_keys(cls, key: Longs, flag: Bytes) -> Self:
        """Build the table: at most half full, so that most searches end at once."""
        key, first = np.unique(key, return_index=True)
        flag = flag[first]
        return cls(key, flag, *build_table(key, flag, 2 * len(key) + 1))

    def with_keywords(self, clean: Iterable[str], dirty: Iterable[str]) -> Self:
        """Return the lexicon with other keywords."""
        flags = dict(zip(self.key.tolist(), (self.flag & ~np.uint8(CLEAN | DIRTY)).tolist(), strict=True))
        for words, mark in ((clean, CLEAN), (dirty, DIRTY)):
            for key in map(key_of, words):
                flags[key] = flags.get(key, 0) | mark
        return self.of_keys(np.array([*flags], np.int64), np.array([*flags.values()], np.uint8))

    def flags(self, key: Longs) -> Bytes:
        """Return the flags of words, 0 for those that are unknown."""
        flags: Bytes = np.empty(len(key), np.uint8)
        look_up(key, self.table, self.values, flags)
        return flags


@cache
def _characters() -> tuple[Bytes, Ints]:
    """Return the class of each character, and its small letter."""
    return character_classes(), lower_case(BEYOND).astype(np.int32)
