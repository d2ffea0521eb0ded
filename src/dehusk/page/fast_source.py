# cython: boundscheck=False, wraparound=False
"""The loops that follow a walk through the source of a page: where its tags are, and what lies between them.

Compiled with the C types in fast_source.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.page.fast_walk import Span, Tags, WalkStep

Ints = NDArray[np.int64]

CLOSE, LEAF, OTHER, ENTER_FRAGMENT, LEAVE_FRAGMENT = WalkStep
# In place of where a tag starts: a leaf; a comment or white space.
IS_LEAF, IS_OTHER = -1, -2


def fill_events(steps: list[Tags | WalkStep], start: Ints, end: Ints) -> int:  # noqa: C901  (one loop over all steps)
    """Fill in tags, leaves and other nodes in the order of a walk, and return how many there are."""
    count, base, last_tag = 0, 0, 0  # where the page or fragment that the walk is in begins; where the last tag ends
    closing_tags: list[Span | None] = []
    bases: list[int] = []
    for step in steps:
        if step is LEAF:
            start[count] = IS_LEAF
            count += 1
        elif step is OTHER:
            start[count] = IS_OTHER
            count += 1
        elif step is ENTER_FRAGMENT:
            bases.append(base)
            base = last_tag
        elif step is LEAVE_FRAGMENT:
            base = bases.pop()
        elif step is CLOSE:
            tag = closing_tags.pop()
            if tag is not None:
                start[count], end[count] = tag[0], tag[1]
                last_tag = tag[1]
                count += 1
        else:
            tag, closing = step[0], step[1]  # type: ignore[index]
            if closing is not None and base:
                closing = (base + closing[0], base + closing[1])
            closing_tags.append(closing)
            if tag is not None:
                start[count], end[count] = base + tag[0], base + tag[1]
                last_tag = base + tag[1]
                count += 1
    for tag in reversed(closing_tags):
        if tag is not None:
            start[count], end[count] = tag[0], tag[1]
            count += 1
    return count


def fill_between(html: str, start: Ints, end: Ints, count: int, following: Ints, left: Ints, right: Ints) -> int:
    """Fill in what lies between the tags, and comments, around each leaf, and return how many leaves there are.

    Where that cannot be, the right end is before the left one.
    """
    limit, leaves, cursor = len(html), 0, 0
    for index in range(count - 1, -1, -1):  # where the first tag after each event begins
        following[index] = limit
        if start[index] >= 0:
            limit = start[index]
    for index in range(count):
        limit = following[index]
        if start[index] == IS_OTHER:
            cursor = _after_comment(html, cursor, limit)
        elif start[index] == IS_LEAF:
            stop = limit
            if index + 1 < count and start[index + 1] == IS_OTHER:
                comment = html.find("<!", cursor, limit)
                stop = comment if comment >= 0 else limit
            left[leaves], right[leaves] = cursor, stop
            leaves += 1
            if stop > cursor:  # noqa: PLR1730  (compiles to C)
                cursor = stop
        else:
            cursor = end[index]
    return leaves


def _after_comment(html: str, cursor: int, limit: int) -> int:
    """Return the end of the comment at the cursor; white space between tags counts as one and has no end."""
    offset = cursor
    while offset < limit and html[offset] != "<":
        offset += 1
    if offset >= limit:
        return cursor
    close = "-->" if html.startswith("<!--", offset) else ">"
    end = html.find(close, offset, limit)
    return cursor if end < 0 else end + len(close)
