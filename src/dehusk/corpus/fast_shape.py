# cython: cdivision=True, wraparound=False, boundscheck=False
"""The loops that count what a text consists of: words, marks and lines, and how often some words are in it.

Compiled with the C types in fast_shape.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

BEYOND = 0x10000  # the entry of a table of classes that all characters beyond the first plane share
SPACE, MARK, END = 1, 2, 4  # flags of characters: white space, a digit or punctuation, what sentences end with
LINE_END = 10


def fill_shape(text: str, classes: Bytes, totals: Longs) -> None:
    """Fill in the totals of words, their characters, marks, lines that are not empty, their characters, ended lines."""
    words, characters, marks, lines, in_lines, ended = 0, 0, 0, 0, 0, 0
    in_word, length, last = False, 0, 0
    for index in range(len(text)):
        code = ord(text[index])
        if code == LINE_END:
            if length:
                lines += 1
                in_lines += length
                ended += (last & END) != 0
            length = 0
            in_word = False
            continue
        length += 1
        last = classes[code if code < BEYOND else BEYOND]
        if last & SPACE:
            in_word = False
            continue
        characters += 1
        marks += (last & MARK) != 0
        if not in_word:
            words += 1
            in_word = True
    if length:
        lines += 1
        in_lines += length
        ended += (last & END) != 0
    totals[0] = words
    totals[1] = characters
    totals[2] = marks
    totals[3] = lines
    totals[4] = in_lines
    totals[5] = ended


def fill_counts(words: Words, profile: Words, counts: Longs) -> None:
    """Fill in how often each word of a profile is among all words of a text, both given by their hashes."""
    for entry in range(len(profile)):
        counts[entry] = 0
    for index in range(len(words)):
        for entry in range(len(profile)):
            if words[index] == profile[entry]:
                counts[entry] += 1
