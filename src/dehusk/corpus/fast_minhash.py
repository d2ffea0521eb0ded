# cython: cdivision=True, wraparound=False, boundscheck=False
"""The loops that hash the shingles of a text and take the minima of many hash functions over them.

Compiled with the C types in fast_minhash.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Longs = NDArray[np.uint64]
Words = NDArray[np.uint32]

BEYOND = 0x10000  # the entry of a table of classes that all characters beyond the first plane share
PART, WHOLE = 1, 2  # classes of characters: part of a word; a word of its own
MASK = 0xFFFFFFFFFFFFFFFF
MASK32 = 0xFFFFFFFF
OFFSET, PRIME = 0xCBF29CE484222325, 0x100000001B3  # of FNV-1a
MIX = 0x9E3779B97F4A7C15


def fill_words(text: str, classes: Bytes, hashes: Longs) -> int:
    """Fill in the hash of each word of a text and return how many there are; `hashes` has room for every character."""
    count, current, inside = 0, OFFSET, False
    for index in range(len(text)):
        code = ord(text[index])
        kind = classes[code if code < BEYOND else BEYOND]
        if inside and kind != PART:
            hashes[count] = current
            count += 1
            current, inside = OFFSET, False
        if kind == WHOLE:
            hashes[count] = ((OFFSET ^ code) * PRIME) & MASK
            count += 1
        elif kind == PART:
            current = ((current ^ code) * PRIME) & MASK
            inside = True
    if inside:
        hashes[count] = current
        count += 1
    return count


def fill_shingles(words: Longs, count: int, size: int, shingles: Longs) -> int:
    """Fill in the hash of every `size` words in a row and return how many there are; all words, if there are fewer."""
    if count == 0:
        return 0
    length = size if count >= size else count
    for first in range(count - length + 1):
        value = 0
        for index in range(first, first + length):
            value = ((value ^ words[index]) * MIX) & MASK
            value ^= value >> 29
        shingles[first] = value
    return count - length + 1


def fill_signature(shingles: Longs, factors: Words, addends: Words, signature: Words) -> None:
    """Fill in, for each hash function, the least value that it has for any of the shingles."""
    count = len(signature)
    for function in range(count):
        signature[function] = MASK32
    for index in range(len(shingles)):
        low = (shingles[index] ^ (shingles[index] >> 32)) & MASK32
        for function in range(count):
            value = (low * factors[function] + addends[function]) & MASK32
            if value < signature[function]:  # noqa: PLR1730  (compiles to C)
                signature[function] = value
