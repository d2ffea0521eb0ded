# cython: wraparound=False, boundscheck=False
"""The loop that finds the text nodes which are marks of the page inside of its text.

Compiled with the C types in fast_marks.pxd; as plain Python it returns the same.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dehusk.page.walk_flags import LINKED

Ints = NDArray[np.int32]

# What is known of an element: it, or a `span` around it in the same block, has a class of such a mark.
UNKNOWN, NO_MARK, UNSEEN, EDIT, HEADING = 0, 1, 2, 4, 8


def marked_leaves(  # noqa: PLR0913, PLR0917  (columns)
    text: str,
    spans: list[tuple[int, int]],
    starts: Ints,
    ends: Ints,
    states: NDArray[np.uint8],
    owners: Ints,
    tags: list[str],
    nodes: list[Any],
    parents: Ints,
    block_marks: dict[str, int],
    class_marks: dict[str, int],
    known: NDArray[np.uint8],
) -> list[int]:
    """Return the leaves in spans of a text that are marks; none if there is nothing else in the spans.

    `block_marks` has the tags that end a search for marks, `class_marks` the classes of marks. `known` must hold zeros,
    one for each element.
    """
    marked: list[int] = []
    names: dict[str, int] = {}
    others = False
    leaf = 0
    count = len(starts)
    for start, end in spans:
        while leaf < count and starts[leaf] < start:
            leaf += 1
        while leaf < count and starts[leaf] < end:
            owner = owners[leaf]
            mark = known[owner]
            if mark == UNKNOWN:
                # Most text is directly in a block-level element.
                mark = block_marks.get(tags[owner], UNKNOWN)
                if mark == UNKNOWN:
                    mark = marks_above(owner, tags, nodes, parents, block_marks, class_marks, names, known)
                else:
                    known[owner] = mark
            is_link = ends[leaf] - starts[leaf] == 1 and states[leaf] & LINKED
            is_sign = is_link and _is_link_sign(text[starts[leaf]], mark)
            if is_sign or mark & EDIT or mark & (UNSEEN | HEADING) == UNSEEN:
                marked.append(leaf)
            else:
                others = True
            leaf += 1
    return marked if others else []


def marks_above(  # noqa: PLR0913, PLR0917  (columns)
    index: int,
    tags: list[str],
    nodes: list[Any],
    parents: Ints,
    block_marks: dict[str, int],
    class_marks: dict[str, int],
    names: dict[str, int],
    known: NDArray[np.uint8],
) -> int:
    """Return the marks of an element, and of those above it up to the block-level element that it is in."""
    chain: list[int] = []
    mark = NO_MARK
    while index > 0:
        if known[index] != UNKNOWN:
            mark = known[index]
            break
        ended = block_marks.get(tags[index], UNKNOWN)
        if ended != UNKNOWN:
            known[index] = ended
            mark = ended
            break
        chain.append(index)
        index = parents[index]
    while chain:
        index = chain.pop()
        # Other tags seldom have such a class, and reading all of them takes as long as all the rest.
        if tags[index] == "span":
            name = nodes[index].attr("class")
            if name is not None:
                mark |= class_mark(name, class_marks, names)
        known[index] = mark
    return mark


def class_mark(name: str, class_marks: dict[str, int], names: dict[str, int]) -> int:
    """Return the marks that the names in a class stand for."""
    mark = names.get(name, -1)
    if mark < 0:
        mark = 0
        for part in name.split():
            mark |= class_marks.get(part, 0)
        names[name] = mark
    return mark


def _is_link_sign(character: str, mark: int) -> bool:
    return character == "¶" or (mark & HEADING != 0 and character in "#§🔗")
