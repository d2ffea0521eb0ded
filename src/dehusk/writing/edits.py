"""Edits: what is written in place of some spans of a page's text, and where its other characters go by that."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple, Self

import numpy as np

from dehusk.blocks import Blocks
from dehusk.page import Page, Span
from dehusk.page.leaves import BoolArray, IntArray, Leaves
from dehusk.page.walk_flags import GLUED, SPACED, VERBATIM


class Edit(NamedTuple):
    """A span of a text, and what is written in its place."""

    start: int
    end: int
    replacement: str


class Edits:
    """Edits of one text: in order, and none overlaps another.

    >>> edits = Edits([Edit(3, 3, " "), Edit(7, 8, "")])
    >>> edits.text("oneword\u00ads"), edits.starts(np.array([3, 8])), edits.ends(np.array([3, 9]))
    ('one words', array([4, 8]), array([3, 9]))
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._start: IntArray = np.array([edit.start for edit in edits], np.int32)
        self._end: IntArray = np.array([edit.end for edit in edits], np.int32)
        self._length: IntArray = np.array([len(edit.replacement) for edit in edits], np.int32)
        # How far what comes after so many of the edits is moved.
        growth = (len(edit.replacement) - edit.end + edit.start for edit in edits)
        self._moved: IntArray = np.array([0, *accumulate(growth)], np.int32)

    def __len__(self) -> int:
        return len(self._edits)

    def text(self, text: str) -> str:
        """Return the text with its edits."""
        pieces, reached = [], 0
        for start, end, replacement in self._edits:
            pieces += [text[reached:start], replacement]
            reached = end
        return "".join([*pieces, text[reached:]])

    def starts(self, places: IntArray) -> IntArray:
        """Return where something goes that starts at each of these places: after what is inserted there."""
        count = self._end.searchsorted(places, "right").astype(np.int32)
        return self._go(places, count, np.minimum(count, len(self) - 1))

    def ends(self, places: IntArray) -> IntArray:
        """Return where something goes that ends at each of these places: before what is inserted there."""
        count = self._start.searchsorted(places, "left").astype(np.int32)
        return self._go(places, count, np.maximum(count - 1, 0))

    def _go(self, places: IntArray, count: IntArray, near: IntArray) -> IntArray:
        """Return places moved by `count` edits each; one inside of the edit `near` stays within what replaces it."""
        start = self._start[near]
        inside = (start < places) & (places < self._end[near])
        kept = np.minimum(places - start, self._length[near])
        moved: IntArray = np.where(inside, start + self._moved[near] + kept, places + self._moved[count])
        return moved

    def reversed(self, text: str) -> Self:
        """Return the edits that lead back from what these make of a text."""
        rows = zip(self._edits, self._moved.tolist(), strict=False)
        return type(self)(
            [
                Edit(start + moved, start + moved + len(replacement), text[start:end])
                for (start, end, replacement), moved in rows
            ]
        )

    def span(self, span: Span) -> Span:
        """Return where one span goes."""
        start, end = (np.array([place], np.int32) for place in span)
        return int(self.starts(start)[0]), int(self.ends(end)[0])

    def page(self, page: Page) -> Page:
        """Return a page with its text edited, and without the leaves that are left with nothing."""
        text, leaves = self.text(page.text), page.leaves
        start, end = self._trimmed(text, leaves.start, leaves.end, (leaves.state & VERBATIM) == 0)
        filled = np.flatnonzero(start < end)
        # A leaf that goes leaves its gap to the next.
        begins, stop = np.concatenate(([0], filled[:-1] + 1)), filled[-1] + 1 if len(filled) else 0
        gap = np.maximum.reduceat(leaves.gap[:stop], begins) if stop else leaves.gap[:0]
        start, end = start[filled], end[filled]
        gap[1:][(gap[1:] == GLUED) & (end[:-1] < start[1:])] = SPACED
        rows = (start, end, leaves.element[filled], leaves.opened[filled], gap, leaves.state[filled])
        return replace(page, text=text, leaves=Leaves(*rows))

    def blocks(self, blocks: Blocks, page: Page) -> Blocks:
        """Return the blocks of a page whose text was edited; some may be left with nothing."""
        start, end = self._trimmed(page.text, blocks.start, blocks.end, np.ones(len(blocks), np.bool_))
        first = page.leaves.end.searchsorted(start, "right").astype(np.int32)
        last = np.maximum(page.leaves.start.searchsorted(end, "left").astype(np.int32), first)
        return replace(blocks, text=page.text, start=start, end=end, first_leaf=first, last_leaf=last)

    def spans(self, spans: list[Span], text: str) -> list[Span]:
        """Return spans of the edited text, without those that are left with nothing."""
        columns = np.array(spans, np.int32).reshape(-1, 2)
        start, end = self._trimmed(text, columns[:, 0], columns[:, 1], np.ones(len(spans), np.bool_))
        return [(left, right) for left, right in zip(start.tolist(), end.tolist(), strict=True) if left < right]

    def _trimmed(self, text: str, start: IntArray, end: IntArray, collapsed: BoolArray) -> tuple[IntArray, IntArray]:
        """Return spans of the edited text without white space at their ends that the edits have put there."""
        starts, ends = self.starts(start), self.ends(end)
        for row in np.flatnonzero(collapsed & (self._touch(start) | self._touch(end))).tolist():
            left, right = int(starts[row]), int(ends[row])
            while left < right and text[left].isspace():
                left += 1
            while left < right and text[right - 1].isspace():
                right -= 1
            starts[row], ends[row] = left, right
        return starts, ends

    def _touch(self, places: IntArray) -> BoolArray:
        """Tell which places are inside or at an end of an edit."""
        first = np.minimum(self._end.searchsorted(places, "left"), len(self) - 1)
        touched: BoolArray = (self._start[first] <= places) & (places <= self._end[first])
        return touched
