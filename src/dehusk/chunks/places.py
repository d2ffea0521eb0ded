"""Where parts of a page's text are in its source, to the word."""

import re
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.document import Span
from dehusk.page import Page

WORD: Final = re.compile(r"\S+")


class SourcePlaces:
    """The source of any span of a page's text.

    >>> page = Page.from_html("<p>Fish &amp; chips, <b>hot</b>")
    >>> start, end = SourcePlaces(page).source((5, 12))
    >>> page.html[start:end]
    '&amp; chips'
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._words: dict[int, tuple[NDArray[np.int32], NDArray[np.int32]] | None] = {}

    def source(self, span: Span) -> Span | None:
        """Return the smallest span of the source that is known to hold one of the text, None if none does."""
        leaves = self._page.leaves
        first = int(np.searchsorted(leaves.end, span[0], "right"))
        last = int(np.searchsorted(leaves.start, span[1], "left")) - 1
        if first >= len(leaves) or last < first:
            return None
        left, right = self._sources[first], self._sources[last]
        if left is None or right is None:
            return None
        start, end = left[0], right[1]
        if span[0] > leaves.start[first]:
            start = self._offset(first, left, span[0] - int(leaves.start[first]), end=False)
        if span[1] < leaves.end[last]:
            end = self._offset(last, right, span[1] - int(leaves.start[last]), end=True)
        return (start, end) if start <= end else None

    # It needs another parse of the page.
    @cached_property
    def _sources(self) -> list[Span | None]:
        return self._page.source_spans()

    def _offset(self, leaf: int, source: Span, place: int, *, end: bool) -> int:
        """Return where a place in a leaf's text is in its source: the end, or the beginning, of something."""
        if leaf not in self._words:
            self._words[leaf] = self._word_pairs(leaf, source)
        pairs = self._words[leaf]
        if pairs is None:
            return source[int(end)]
        text, html = pairs
        word = int(np.searchsorted(text[:, 0], place - end, "right")) - 1
        same = text[word, 1] - text[word, 0] == html[word, 1] - html[word, 0]
        inside = place - int(text[word, 0])
        # A word with a character reference is longer in the source, and no place inside it is known.
        return source[0] + (int(html[word, 0]) + inside if same else int(html[word, int(end)]))

    def _word_pairs(self, leaf: int, source: Span) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
        """Return where each word of a leaf is in its text and in its source, None where their numbers differ."""
        page = self._page
        text = page.text[page.leaves.start[leaf] : page.leaves.end[leaf]]
        pairs = [[match.span() for match in WORD.finditer(each)] for each in (text, page.html[slice(*source)])]
        if len(pairs[0]) != len(pairs[1]) or not pairs[0]:
            return None
        return np.array(pairs[0], np.int32), np.array(pairs[1], np.int32)
