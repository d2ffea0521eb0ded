# cython: wraparound=False
"""Spans of a page's text: joined, matched with blocks, added up.

Compiled with the C types in fast_spans.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray


def joined(text: str, spans: list[tuple[int, int]], apart: list[int] | None = None) -> str:
    """Return spans of a text as one, joined by a line end if one was between them, else by a blank if anything was.

    A blank is put at each of the places `apart`, which are in order, and in a span or where two touch.
    """
    pieces = []
    previous = -1
    number = 0
    count = 0 if apart is None else len(apart)
    for first, end in spans:
        start = first
        if previous >= 0 and previous < start:
            pieces.append("\n" if _ends_line(text, previous, start) else " ")
        while apart is not None and number < count and apart[number] < end:
            place = apart[number]
            pieces.append(text[start:place])
            pieces.append(" ")
            start = place
            number += 1
        pieces.append(text[start:end])
        previous = end
    return "".join(pieces)


def _ends_line(text: str, start: int, end: int) -> bool:
    # One character, as between the blocks of most cuts, need not be searched.
    return text[start] == "\n" if start + 1 == end else "\n" in text[start:end]


def kept_spans(starts: NDArray[np.int32], ends: NDArray[np.int32], kept: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the spans of the blocks that are kept.

    >>> kept_spans(np.array([0, 5], np.int32), np.array([4, 9], np.int32), np.array([False, True]))
    [(5, 9)]
    """
    spans = []
    for number in range(len(kept)):
        if kept[number]:
            spans.append((int(starts[number]), int(ends[number])))
    return spans


def one_apart(starts: NDArray[np.int32], ends: NDArray[np.int32], length: int) -> bool:
    """Tell whether blocks cover a text of that length but for one character between each and the next.

    >>> one_apart(np.array([0, 5], np.int32), np.array([4, 9], np.int32), 9)
    True
    """
    previous = -1
    for number in range(len(starts)):
        if starts[number] != previous + 1:
            return False
        previous = ends[number]
    return bool(previous == length)


def whole_pieces(
    spans: list[tuple[int, int]], kept: NDArray[np.uint8], starts: NDArray[np.int32], ends: NDArray[np.int32]
) -> list[tuple[int, tuple[int, int]]] | None:
    """Return spans with the numbers of their blocks; None unless each is a whole block, and no two touch."""
    pieces = []
    count = len(spans)
    place, previous = 0, -1
    for number in range(len(kept)):
        if kept[number]:
            if place == count or starts[number] == previous:
                return None
            span = spans[place]
            start, end = span
            if start != starts[number] or end != ends[number]:
                return None
            pieces.append((number, span))
            previous = end
            place += 1
    return pieces if place == count else None


def totals(
    starts: NDArray[np.int32], ends: NDArray[np.int32], kept: NDArray[np.uint8], values: NDArray[np.float64]
) -> tuple[int, int, int, int, int, float, float]:
    """Return characters; characters and blocks that are kept; characters and blocks with a score, and sums of scores.

    The first sum weighs blocks by their characters, the second counts each once.
    """
    characters = kept_characters = kept_blocks = scored = blocks = 0
    weighted = plain = 0.0
    for number in range(len(starts)):
        length, value = ends[number] - starts[number], values[number]
        characters += length
        if kept[number]:
            kept_characters += length
            kept_blocks += 1
        if value >= 0:
            scored += length
            blocks += 1
            weighted += value * length
            plain += value
    return characters, kept_characters, kept_blocks, scored, blocks, weighted, plain
