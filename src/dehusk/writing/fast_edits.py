# cython: wraparound=False, boundscheck=False
"""Where spans of a text go when it is edited, and which of a page's leaves are left.

Compiled with the C types in fast_edits.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.page.walk_flags import GLUED, SPACED, VERBATIM

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]


def fill_columns(spans: list[tuple[int, int]], starts: Ints, ends: Ints) -> None:
    """Fill in where spans start and end: numpy takes many times as long to make arrays of pairs."""
    for index, (start, end) in enumerate(spans):
        starts[index], ends[index] = start, end


def move_spans(  # noqa: PLR0913, PLR0917  (columns)
    text: str, starts: Ints, ends: Ints, states: Bytes, trim: bool, edits: Ints, new_starts: Ints, new_ends: Ints
) -> None:
    """Fill in where spans go, which are in order; `text` is the edited one.

    `edits` has four rows: where edits start and end, how long their replacements are, and how far what comes after so
    many of them is moved; the last of these has an edit of nothing beside it. To `trim` is to leave out white space at
    the ends of a span that edits have put there, except in code, which the `states` of leaves tell; these may be empty.
    """
    count = edits.shape[1] - 1
    ended = begun = ended_too = 0  # edits that end at or before a start, begin before an end, end at or before an end
    for row in range(len(starts)):
        start, end = starts[row], ends[row]
        while ended < count and edits[1, ended] <= start:
            ended += 1
        while begun < count and edits[0, begun] < end:
            begun += 1
        left = _moved(edits, start, ended, ended)
        right = _moved(edits, end, begun, begun - 1 if begun else 0)
        if trim and not (len(states) and states[row] & VERBATIM):
            while ended_too < count and edits[1, ended_too] <= end:
                ended_too += 1
            if _touches(edits, start, ended, count) or _touches(edits, end, ended_too, count):
                while left < right and text[left].isspace():
                    left += 1
                while left < right and text[right - 1].isspace():
                    right -= 1
        new_starts[row], new_ends[row] = left, right


def _moved(edits: Ints, offset: int, before: int, near: int) -> int:
    """Return an offset moved by the edits `before` it; one inside of the edit `near` stays within what replaces it."""
    start = edits[0, near]
    result: int = offset + edits[3, before]
    if start < offset < edits[1, near]:
        kept = offset - start
        result = start + edits[3, near] + (kept if kept < edits[2, near] else edits[2, near])
    return result


def _touches(edits: Ints, offset: int, ended: int, count: int) -> bool:
    """Return whether an offset is inside or at an end of an edit, given how many edits end at or before it."""
    return (ended > 0 and edits[1, ended - 1] == offset) or (ended < count and edits[0, ended] <= offset)


def filled_leaves(starts: Ints, ends: Ints, gaps: Bytes, rows: Ints, new_gaps: Bytes) -> int:
    """Fill in the leaves that have text, and their gaps; return how many there are.

    A leaf without text leaves its gap to the next.
    """
    count = 0
    gap = reached = 0
    for leaf in range(len(starts)):
        gap = max(gap, gaps[leaf])
        if starts[leaf] < ends[leaf]:
            if count and gap == GLUED and reached < starts[leaf]:
                gap = SPACED
            rows[count], new_gaps[count] = leaf, gap
            count += 1
            gap, reached = 0, ends[leaf]
    return count


def leaf_ranges(starts: Ints, ends: Ints, leaf_starts: Ints, leaf_ends: Ints, firsts: Ints, lasts: Ints) -> None:
    """Fill in the leaves that blocks extend over: the first, and one past the last; blocks and leaves are in order."""
    count = len(leaf_starts)
    first = last = 0
    for row in range(len(starts)):
        while first < count and leaf_ends[first] <= starts[row]:
            first += 1
        while last < count and leaf_starts[last] < ends[row]:
            last += 1
        firsts[row], lasts[row] = first, last if last > first else first
