# cython: cdivision=True, wraparound=False, boundscheck=False
"""The loop that reads the signs of blocks from their first character and the elements above them.

Compiled with the C types in fast_signs.pxd; as plain Python it returns the same.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

# As in `dehusk.selection.signs`, which imports this module.
UNSEEN, BRACKET, IS_BLOCK, MODAL, MAY_BE_MODAL, BUTTON, MAY_BE_BUTTON = 16, 32, 64, 128, 256, 512, 1024
# How far above the first block in it an element may be for its class to be read: what hides a text is near, and reading
# all classes takes as long as all the rest.
NEAR = 2
HIGH = 10  # elements below the root among which dialogs are, counted with `html` and `body`


def fill_signs(  # noqa: C901, PLR0913, PLR0917  (columns; in one loop, which compiles to C)
    text: str,
    start: Ints,
    owners: Ints,
    kept: NDArray[np.uint8],
    tags: list[str],
    nodes: list[Any],
    parents: Ints,
    tag_signs: dict[str, int],
    unseen: frozenset[str],
    of_elements: Ints,
    chain: Ints,
    signs: Ints,
) -> int:
    """Fill in the signs of the blocks that are kept, and return all of them together.

    `of_elements` must hold -1 for all elements but the root, `chain` have as many rows.
    """
    any_signs = 0
    known: dict[str, int] = {}  # what each class says: most occur several times
    for block in range(len(start)):
        if kept[block] == 0:
            continue
        index = owners[block]
        count = 0
        while of_elements[index] < 0:
            chain[count] = index
            count += 1
            index = parents[index]
        above = of_elements[index]
        while count:
            count -= 1
            index = chain[count]
            mine = tag_signs.get(tags[index], 0)
            if mine & IS_BLOCK:
                mine ^= IS_BLOCK
                if count < NEAR:
                    name = nodes[index].attr("class")
                    if name is not None:
                        mine |= class_sign(name, unseen, known)
            if mine & MAY_BE_MODAL:
                mine ^= MAY_BE_MODAL
                if is_high(index, parents) and nodes[index].attr("aria-modal") == "true":
                    mine |= MODAL
            elif mine & MAY_BE_BUTTON:
                node = nodes[index]
                mine = 0 if node.attr("aria-expanded") is not None or node.attr("aria-controls") is not None else BUTTON
            above |= mine
            of_elements[index] = above
        letter = text[start[block]]
        signs[block] = above | BRACKET if letter == "{" or letter == "[" else above  # noqa: PLR1714  (compiles to C)
        any_signs |= signs[block]
    return any_signs


def is_high(index: int, parents: Ints) -> bool:
    """Return whether an element is near the root."""
    for _ in range(HIGH):
        if index <= 0:
            return True
        index = parents[index]
    return False


def class_sign(name: str, unseen: frozenset[str], known: dict[str, int]) -> int:
    """Return UNSEEN if one of the names in a class takes text out of sight, else 0."""
    sign = known.get(name, -1)
    if sign < 0:
        sign = 0 if unseen.isdisjoint(name.split()) else UNSEEN
        known[name] = sign
    return sign
