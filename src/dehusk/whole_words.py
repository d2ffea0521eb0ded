"""Whole words: the spans of kept blocks, so that no word is cut where a method has cut inside of it."""

from itertools import pairwise

import numpy as np

from dehusk.blocks import Blocks
from dehusk.characters import joins_words
from dehusk.fast_spans import kept_spans, one_apart
from dehusk.page import Span
from dehusk.page.leaves import BoolArray, IntArray


def whole_words(blocks: Blocks, kept: BoolArray) -> list[Span]:
    """Return the spans of the kept blocks; a word that is cut goes to the side that has more of it."""
    spans = kept_spans(*span_columns(blocks), kept)
    words = cut_words(blocks)
    if not words:
        return spans
    mask = _mask(blocks.text, spans)
    for left, right in words:
        mask[left:right] = 2 * np.count_nonzero(mask[left:right]) >= right - left
    starts, ends = {left for left, _ in spans}, {right for _, right in spans}
    return [_trimmed(blocks.text, run, starts, ends) for run in _runs(mask) if blocks.text[slice(*run)].strip()]


def split_at_blocks(blocks: Blocks, spans: list[Span]) -> list[tuple[int, Span]]:
    """Return spans split where a block begins after white space, each with the index of the block it begins in."""
    text, kept = blocks.text, _mask(blocks.text, spans)
    begins = [edge for edge in blocks.start.tolist() if any(map(str.isspace, text[edge - 1 : edge + 1]))]
    edges = np.array(begins, np.int64)
    pieces = []
    for left, right in _runs(kept):
        inside = edges[np.searchsorted(edges, left, "right") : np.searchsorted(edges, right)].tolist()
        for start, end in pairwise((left, *inside, right)):
            index = int(np.searchsorted(blocks.end, start, "right"))  # the first block that ends after it
            pieces.append((min(index, len(blocks) - 1), (start, end)))
    return pieces


def cut_words(blocks: Blocks) -> list[Span]:
    """Return the words that the edges of blocks cut: kept whole if at least half of their characters are."""
    words: list[Span] = []
    for edge in _edges_in_words(blocks):
        if not words or edge >= words[-1][1]:  # else its word is there already
            words.append(_word_around(blocks.text, edge))
    return words


def _edges_in_words(blocks: Blocks) -> list[int]:
    """Return the edges of blocks inside words. The usual cut has none: line ends separate its blocks."""
    text, (start, end) = blocks.text, span_columns(blocks)
    if not len(blocks) or one_apart(start, end, len(text)):
        return []
    close = start[1:] - end[:-1] != 1
    candidates = {int(start[0]), *end[:-1][close].tolist(), *start[1:][close].tolist(), int(end[-1])} - {0, len(text)}
    return sorted(edge for edge in candidates if joins_words(text[edge - 1]) and joins_words(text[edge]))


def span_columns(blocks: Blocks) -> tuple[IntArray, IntArray]:
    """Return where blocks start and end, as compiled loops take it: a method may have made other arrays."""
    return np.ascontiguousarray(blocks.start, np.int32), np.ascontiguousarray(blocks.end, np.int32)


def _word_around(text: str, offset: int) -> Span:
    left = right = offset
    while left > 0 and joins_words(text[left - 1]):
        left -= 1
    while right < len(text) and joins_words(text[right]):
        right += 1
    return left, right


def _trimmed(text: str, run: Span, starts: set[int], ends: set[int]) -> Span:
    """Return a run without the white space that the loss of a word has exposed at its ends."""
    left, right = run
    piece = text[left:right]
    return (
        left if left in starts else left + len(piece) - len(piece.lstrip()),
        right if right in ends else right - len(piece) + len(piece.rstrip()),
    )


def _mask(text: str, spans: list[Span]) -> BoolArray:
    """Return which characters of a text are in the spans."""
    mask = np.zeros(len(text), np.bool_)
    for left, right in spans:
        mask[left:right] = True
    return mask


def _runs(mask: BoolArray) -> list[Span]:
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
