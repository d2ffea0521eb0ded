"""Paragraphs that are too long for a chunk, cut between sentences."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import BEYOND, SPACE, WORD_CLASSES, word_totals
from dehusk.chunks.parts import OBJECT, OutlinePart, plain_text
from dehusk.document import Document
from dehusk.lm.sentences import spans
from dehusk.outline import kinds
from dehusk.outline.fast_nodes import InlineRun, LeafBlock
from dehusk.outline.nodes import Content
from dehusk.page import Span

IntArray = NDArray[np.int64]


class ParagraphCutter:
    """Cuts paragraphs of a document; `replaced` are the spans of its text that formulas and the like replace."""

    def __init__(self, document: Document, replaced: list[Span], target: int) -> None:
        self._text, self._target = document.page.text, target
        self._kept, self._replaced = document.spans, sorted(replaced)

    def pieces(self, part: OutlinePart) -> list[OutlinePart]:
        """Return a part in pieces of up to `target` words; what is not a paragraph stays whole."""
        leaf = part.events[0]
        if not isinstance(leaf, LeafBlock) or leaf.kind > kinds.PARAGRAPH or part.start < 0:
            return [part]
        text = plain_text(leaf.content)
        totals = word_totals(text)
        begins = _begins(text, totals, self._target)
        if len(begins) == 1:
            return [part]
        pieces = []
        contents = cut_content(leaf.content, begins)
        for index, (content, span) in enumerate(zip(contents, self._spans(leaf, begins), strict=True)):
            piece = LeafBlock(leaf.kind if index == 0 else kinds.PARAGRAPH, content)
            piece.start, piece.end = span
            stop = begins[index + 1] if index + 1 < len(begins) else len(text)
            words = int(totals[stop] - totals[begins[index]])
            pieces.append(OutlinePart([piece], part.path, words, *span, headings=part.headings))
        return pieces

    def _spans(self, leaf: LeafBlock, begins: list[int]) -> Iterator[Span]:
        """Yield the spans of pieces in the page's text, which has the same characters, but other white space."""
        replaced = list(_within(self._replaced, leaf))
        # Images and drawn formulas are nowhere in the text, and nothing tells which of the objects these are.
        runs = () if isinstance(leaf.content, str) else leaf.content
        objects = len(replaced) == sum(not isinstance(run.content, str) for run in runs)
        starts, ends = self._character_spans(leaf, replaced, objects=objects)
        reached = leaf.start
        for first, stop in pairwise([*_counts(leaf.content, begins, objects=objects), len(starts)]):
            span = (int(starts[first]), int(ends[stop - 1])) if first < stop else (reached, reached)
            reached = span[1]
            yield span

    def _character_spans(self, leaf: LeafBlock, replaced: list[Span], *, objects: bool) -> tuple[IntArray, IntArray]:
        """Return where each character that is written begins and ends, and each replaced span if `objects` count."""
        is_written = np.zeros(leaf.end - leaf.start, np.bool_)
        for start, end in _within(self._kept, leaf):
            is_written[start:end] = True
        for start, end in replaced:
            is_written[start:end] = False
        starts = np.flatnonzero(is_written & ~_is_space(self._text[leaf.start : leaf.end])) + leaf.start
        ends = starts + 1
        if objects and replaced:
            spans = np.array(replaced) + leaf.start
            indexes = starts.searchsorted(spans[:, 0])
            starts, ends = np.insert(starts, indexes, spans[:, 0]), np.insert(ends, indexes, spans[:, 1])
        return starts, ends


def _within(intervals: Sequence[Span], leaf: LeafBlock) -> Iterator[Span]:
    """Yield the parts of spans that are within a leaf block, counted from its start."""
    first = max(0, bisect_left(intervals, (leaf.start, leaf.start)) - 1)
    for start, end in intervals[first : bisect_left(intervals, (leaf.end, 0))]:
        if end > leaf.start:
            yield max(start, leaf.start) - leaf.start, min(end, leaf.end) - leaf.start


def _is_space(text: str) -> NDArray[np.bool_]:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    spaces: NDArray[np.bool_] = WORD_CLASSES[np.minimum(codes, BEYOND)] == SPACE
    return spaces


def _begins(text: str, totals: NDArray[np.int32], target: int) -> list[int]:
    """Return where pieces of up to `target` words begin."""
    begins = [0]
    for start, end in _sentences(text):
        if totals[end] - totals[begins[-1]] > target and totals[start] > totals[begins[-1]]:
            begins.append(start)
        while totals[end] - totals[begins[-1]] > target:
            begins.append(_word_begin(text, totals, begins[-1], target))
    return begins


def _word_begin(text: str, totals: NDArray[np.int32], start: int, count: int) -> int:
    """Return where the word begins that comes `count` words after `start`, or an earlier one after a space."""
    offset = bisect_right(totals, totals[start] + count, start) - 1
    # In scripts without spaces, where each character counts as a word, it is better to cut at a space.
    after_space = text.rfind(" ", start, offset) + 1
    return after_space if 2 * (totals[after_space] - totals[start]) >= count else offset


def _sentences(text: str) -> Iterator[Span]:
    start = 0
    for line in text.split("\n"):
        for left, right in spans(line):
            yield start + left, start + right
        start += len(line) + 1


def _counts(content: Content, offsets: list[int], *, objects: bool) -> list[int]:
    """Return how many characters that are not white space come before each offset; `objects` may count as one each."""
    counted = ~_is_space(plain_text(content))
    if not isinstance(content, str) and not objects:
        position = 0
        for run in content:
            position += len(run.gap) + (1 if not isinstance(run.content, str) else len(run.content))
            if not isinstance(run.content, str):
                counted[position - 1] = False
    totals = np.concatenate(([0], np.cumsum(counted)))
    return [int(totals[offset]) for offset in offsets]


def cut_content(content: Content, begins: list[int]) -> list[Content]:
    """Return content in pieces that begin at these offsets of its plain text.

    >>> cut_content([InlineRun("", "One. Two", 1), InlineRun(" ", "three.")], [0, 5])
    [[InlineRun('', 'One.', 1, '')], [InlineRun('', 'Two', 1, ''), InlineRun(' ', 'three.', 0, '')]]
    """
    runs = [InlineRun("", content)] if isinstance(content, str) else content
    pieces: list[list[InlineRun]] = [[]]
    position = 0
    for run in runs:
        position += len(run.gap)
        words = run.content if isinstance(run.content, str) else OBJECT
        left = 0
        gap = run.gap
        while len(pieces) < len(begins) and begins[len(pieces)] < position + len(words):
            right = begins[len(pieces)] - position
            _add(pieces[-1], run, gap, words[left:right])
            pieces.append([])
            left, gap = max(right, 0), ""
        _add(pieces[-1], run, gap, words[left:])
        position += len(words)
    return [piece if not isinstance(content, str) else piece[0].content for piece in pieces]


def _add(piece: list[InlineRun], run: InlineRun, gap: str, words: str) -> None:
    """Add some words of a run to a piece, or the inline object that they stand for."""
    is_text = isinstance(run.content, str)
    if is_text and words != run.content:
        words = words.strip()
    if words:
        piece.append(InlineRun(gap if piece else "", words if is_text else run.content, run.style, run.link))
