# cython: cdivision=True, wraparound=False, boundscheck=False, initializedcheck=False
"""Loops over the characters and the elements of a page: tokens with their keys, and what elements pass on.

`classes` has the `CharacterClass` of each character, the last entry that of all characters beyond; `lowered` has their
small letters. Compiled with the C types in fast_tokens.pxd; as plain Python it returns the same.
"""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import CharacterClass
from dehusk.fast_hash_table import find_slot

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

BLANK, UPPER, LETTER, UNSPACED_LETTER, DIGIT, STOP, COMMA, CURRENCY, SIGN, RULE, QUOTE, OTHER = CharacterClass


class TokenKind(IntEnum):
    """What a token is."""

    WORD = 0
    NUMBER = 1
    SYMBOL = 2
    SENTENCE_END = 3


WORD, NUMBER, SYMBOL, SENTENCE_END = TokenKind  # C variables, unlike the members of a class
# The constants of the FNV-1a hash for 32 bits.
FIRST = 2166136261
FACTOR = 16777619
MASK = 0xFFFFFFFF


def key_of(word: str) -> int:
    """Return the key of a word in lower case; never 0."""
    key = FIRST
    for offset in range(len(word)):
        key = next_key(key, ord(word[offset]))
    return key | 1


def next_key(key: int, code: int) -> int:
    """Return the key of a word with one more letter."""
    return ((key ^ code) * FACTOR) & MASK


class TokenReader:
    """Splits leaves into tokens: runs of letters and digits, and every other visible character.

    There must be `room` for one token per character. A stop ends a sentence if a word comes before it, and white space,
    a quotation mark or the end of the leaf after it.
    """

    def __init__(self, classes: Bytes, lowered: Ints, room: int) -> None:
        self.classes, self.lowered = classes, lowered
        self.keys, self.leaves = np.empty(room, np.int64), np.empty(room, np.int32)
        self.kinds, self.ends = np.empty(room, np.uint8), np.empty(room, np.int32)
        self.size = 0

    def kind_at(self, text: str, offset: int, end: int) -> int:
        """Return the class of a character, BLANK at the end of the leaf."""
        if offset >= end:
            return BLANK
        code = ord(text[offset])
        most = len(self.classes) - 1
        kind: int = self.classes[code if code < most else most]
        return kind

    def read(self, text: str, start: Ints, end: Ints, selected: Bytes) -> None:
        """Read the selected leaves."""
        small = len(self.lowered)
        for leaf in range(len(start)):
            if not selected[leaf]:
                continue
            last = end[leaf]
            key, letters, after_word = FIRST, 0, False  # of the word that is being read
            length = 0
            for offset in range(start[leaf], last + 1):
                kind = self.kind_at(text, offset, last)
                if kind in {UPPER, LETTER, DIGIT}:
                    code = ord(text[offset])
                    key = next_key(key, int(self.lowered[code]) if code < small else code)
                    letters += kind != DIGIT
                    length += 1
                    continue
                if length:
                    self.add(key | 1, leaf, WORD if letters else NUMBER, offset)
                    key, letters, length, after_word = FIRST, 0, 0, True
                if kind == BLANK:
                    continue
                key = next_key(FIRST, ord(text[offset])) | 1
                if kind == UNSPACED_LETTER:
                    self.add(key, leaf, WORD, offset + 1)
                    after_word = True
                else:
                    ends = kind == STOP and after_word and self.closes(text, offset, last)
                    self.add(key, leaf, SENTENCE_END if ends else SYMBOL, offset + 1)
                    after_word = False
                key = FIRST

    def closes(self, text: str, offset: int, end: int) -> bool:
        """Return whether a stop ends a sentence, by what comes after it; stops beyond ASCII always do."""
        after = self.kind_at(text, offset + 1, end)
        return after in {BLANK, QUOTE} or ord(text[offset]) > 0x2026

    def add(self, key: int, leaf: int, kind: int, end: int) -> None:
        """Add a token."""
        self.keys[self.size] = key
        self.leaves[self.size] = leaf
        self.kinds[self.size] = kind
        self.ends[self.size] = end
        self.size += 1


def look_up(keys: Longs, table: Longs, values: Bytes, flags: Bytes) -> None:
    """Fill in the flags of keys in a hash table, 0 for those that it lacks."""
    for row in range(len(keys)):
        slot = find_slot(keys[row], table)
        flags[row] = values[slot] if table[slot] == keys[row] else 0


def inherit(
    tags: list[str], nodes: list[Any], parents: Ints, own: dict[str, int], flags: Bytes, depth: Ints, has_address: Bytes
) -> None:
    """Fill in the depth of each element, the flags of its tag and of those above it, and whether it is a link.

    `own` has the flags of tags; 128 marks elements that may have an address, and is not passed on.
    """
    flags[0] = 0
    depth[0] = 0
    has_address[0] = 0
    for index in range(1, len(parents)):
        parent = parents[index]
        mine = own.get(tags[index], 0)
        flags[index] = flags[parent] | (mine & 127)
        depth[index] = depth[parent] + 1
        has_address[index] = mine & 128 and nodes[index].attr("href") is not None
