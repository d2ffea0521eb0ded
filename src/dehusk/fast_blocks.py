# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops that cut leaves into blocks and work out what kind of block each is.

Compiled with the C types in fast_blocks.pxd; as plain Python it returns the same.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from dehusk.page.walk_flags import HIDDEN, LINKED, VERBATIM

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]


class BlockRow(IntEnum):
    """The rows of the matrix that `block_columns` fills."""

    FIRST_LEAF = 0
    END_LEAF = 1  # one past the last
    START = 2
    END = 3
    OWNER = 4  # the element that the block begins in
    LINK_CHARS = 5


FIRST_LEAF, END_LEAF, START, END, OWNER, LINK_CHARS = BlockRow  # C variables, unlike the members of a class


def block_columns(  # noqa: PLR0913, PLR0917  (columns)
    text: str, begins: Bytes, state: Bytes, start: Ints, end: Ints, element: Ints, rows: Ints, all_hidden: Bytes
) -> int:
    """Cut leaves into blocks, before each that `begins` marks, and return how many there are.

    Blocks of white space alone, which only verbatim text can be, are left out. `rows` gets a column for each block,
    `all_hidden` a 1 for blocks that are hidden altogether; both need room for as many blocks as there are leaves.
    """
    count = 0
    blank = False  # whether the current block has no word so far
    for leaf in range(len(begins)):
        if begins[leaf] or count == 0:
            if blank:
                count -= 1
            blank = True
            rows[FIRST_LEAF, count] = leaf
            rows[START, count] = start[leaf]
            rows[OWNER, count] = element[leaf]
            rows[LINK_CHARS, count] = 0
            all_hidden[count] = 1
            count += 1
        here = count - 1
        rows[END_LEAF, here] = leaf + 1
        rows[END, here] = end[leaf]
        if state[leaf] & LINKED:
            rows[LINK_CHARS, here] += end[leaf] - start[leaf]
        if not state[leaf] & HIDDEN:
            all_hidden[here] = 0
        if blank and not (state[leaf] & VERBATIM and text[start[leaf] : end[leaf]].isspace()):
            blank = False
    return count - 1 if blank else count


def kind_codes(  # noqa: PLR0913, PLR0917  (columns)
    tags: list[str],
    parents: Ints,
    own: dict[str, int],
    in_layout: Bytes,
    owners: Ints,
    blocks: list[int],
    codes: Ints,
    chain: Ints,
) -> list[int]:
    """Return the codes of the given blocks, which follow from their `owners`.

    `own` has the codes of single tags, as in `dehusk.blocks.CODES`: a byte for the kind, one for the level, and above
    them, used only here, the number of lists around. Cells of tables for layout, marked in `in_layout` unless that is
    empty, are paragraphs. `codes` must hold -1 for all elements but the root, `chain` have as many rows.
    """
    result = []
    for block in blocks:
        index = owners[block]
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
                code = depth << 16 | (0 if mine == 3 and len(in_layout) and in_layout[index] else mine)
            codes[index] = code
        result.append(code & 0xFFFF)
    return result


def fill_enclosing_tables(
    tags: list[str], parents: Ints, parts: dict[str, int], enclosing: Ints, is_layout: Bytes
) -> None:
    """Fill in the innermost table around every element, or -1, and which elements are tables for layout.

    `parts` has 1 for a table and 2 for a heading: a table of data holds neither.
    """
    enclosing[0] = -1
    is_layout[0] = 0
    for index in range(1, len(tags)):
        parent = parents[index]
        mine = parts.get(tags[index], 0)
        is_layout[index] = 0  # until a heading or a table is met in it
        table = parent if parts.get(tags[parent], 0) == 1 else enclosing[parent]
        enclosing[index] = table
        if mine and table >= 0:
            is_layout[table] = 1
