# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops that read attributes into the bits of a vocabulary.

Compiled with the C types in fast_tokens.pxd; runs as plain Python with the same results.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_hash_table import find_slot

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def read_tokens(  # noqa: PLR0913, PLR0917
    nodes: list[Any],
    tags: list[str],
    parent: Ints,
    holder: Ints,
    annotated: set[Any],
    keys: Longs,
    values: Ints,
    own: Longs,
    anywhere: Longs,
    page: Longs,
) -> None:
    """Read the attributes of the elements that hold blocks and of all above them, and set the bits of their tokens.

    `own` has one row per element; `anywhere` includes the tokens of the elements above. `keys` and `values` are the
    vocabulary's table, `annotated` the elements that have role or itemprop. The tokens of `html` and `body` describe
    the whole `page`.
    """
    words = own.shape[1]
    needed = np.zeros(len(parent), np.uint8)
    count = 0
    for index in range(len(holder)):
        above = holder[index]
        while above > 0 and needed[above] == 0:
            needed[above] = 1
            count += 1
            above = parent[above]
    # Most classes occur several times, and a lookup costs less than splitting.
    known: dict[str, int] = {}
    classes = np.zeros((count, words), np.int64)
    for index in range(1, len(parent)):
        if needed[index] == 0:
            continue
        node = nodes[index]
        read_class(node.attr("class"), known, classes, keys, values, own, index)
        # Read from every element: the content of a noscript is parsed separately, and a search does not find it.
        add_tokens(node.attr("id"), keys, values, own, index)
        if annotated and node in annotated:
            add_tokens(node.attr("role"), keys, values, own, index)
            add_tokens(node.attr("itemprop"), keys, values, own, index)
        above = parent[index]
        whole = tags[index] == "body" or tags[index] == "html"  # two comparisons compile to C
        for word in range(words):
            if whole:
                page[word] |= own[index, word]
                own[index, word] = 0
            anywhere[index, word] = anywhere[above, word] | own[index, word]


def read_class(
    text: str | None, known: dict[str, int], classes: Longs, keys: Longs, values: Ints, own: Longs, index: int
) -> None:
    """Set the bits of the tokens in the class of an element; `known` has the rows of `classes` that hold them."""
    if text is None:
        return
    row = known.get(text, -1)
    if row < 0:
        row = len(known)
        known[text] = row
        add_tokens(text, keys, values, classes, row)
    for word in range(classes.shape[1]):
        own[index, word] |= classes[row, word]


def join_tokens(own: Longs, anywhere: Longs, holder: Ints, parent: Ints, both: Longs) -> None:
    """Write for every block the tokens of its holder and of the two elements above, then those of all above."""
    words = own.shape[1]
    for block in range(len(holder)):
        first = holder[block]
        second = parent[first]
        third = parent[second]
        for word in range(words):
            both[block, word] = own[first, word] | own[second, word] | own[third, word]
            both[block, words + word] = anywhere[first, word]


def any_bits(rows: Longs, first: int, mask: Longs, has_any: NDArray[np.bool_]) -> bool:
    """Fill in which rows have any of the bits `mask` from the column `first` on; return whether any row does."""
    some = False
    for row in range(len(has_any)):
        has_any[row] = False
        for word in range(len(mask)):
            if rows[row, first + word] & mask[word]:
                has_any[row] = some = True
    return some


def add_tokens(text: str | None, keys: Longs, values: Ints, bits: Longs, row: int) -> None:
    """Set in a row of `bits` those of the tokens that `text` contains and the vocabulary knows.

    A token is a run of lower-case ASCII letters with the capital before it, or of capitals, whatever its case. Its
    letters are the digits of a number to the base of 27, which is exact up to thirteen; longer tokens are unknown.
    `keys` and `values` are a hash table from these numbers to bits.
    """
    if text is None:
        return
    key = length = 0
    width = len(text)
    small = False  # whether the letter before was in lower case
    for offset in range(width + 1):
        letter = 32
        if offset < width:
            code = ord(text[offset])
            letter = code if code < 128 else 128
        lower = 97 <= letter <= 122
        upper = 65 <= letter <= 90
        # A capital after a lower-case letter begins a token; so does the last of several before one.
        ends = length > 0 and not (lower or (upper and not small))
        if lower and not small and length > 1:
            # The run of capitals went one too far: its last letter begins this token.
            last = key % 27
            set_token_bit(key // 27, length - 1, keys, values, bits, row)
            key, length = last, 1
        if ends:
            set_token_bit(key, length, keys, values, bits, row)
            key = length = 0
        if lower or upper:
            key = key * 27 + (letter - 96 if lower else letter - 64) if length < 13 else 0
            length += 1
        small = lower


def set_token_bit(key: int, length: int, keys: Longs, values: Ints, bits: Longs, row: int) -> None:
    """Set the bit of one token, if the vocabulary knows it."""
    if key == 0 or length > 13:
        return
    slot = find_slot(key, keys)
    if keys[slot] == key:
        one = 1
        token = int(values[slot])  # uncompiled, a shift of a 32-bit number would lose the upper bits
        bits[row, token // 62] |= one << (token % 62)
