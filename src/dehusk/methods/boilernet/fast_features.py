# cython: cdivision=True, wraparound=False, boundscheck=False
"""What boilernet sees of leaves: how often each tag stands above them and each word in them, and the sums of that.

The loops run over plain numbers and write into arrays that the caller made, so that they compile to C; uncompiled they
give the same numbers, only slower. What a word is stands in `features`, whose tables `classes` and
`lowered` are: the class of each character, the last entry that of all beyond, and its small letter.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

# Of the numbers of words; the .pxd gives them types, since literals of this size would be Python's own.
FIRST = 1469598103934665603
FACTOR = 1099511628211
MASK = 0x7FFFFFFFFFFFFFFF


def split_words(text: str, classes: Bytes, lowered: Ints) -> list[str]:
    """Return the words of a text in order."""
    words: list[str] = []
    letters: list[str] = []
    most, small = len(classes) - 1, len(lowered)
    for place in range(len(text)):
        code = ord(text[place])
        kind = classes[code if code < most else most]
        if kind == 1:
            letters.append(chr(lowered[code]) if code < small else text[place])
        elif kind != 3:
            if letters:
                words.append("".join(letters))
                letters = []
            if kind == 2:
                words.append(text[place])
    if letters:
        words.append("".join(letters))
    return words


def hash_word(word: str) -> int:
    """Return the number by which a word is found."""
    key = FIRST
    for place in range(len(word)):
        key = hash_letter(key, ord(word[place]))
    return key


def hash_letter(key: int, code: int) -> int:
    """Return the number of a word with one letter more: 63 bits, so that signed numbers hold it, and never 0."""
    return ((key ^ code) * FACTOR) & MASK | 1


def find_word(wanted: int, keys: Longs, values: Ints) -> int:
    """Return the place of a word, 0 where the table does not have it."""
    size = len(keys)
    spot = wanted % size
    while keys[spot] != 0 and keys[spot] != wanted:
        spot = spot + 1 if spot + 1 < size else 0
    return values[spot]  # type: ignore[no-any-return]


def add_one(  # noqa: PLR0913, PLR0917
    column: int, row: int, first: int, entry: int, seen: Ints, rows: Longs, columns: Longs, counts: Floats
) -> int:
    """Count one more in a column of a row whose entries begin at `first`; return how many entries there are now."""
    if seen[column] < first:
        seen[column] = entry
        rows[entry], columns[entry], counts[entry] = row, column, 0.0
        entry += 1
    counts[seen[column]] += 1.0
    return entry


def count_leaves(  # noqa: PLR0913, PLR0917
    text: str,
    start: Ints,
    end: Ints,
    owner: Ints,
    tags: Ints,
    parents: Ints,
    classes: Bytes,
    lowered: Ints,
    keys: Longs,
    values: Ints,
    base: int,
    seen: Ints,
    rows: Longs,
    columns: Longs,
    counts: Floats,
) -> int:
    """Write down the columns of each leaf that are not 0, and how often what they stand for is there.

    `tags` has the column of each element's tag, `base` is that of unknown words. `seen` has room for all columns, and
    comes as -1. Returns how many entries there are; `rows`, `columns` and `counts` must have room for them.
    """
    most, small, entry = len(classes) - 1, len(lowered), 0
    for row in range(len(start)):
        first, last, element = entry, end[row], owner[row]
        while element > 0:
            entry = add_one(tags[element], row, first, entry, seen, rows, columns, counts)
            element = parents[element]
        key = FIRST
        for place in range(start[row], last + 1):
            code = kind = 0  # a blank behind the end, so that the last word ends as all others do
            if place < last:
                code = ord(text[place])
                kind = classes[code if code < most else most]
            if kind == 1:
                key = hash_letter(key, int(lowered[code]) if code < small else code)  # 32 bits would be too few
            if kind & 1:
                continue
            if key != FIRST:
                entry = add_one(base + find_word(key, keys, values), row, first, entry, seen, rows, columns, counts)
                key = FIRST
            if kind == 2:
                wanted = hash_letter(FIRST, code)
                entry = add_one(base + find_word(wanted, keys, values), row, first, entry, seen, rows, columns, counts)
    return entry


def add_entries(rows: Longs, columns: Longs, values: Floats, table: Floats, sums: Floats) -> None:
    """Add to the rows of `sums` those of a table that entries name, each as often as its value says.

    No bounds are checked.
    """
    width = table.shape[1]
    for entry in range(len(rows)):
        row, column, value = rows[entry], columns[entry], values[entry]
        for place in range(width):
            sums[row, place] += value * table[column, place]
