"""Where parts of a page's text are in its source, to the word."""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import Final

from dehusk.page import Page, Span

WORD: Final = re.compile(r"\S+")


class SourceSpans:
    """The source of any span of a page's text.

    >>> page = Page.from_html("<p>Fish &amp; chips, <b>hot</b>")
    >>> start, end = SourceSpans(page).source((5, 12))
    >>> page.html[start:end]
    '&amp; chips'
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        # Lists, since numpy would convert a whole array for each search in it.
        self._starts: list[int] = page.leaves.start.tolist()
        self._ends: list[int] = page.leaves.end.tolist()
        self._words: dict[int, tuple[list[Span], list[Span]] | None] = {}

    def source(self, span: Span) -> Span | None:
        """Return the smallest span of the source that is known to hold one of the text, None if none does."""
        first = bisect_right(self._ends, span[0])
        last = bisect_left(self._starts, span[1]) - 1
        if first >= len(self._ends) or last < first:
            return None
        left, right = self._sources[first], self._sources[last]
        if left is None or right is None:
            return None
        start, end = left[0], right[1]
        if span[0] > self._starts[first]:
            start = self._offset(first, left, span[0] - self._starts[first], end=False)
        if span[1] < self._ends[last]:
            end = self._offset(last, right, span[1] - self._starts[last], end=True)
        return (start, end) if start <= end else None

    # It needs another parse of the page.
    @cached_property
    def _sources(self) -> list[Span | None]:
        return self._page.source_spans()

    def _offset(self, leaf: int, source: Span, offset: int, *, end: bool) -> int:
        """Return the offset in the source of an offset in a leaf's text, which is the end or the start of a span."""
        if leaf not in self._words:
            self._words[leaf] = self._word_pairs(leaf, source)
        pairs = self._words[leaf]
        if pairs is None:
            return source[int(end)]
        word = bisect_right(pairs[0], offset - end, key=lambda span: span[0]) - 1
        if word < 0:  # in the white space that code begins with
            return source[0]
        text, html = pairs[0][word], pairs[1][word]
        # A word with a character reference is longer in the source, and no offset inside it is known.
        same = text[1] - text[0] == html[1] - html[0]
        return source[0] + (html[0] + offset - text[0] if same else html[int(end)])

    def _word_pairs(self, leaf: int, source: Span) -> tuple[list[Span], list[Span]] | None:
        """Return where each word of a leaf is in its text and in its source, None where their numbers differ."""
        text, html = self._page.text[self._starts[leaf] : self._ends[leaf]], self._page.html[slice(*source)]
        pairs = [match.span() for match in WORD.finditer(text)], [match.span() for match in WORD.finditer(html)]
        return pairs if len(pairs[0]) == len(pairs[1]) else None
