"""Edits: what is written in place of some spans of a page's text, and where its other characters go by that."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.page import Page, Span
from dehusk.page.leaves import IntArray, Leaves
from dehusk.writing.fast_edits import fill_columns, filled_leaves, leaf_ranges, move_spans

PROSE: Final[NDArray[np.uint8]] = np.zeros(0, np.uint8)  # the states of spans none of which is code


class Edit(NamedTuple):
    """A span of a text, and what is written in its place."""

    start: int
    end: int
    replacement: str


class Edits:
    """Edits of one text: in order, and none overlaps another.

    >>> edits = Edits([Edit(3, 3, " "), Edit(7, 8, "")])
    >>> edits.text("oneword\u00ads"), edits.span((0, 3)), edits.span((3, 9))
    ('one words', (0, 3), (4, 9))
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        lengths = [len(edit.replacement) for edit in edits]
        growth = (length - edit.end + edit.start for edit, length in zip(edits, lengths, strict=True))
        # Where they start and end, how long their replacements are, and how far what comes after so many is moved.
        columns = [edit.start for edit in edits], [edit.end for edit in edits], lengths, [0, *accumulate(growth)]
        self._columns: IntArray = np.array([[*column, 0][: len(edits) + 1] for column in columns], np.int32)

    def __len__(self) -> int:
        return len(self._edits)

    def text(self, text: str) -> str:
        """Return the text with its edits."""
        pieces, reached = [], 0
        for start, end, replacement in self._edits:
            pieces += [text[reached:start], replacement]
            reached = end
        return "".join([*pieces, text[reached:]])

    def reversed(self, text: str) -> Self:
        """Return the edits that lead back from what these make of a text."""
        rows = zip(self._edits, self._columns[3].tolist(), strict=False)
        return type(self)(
            [
                Edit(start + moved, start + moved + len(replacement), text[start:end])
                for (start, end, replacement), moved in rows
            ]
        )

    def span(self, span: Span) -> Span:
        """Return where one span goes: its start after what is inserted there, its end before it."""
        start, end = (np.array([offset], np.int32) for offset in span)
        start, end = self._moved("", start, end, trim=False)
        return int(start[0]), int(end[0])

    def page(self, page: Page) -> Page:
        """Return a page with its text edited, and without the leaves that are left with nothing."""
        text, leaves = self.text(page.text), page.leaves
        start, end = self._moved(text, leaves.start, leaves.end, leaves.state)
        rows, gap = np.empty(len(leaves), np.int32), np.empty(len(leaves), np.uint8)
        count = filled_leaves(start, end, leaves.gap, rows, gap)
        edited = Leaves(start, end, leaves.element, leaves.opened, gap, leaves.state)
        if count < len(leaves):
            filled = rows[:count]
            element, opened, state = leaves.element[filled], leaves.opened[filled], leaves.state[filled]
            edited = Leaves(start[filled], end[filled], element, opened, gap[:count], state)
        return replace(page, text=text, leaves=edited)

    def blocks(self, blocks: Blocks, page: Page) -> Blocks:
        """Return the blocks of a page whose text was edited; some may be left with nothing."""
        start, end = self._moved(page.text, blocks.start, blocks.end)
        first, last = np.empty_like(start), np.empty_like(start)
        leaf_ranges(start, end, page.leaves.start, page.leaves.end, first, last)
        return replace(blocks, text=page.text, start=start, end=end, first_leaf=first, last_leaf=last)

    def spans(self, spans: list[Span], text: str) -> list[Span]:
        """Return spans of the edited text, without those that are left with nothing."""
        start, end = np.empty(len(spans), np.int32), np.empty(len(spans), np.int32)
        fill_columns(spans, start, end)
        start, end = self._moved(text, start, end)
        return [(left, right) for left, right in zip(start.tolist(), end.tolist(), strict=True) if left < right]

    def _moved(
        self, text: str, start: IntArray, end: IntArray, states: NDArray[np.uint8] = PROSE, *, trim: bool = True
    ) -> tuple[IntArray, IntArray]:
        """Return spans of the edited text, without white space at their ends that the edits have put there."""
        start, end = np.ascontiguousarray(start, np.int32), np.ascontiguousarray(end, np.int32)
        starts, ends = np.empty_like(start), np.empty_like(end)
        move_spans(text, start, end, states, trim, self._columns, starts, ends)
        return starts, ends
