# cython: cdivision=True, wraparound=False, boundscheck=False
"""What ncleaner computes for every character: its code, the n-gram that it ends, and what that n-gram is worth.

An n-gram is one number, a byte a code, the last in the lowest byte. No code is 0, so that n-grams of all orders lie in
one table; a place that is empty has the key 0. The loops run over plain numbers, so that they compile to C; uncompiled
they give the same numbers, only slower.
"""

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]
Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


def spread(keys: Longs, values: Floats, slots: Longs, worth: Floats) -> None:
    """Put n-grams into a table with more room than there are n-grams: each at its place, or the next one free."""
    size = len(slots)
    for index in range(len(keys)):
        place = keys[index] % size
        while slots[place] != 0:
            place = place + 1 if place + 1 < size else 0
        slots[place] = keys[index]
        worth[place] = values[index]


def fold(text: str, first: int, last: int, folding: Longs, codes: Bytes) -> int:
    """Write the codes of a piece of text into `codes`, runs of blanks as one; return how many there are."""
    most = len(folding) - 1
    count = 0
    before = 32
    for place in range(first, last):
        point = ord(text[place])
        code = folding[point if point < most else most]
        if code == 0 or (code == 32 and before == 32):
            continue
        codes[count] = code
        count += 1
        before = code
    return count


def weigh(  # noqa: PLR0913, PLR0917  (arrays in, arrays out)
    text: str,
    start: NDArray[np.int32],
    end: NDArray[np.int32],
    edge: int,
    folding: Longs,
    slots: Longs,
    worth: Floats,
    order: int,
    bits: NDArray[np.float64],
    counts: NDArray[np.int32],
) -> None:
    """Add to each segment's bits those by which it is likelier clean than dirty, and count the characters they are of.

    A segment begins and ends with the code `edge`. What a character adds is the worth of the longest n-gram in
    the table that ends with it, at most `order` long.
    """
    most = len(folding) - 1
    size = len(slots)
    whole = 1
    whole = (whole << (8 * order)) - 1
    for block in range(len(start)):
        key = edge
        before = 32
        count = 0
        total = bits[block]
        for step in range(start[block], end[block] + 1):
            if step == end[block]:
                code = edge
            else:
                point = ord(text[step])
                code = folding[point if point < most else most]
                if code == 0 or (code == 32 and before == 32):
                    continue
            before = code
            count += 1
            key = ((key << 8) | code) & whole
            mask = whole
            while mask:
                gram = key & mask
                place = gram % size
                while slots[place] != gram and slots[place] != 0:
                    place = place + 1 if place + 1 < size else 0
                if slots[place] == gram:
                    total += worth[place]
                    break
                mask >>= 8
        bits[block] = total
        counts[block] = count
