# cython: cdivision=True, wraparound=False, boundscheck=False
"""The loop that finds blocks with the text of an earlier one.

Compiled with the C types in fast_repeats.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import BEYOND, PART_OF_WORD, WHOLE_WORD

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

SAMPLES = 8  # characters of a block that its slot in the table follows from, apart from its length
# After so many blocks in the same slot another one is taken for new: a page could make every search long otherwise.
MOST_TRIES = 16


def fill_repeats(  # noqa: PLR0913, PLR0917  (columns)
    text: str, start: Ints, end: Ints, eligible: Bytes, classes: Bytes, least: int, slots: Ints, repeats: Ints
) -> None:
    """Fill in the index of the first block with the same text.

    It is -1 for blocks that have too few words or are not `eligible`. `classes` are `dehusk.characters.WORD_CLASSES`.
    `slots` is the room of a hash table: zeros, and more of them than there are blocks.
    """
    size = len(slots)
    for block in range(len(start)):
        repeats[block] = -1
        length = end[block] - start[block]
        if eligible[block] == 0 or length < 2 * least - 1:  # so many words, in any script, have more characters
            continue
        slot, tries = sampled_hash(text, start[block], length) % size, MOST_TRIES
        while tries > 0 and slots[slot] > 0:
            other = slots[slot] - 1
            if end[other] - start[other] == length and same_text(text, start[other], start[block], length):
                if has_words(text, start[block], end[block], classes, least):
                    repeats[block] = other
                break
            slot = (slot + 1) % size
            tries -= 1
        if tries > 0 and slots[slot] == 0:
            slots[slot] = block + 1


def sampled_hash(text: str, start: int, length: int) -> int:
    """Return a number below 2^31 that follows from the length of a text and a few of its characters."""
    result = 0
    for sample in range(SAMPLES):
        result = (result * 31 + ord(text[start + (length - 1) * sample // (SAMPLES - 1)])) & 0x7FFFFFFF
    return result ^ length


def same_text(text: str, left: int, right: int, length: int) -> bool:
    """Return whether two spans of a text, equally long, are the same."""
    for offset in range(length):  # noqa: SIM110  (compiles to C)
        if text[left + offset] != text[right + offset]:
            return False
    return True


def has_words(text: str, start: int, end: int, classes: Bytes, least: int) -> bool:
    """Return whether a span has at least so many words; in scripts without spaces two characters count as one."""
    halves, inside = 0, False
    for offset in range(start, end):
        code = ord(text[offset])
        kind = classes[code if code < BEYOND else BEYOND]
        if kind == WHOLE_WORD:
            halves += 1
        elif kind == PART_OF_WORD and not inside:
            halves += 2
        inside = kind == PART_OF_WORD
        if halves >= 2 * least:
            return True
    return False
