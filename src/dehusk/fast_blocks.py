# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops over leaves that cut them into blocks.

Compiled with the C types in fast_blocks.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def block_columns(  # noqa: PLR0913, PLR0917
    text: str,
    begins: NDArray[np.uint8],
    state: NDArray[np.uint8],
    start: Ints,
    end: Ints,
    element: Ints,
    hidden: int,
    linked: int,
    verbatim: int,
    rows: Ints,
    veiled: NDArray[np.uint8],
) -> int:
    """Cut leaves into blocks, before each that `begins` marks, and return how many there are.

    Blocks of white space alone, which only verbatim text can be, are left out.

    The rows of `rows`: first leaf, one past the last leaf, start, end, the element that the block begins in, and
    characters in links. `veiled` gets 1 for blocks that are hidden altogether. Both have room for a block a leaf.
    """
    count = 0
    blank = False  # whether the block that is being made has no word so far
    for leaf in range(len(begins)):
        if begins[leaf] or count == 0:
            if blank:
                count -= 1
            blank = True
            rows[0, count] = leaf
            rows[2, count] = start[leaf]
            rows[4, count] = element[leaf]
            rows[5, count] = 0
            veiled[count] = 1
            count += 1
        here = count - 1
        rows[1, here] = leaf + 1
        rows[3, here] = end[leaf]
        if state[leaf] & linked:
            rows[5, here] += end[leaf] - start[leaf]
        if not state[leaf] & hidden:
            veiled[here] = 0
        if blank and not (state[leaf] & verbatim and text[start[leaf] : end[leaf]].isspace()):
            blank = False
    return count - 1 if blank else count


def kind_codes(  # noqa: PLR0913, PLR0917  (columns)
    tags: list[str],
    parents: NDArray[np.int32],
    own: dict[str, int],
    laid_out: NDArray[np.uint8],
    owners: NDArray[np.int32],
    numbers: list[int],
    codes: NDArray[np.int32],
    chain: NDArray[np.int32],
) -> list[int]:
    """Return what the `owners` of the blocks with some numbers pass on to the text below them.

    As `dehusk.blocks.CODES` has it for the tag of one element: a byte for the kind, one for the level, and above them,
    for the work in here, how many lists stand round it. A cell of a table that lays out the page, as `laid_out` tells
    where it has rows, makes paragraphs. `codes` has -1 for all elements but the root, `chain` as many rows.
    """
    found = []
    for number in numbers:
        index = owners[number]
        count = 0
        while codes[index] < 0:
            chain[count] = index
            count += 1
            index = parents[index]
        code = codes[index]
        while count:
            count -= 1
            index = chain[count]
            mine = own.get(tags[index], -1)
            depth = code >> 16
            if mine >= 65536:
                code += 65536
            elif mine == 2:  # a list item
                code = depth << 16 | (depth if depth < 255 else 255) << 8 | mine
            elif mine >= 0:
                code = depth << 16 | (0 if mine == 3 and len(laid_out) and laid_out[index] else mine)
            codes[index] = code
        found.append(code & 0xFFFF)
    return found


def tables_round(
    tags: list[str],
    parents: NDArray[np.int32],
    parts: dict[str, int],
    nearest: NDArray[np.int32],
    lays: NDArray[np.uint8],
) -> None:
    """Fill in the table round every element, or -1, and of tables whether they lay out the page.

    `parts` has 1 for a table and 2 for a heading, either of which a table of data does not hold.
    """
    nearest[0] = -1
    lays[0] = 0
    for index in range(1, len(tags)):
        parent = parents[index]
        mine = parts.get(tags[index], 0)
        # A table is told by its own row until what stands in it has been seen.
        lays[index] = 0
        round_it = parent if parts.get(tags[parent], 0) == 1 else nearest[parent]
        nearest[index] = round_it
        if mine and round_it >= 0:
            lays[round_it] = 1
