# cython: wraparound=False, boundscheck=False
"""Spans of a page's text: joined, matched with blocks, added up.

Compiled with the C types in fast_spans.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import BEYOND, PART_OF_WORD, WHOLE_WORD


def joined(text: str, spans: list[tuple[int, int]]) -> str:
    """Return spans of a text as one, joined by a line end if one was between them, else by a blank if anything was."""
    pieces = []
    previous = -1
    for start, end in spans:
        if previous >= 0 and previous < start:
            pieces.append("\n" if ends_line(text, previous, start) else " ")
        pieces.append(text[start:end])
        previous = end
    return "".join(pieces)


def ends_line(text: str, start: int, end: int) -> bool:
    """Return whether a line ends in a span of a text."""
    # One character, as between the blocks of most cuts, need not be searched.
    return text[start] == "\n" if start + 1 == end else "\n" in text[start:end]


def kept_spans(starts: NDArray[np.int32], ends: NDArray[np.int32], kept: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the spans of the blocks that are kept.

    >>> kept_spans(np.array([0, 5], np.int32), np.array([4, 9], np.int32), np.array([False, True]))
    [(5, 9)]
    """
    spans = []
    for block in range(len(kept)):
        if kept[block]:
            spans.append((int(starts[block]), int(ends[block])))
    return spans


def one_apart(starts: NDArray[np.int32], ends: NDArray[np.int32], length: int) -> bool:
    """Return whether blocks cover a text of that length but for one character between each and the next.

    >>> one_apart(np.array([0, 5], np.int32), np.array([4, 9], np.int32), 9)
    True
    """
    previous = -1
    for block in range(len(starts)):
        if starts[block] != previous + 1:
            return False
        previous = ends[block]
    return bool(previous == length)


def whole_pieces(
    spans: list[tuple[int, int]], kept: NDArray[np.uint8], starts: NDArray[np.int32], ends: NDArray[np.int32]
) -> list[tuple[int, tuple[int, int]]] | None:
    """Return spans with the indexes of their blocks; None unless each is a whole block, and no two touch.

    Blocks that are kept and have no text, since none of it is written, have no span.
    """
    pieces = []
    count = len(spans)
    index, previous = 0, -1
    for block in range(len(kept)):
        if kept[block] and starts[block] < ends[block]:
            if index == count or starts[block] == previous:
                return None
            span = spans[index]
            start, end = span
            if start != starts[block] or end != ends[block]:
                return None
            pieces.append((block, span))
            previous = end
            index += 1
    return pieces if index == count else None


def totals(
    starts: NDArray[np.int32], ends: NDArray[np.int32], kept: NDArray[np.uint8], values: NDArray[np.float64]
) -> tuple[int, int, int, int, int, float, float]:
    """Return characters; characters and blocks that are kept; characters and blocks with a score, and sums of scores.

    The first sum weighs blocks by their characters, the second counts each once.
    """
    characters = kept_characters = kept_blocks = scored = blocks = 0
    weighted = plain = 0.0
    for block in range(len(starts)):
        length, value = ends[block] - starts[block], values[block]
        characters += length
        if kept[block]:
            kept_characters += length
            kept_blocks += 1
        if value >= 0:
            scored += length
            blocks += 1
            weighted += value * length
            plain += value
    return characters, kept_characters, kept_blocks, scored, blocks, weighted, plain


def count_words(
    text: str,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    classes: NDArray[np.uint8],
    words: NDArray[np.int32],
) -> None:
    """Fill in how many words begin in spans of a text; `classes` are `dehusk.characters.WORD_CLASSES`."""
    for block in range(len(starts)):
        start = starts[block]
        inside = start > 0 and _class(text[start - 1], classes) == PART_OF_WORD
        count = 0
        for offset in range(start, ends[block]):
            kind = _class(text[offset], classes)
            if kind == WHOLE_WORD or (kind == PART_OF_WORD and not inside):
                count += 1
            inside = kind == PART_OF_WORD
        words[block] = count


def _class(character: str, classes: NDArray[np.uint8]) -> int:
    code = ord(character)
    return int(classes[code if code < BEYOND else BEYOND])


def edge_elements(
    owners: NDArray[np.int32],
    first_leaves: NDArray[np.int32],
    last_leaves: NDArray[np.int32],
    firsts: NDArray[np.int32],
    lasts: NDArray[np.int32],
) -> None:
    """Fill in the first and the last element that the leaves of blocks are in, the root for a block without leaves.

    `owners` are the elements of all leaves.
    """
    for block in range(len(first_leaves)):
        first = last = 0
        for leaf in range(first_leaves[block], last_leaves[block]):
            owner = owners[leaf]
            first = owner if leaf == first_leaves[block] or owner < first else first
            last = max(last, owner)
        firsts[block], lasts[block] = first, last
