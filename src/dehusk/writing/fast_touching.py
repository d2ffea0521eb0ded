# cython: wraparound=False, boundscheck=False
"""Where two text nodes touch without white space between them, and letters on both sides.

Compiled with the C types in fast_touching.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.page.walk_flags import GLUED, IN_SVG, VERBATIM


def touching_leaves(
    text: str,
    spans: list[tuple[int, int]],
    starts: NDArray[np.int32],
    gaps: NDArray[np.uint8],
    states: NDArray[np.uint8],
    owners: NDArray[np.int32],
) -> list[int]:
    """Return the leaves in spans of a text that touch the one before them, and are in another element than it is.

    Both are letters or digits where they touch, or a mark is there that may part them. Code and drawings are left out.
    """
    touching: list[int] = []
    count = len(spans)
    span = -1
    first = end = -1
    for leaf in range(1, len(starts)):
        if gaps[leaf] != GLUED or owners[leaf] == owners[leaf - 1] or (states[leaf] | states[leaf - 1]) & UNTOUCHED:
            continue
        offset = starts[leaf]
        while end <= offset:
            span += 1
            if span == count:
                return touching
            start, stop = spans[span]
            if start > end:  # where two spans touch, they are one
                first = start
            end = stop
        if first < offset and _touch(text[offset - 1], text[offset]):
            touching.append(leaf)
    return touching


UNTOUCHED = VERBATIM | IN_SVG


def _touch(before: str, after: str) -> bool:
    # Marks of scripts without cases are no letters; which characters beyond Latin are, is asked later.
    if after.isalnum() or after > "\u02ff":
        if before in ".!?":
            return after.isupper() or after.isdecimal()
        return before.isalnum() or before > "\u02ff" or before in ":)"
    return before.islower() and after in "$£"
