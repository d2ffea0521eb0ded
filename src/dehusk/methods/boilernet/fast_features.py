# cython: cdivision=True, wraparound=False, boundscheck=False, initializedcheck=False
"""Counts of the tags above leaves and the words in them, and the sums that the network's first layer makes of them.

What a word is, `dehusk.methods.boilernet.features` defines: `classes` has the class of each character, the last entry
that of all characters beyond, and `lowered` their small letters.

Compiled with the C types in fast_features.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import IGNORED, PART_OF_WORD, SPACE, WHOLE_WORD
from dehusk.fast_hash_table import find_slot

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

# The constants of the FNV-1a hash. The .pxd gives them types, since literals of this size would be Python objects.
FIRST = 1469598103934665603
FACTOR = 1099511628211
MASK = 0x7FFFFFFFFFFFFFFF


def split_words(text: str, classes: Bytes, lowered: Ints) -> list[str]:
    """Return the words of a text, in order."""
    words: list[str] = []
    letters: list[str] = []
    most, small = len(classes) - 1, len(lowered)
    for offset in range(len(text)):
        code = ord(text[offset])
        kind = classes[code if code < most else most]
        if kind == PART_OF_WORD:
            letters.append(chr(lowered[code]) if code < small else text[offset])
        elif kind != IGNORED:
            if letters:
                words.append("".join(letters))
                letters = []
            if kind == WHOLE_WORD:
                words.append(text[offset])
    if letters:
        words.append("".join(letters))
    return words


def hash_word(word: str) -> int:
    """Return the key of a word in hash tables."""
    key = FIRST
    for offset in range(len(word)):
        key = hash_letter(key, ord(word[offset]))
    return key


def hash_letter(key: int, code: int) -> int:
    """Return the key of a word with one more letter: 63 bits, so that signed numbers can hold it, and never 0."""
    return ((key ^ code) * FACTOR) & MASK | 1


class LeafCounter:
    """Counts tags and words, leaf by leaf; an entry is the row of a leaf, a column that is not 0, and its count.

    `keys` and `indices` are a hash table of words, `base` is the column of unknown words, `width` the number of
    columns. There must be `room` for all entries: no bounds are checked.
    """

    def __init__(
        self, keys: Longs, indices: Ints, classes: Bytes, lowered: Ints, base: int, width: int, room: int
    ) -> None:
        self.keys, self.indices, self.classes, self.lowered, self.base = keys, indices, classes, lowered, base
        self.rows, self.columns, self.counts = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, "f4")
        self.entry_of = np.full(width, -1, np.int32)  # the last entry of each column
        self.size = 0  # entries so far
        self.first = 0  # entry of the present leaf

    def count(self, text: str, start: Ints, end: Ints, owner: Ints, tags: Ints, parents: Ints) -> None:
        """Count all leaves; `tags` has the column of each element's tag."""
        keys, indices, classes, lowered = self.keys, self.indices, self.classes, self.lowered
        most, small = len(classes) - 1, len(lowered)
        for row in range(len(start)):
            self.first, last, element = self.size, end[row], owner[row]
            while element > 0:
                self.add(row, tags[element])
                element = parents[element]
            key = FIRST
            for offset in range(start[row], last + 1):
                code, kind = 0, SPACE  # one after the end, so that the last word ends as all others do
                if offset < last:
                    code = ord(text[offset])
                    kind = classes[code if code < most else most]
                if kind == PART_OF_WORD:
                    key = hash_letter(key, int(lowered[code]) if code < small else code)  # 32 bits would be too few
                elif kind != IGNORED:
                    if key != FIRST:
                        self.add(row, self.base + indices[find_slot(key, keys)])
                        key = FIRST
                    if kind == WHOLE_WORD:
                        self.add(row, self.base + indices[find_slot(hash_letter(FIRST, code), keys)])

    def add(self, row: int, column: int) -> None:
        """Add one to a column of the present leaf."""
        if self.entry_of[column] < self.first:
            self.entry_of[column] = self.size
            self.rows[self.size], self.columns[self.size], self.counts[self.size] = row, column, 0.0
            self.size += 1
        self.counts[self.entry_of[column]] += 1.0


def add_entries(rows: Longs, columns: Longs, values: Floats, table: Floats, sums: Floats) -> None:
    """Add to the rows of `sums` the rows of `table` that entries name, times their values; bounds are not checked."""
    width = table.shape[1]
    for entry in range(len(rows)):
        row, column, value = rows[entry], columns[entry], values[entry]
        for index in range(width):
            sums[row, index] += value * table[column, index]
