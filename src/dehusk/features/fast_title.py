# cython: cdivision=True, wraparound=False, boundscheck=False
"""The loop that compares headings with the title of the page.

Compiled with the C types in fast_title.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def title_columns(  # noqa: PLR0913, PLR0917
    text: str,
    start: Ints,
    end: Ints,
    above: Longs,
    headings: int,
    wanted: set[str],
    alike: float,
    far: int,
    logs: Floats,
    matrix: Floats,
) -> None:
    """Fill in how much each heading says of the words `wanted`; then where blocks stand to the one that says most.

    The rows of `matrix`, which come as zeros: blocks since that heading, `far` at most, as a logarithm; the share of a
    heading's words that are wanted; whether a block stands before it. None is told that says less than `alike`.
    """
    best, most = -1, 0.0
    for block in range(len(start)):
        if above[block] & headings == 0:
            continue
        words = text[start[block] : end[block]].lower().split()
        common = len(wanted.intersection(words))
        if common == 0:
            continue
        count = len(set(words))
        share = common / (1.0 * count) * least(count / 3.0, 1.0)  # one word is chance; three are not
        matrix[1, block] = share
        if share > most:
            best, most = block, share
    if best >= 0 and matrix[1, best] >= alike:
        for block in range(len(start)):
            if block < best:
                matrix[2, block] = 1.0
            else:
                matrix[0, block] = logs[block - best if block - best < far else far]


def least(value: float, limit: float) -> float:
    """Return the smaller of two numbers."""
    return value if value < limit else limit
