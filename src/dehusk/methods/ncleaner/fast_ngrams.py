# cython: cdivision=True, wraparound=False, boundscheck=False
"""The bits that a table of character n-grams gives to segments of text.

An n-gram is one number with one byte per code, the last code in the lowest byte. No code is 0, so n-grams of all
orders fit into one hash table.

Compiled with the C types in fast_ngrams.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_hash_table import find_slot
from dehusk.methods.ncleaner.alphabet import BLANK, EDGE

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


def fold(text: str, first: int, last: int, folding: Longs, codes: NDArray[np.uint8]) -> int:
    """Write the codes of a piece of text into `codes`, runs of blanks as one; return how many there are."""
    most = len(folding) - 1
    count, before = 0, BLANK
    for offset in range(first, last):
        point = ord(text[offset])
        code = folding[point if point < most else most]
        if code == 0 or (code == BLANK and before == BLANK):
            continue
        codes[count] = code
        count += 1
        before = code
    return count


def sum_bits(
    text: str, start: Ints, end: Ints, folding: Longs, keys: Longs, values: NDArray[np.float32], order: int
) -> tuple[NDArray[np.float64], Ints]:
    """Return the sum of the bits of each segment's characters, and the number of characters.

    A segment begins and ends with the code `EDGE`. A character adds the value of the longest n-gram in the table that
    ends with it, at most `order` codes long.
    """
    sums, counts = np.zeros(len(start)), np.zeros(len(start), np.int32)
    codes = np.empty(len(text) + 1, np.uint8)
    one = 1
    longest = (one << (8 * order)) - 1
    for block in range(len(start)):
        count = fold(text, start[block], end[block], folding, codes)
        codes[count] = EDGE
        counts[block] = count + 1
        key = EDGE
        for offset in range(count + 1):
            code = int(codes[offset])  # uncompiled, 8 bits would be too few
            key = (key << 8 | code) & longest
            mask = longest
            while mask:
                slot = find_slot(key & mask, keys)
                if keys[slot] != 0:
                    sums[block] += values[slot]
                    break
                mask >>= 8
    return np.asarray(sums), np.asarray(counts)
