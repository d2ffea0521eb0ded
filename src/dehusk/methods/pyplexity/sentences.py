"""Sentences: a page cut into sentences, none of which crosses a block boundary."""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut
from dehusk.lm.sentences import Span, spans
from dehusk.page import Page
from dehusk.page.leaves import IntArray

LINE: Final = re.compile(r"[^\n]+")
ENDS: Final = frozenset(".!?:;…。！？")


def cut_sentences(page: Page) -> Blocks:
    """Cut a page into sentences, up to the page's limit on blocks.

    >>> page = Page.from_html("<h1>Rain</h1><p>It rained. <b>All</b> day.<br>And the next.")
    >>> cut_sentences(page).strings()
    ['Rain', 'It rained.', 'All day.', 'And the next.']
    """
    blocks = cut(page)
    starts, ends, rows = [], [], []
    for row, (first, last) in enumerate(zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)):
        for start, end in _in_block(page.text[first:last], lines=page.tree is not None):
            starts.append(first + start)
            ends.append(first + end)
            rows.append(row)
    limit = page.limits.blocks
    columns = [np.array(column[:limit], np.int32) for column in (starts, ends, rows)]
    return _rows(page, blocks, *columns, complete=blocks.complete and len(starts) <= limit)


def _in_block(text: str, *, lines: bool) -> Iterator[Span]:
    """Yield the sentences of a block; `br` ends one, too, unless the next line begins with a small letter.

    The lines of a block of plain text are wrapped, so line ends mean nothing there.
    """
    if not lines or "\n" not in text:
        yield from spans(text)
        return
    start = 0
    for line in LINE.finditer(text):
        if text[line.end() + 1 : line.end() + 2].islower() and text[line.end() - 1] not in ENDS:
            continue
        for left, right in spans(text[start : line.end()]):
            yield start + left, start + right
        start = line.end()


def _rows(page: Page, blocks: Blocks, start: IntArray, end: IntArray, row: IntArray, *, complete: bool) -> Blocks:
    leaves = page.leaves
    first = np.searchsorted(leaves.end, start, "right").astype(np.int32)
    last = np.searchsorted(leaves.start, end, "left").astype(np.int32)
    owner = leaves.element[first] if len(first) else np.zeros(0, np.int32)
    links = _link_chars(page, end) - _link_chars(page, start)
    return Blocks(
        page.text, start, end, blocks.hidden[row], links, page.elements, owner, first, last, complete=complete
    )


def _link_chars(page: Page, offsets: IntArray) -> IntArray:
    """Return the number of characters in links before each offset."""
    leaves = page.leaves
    if not len(leaves):
        return np.zeros(len(offsets), np.int32)
    length = np.where(leaves.link, leaves.end - leaves.start, 0)
    before: NDArray[np.int64] = np.concatenate(([0], np.cumsum(length)))
    leaf = np.searchsorted(leaves.start, offsets, "right") - 1
    inside = np.clip(offsets - leaves.start[np.maximum(leaf, 0)], 0, length[np.maximum(leaf, 0)])
    counts = np.where(leaf < 0, 0, before[np.maximum(leaf, 0)] + inside)
    return counts.astype(np.int32)
