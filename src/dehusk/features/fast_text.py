# cython: cdivision=True, wraparound=False, boundscheck=False
"""The loop over characters that text features are counted in.

Compiled with the C types in fast_text.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def text_columns(  # noqa: PLR0913, PLR0917
    text: str,
    start: Ints,
    end: Ints,
    classes: NDArray[np.uint8],
    logs: Floats,
    counts: Ints,
    matrix: Floats,
    words: Floats,
    marks: Longs,
    link_chars: Ints,
    link: Floats,
) -> None:
    """Fill in what the characters of each span say, in the order of `dehusk.features.text.NAMES`.

    `classes` gives the class of each character, numbered as in that module, its last entry that of all beyond; `logs`
    the logarithm of each number from 1 on. `counts` is room for the counts of one span. `marks` get a number that two
    spans share if, and but for chance only if, their texts are the same; `link` gets the share of `link_chars`.
    """
    most, longest, mask = len(classes) - 1, len(logs) - 1, 0xFFFFFFFFFFF
    for block in range(len(start)):
        for kind in range(12):
            counts[kind] = 0
        kind = before = capitalised = 0
        mark = 1
        for place in range(start[block], end[block]):
            code = ord(text[place])
            spot = code if code < most else most
            kind = classes[spot]
            counts[kind] += 1
            mark = (mark * 112755 + spot) & mask
            if before == 0 and kind == 1:
                capitalised += 1
            before = kind
        marks[block] = mark
        length = end[block] - start[block]
        link[block] = link_chars[block] / (1.0 * length if length > 1 else 1.0)
        # Two characters make a word in scripts without blanks, near enough.
        many = counts[0] + 1 + counts[3] // 2
        words[block] = many
        matrix[0, block] = logs[length if length < longest else longest]
        matrix[1, block] = logs[many if many < longest else longest]
        matrix[2, block] = logs[counts[5] if counts[5] < longest else longest]
        matrix[3, block] = least((length - counts[0]) / (10.0 * many), 3.0)
        for row in range(4):
            matrix[4 + row, block] = counts[1 + row] / (1.0 * length)
        matrix[8, block] = counts[11] / (1.0 * length)
        matrix[9, block] = capitalised / (1.0 * many)
        matrix[10, block] = least(counts[5] / (1.0 * many), 2.0)
        matrix[11, block] = least(counts[6] / (1.0 * many), 2.0)
        matrix[12, block] = least(counts[11] / (1.0 * many), 2.0)
        matrix[13, block] = least(counts[9] / (1.0 * many), 2.0)
        matrix[14, block] = least(counts[10] / (1.0 * many), 2.0)
        matrix[15, block] = least(counts[7], 2.0)
        matrix[16, block] = least(counts[8], 2.0)
        matrix[17, block] = kind == 5
        matrix[18, block] = kind == 6
        matrix[19, block] = kind == 2
        code = ord(text[start[block]])
        kind = classes[code if code < most else most]
        matrix[20, block] = kind == 1
        matrix[21, block] = kind == 4
        matrix[22, block] = kind >= 7


def least(value: float, limit: float) -> float:
    """Return the smaller of two numbers."""
    return value if value < limit else limit
