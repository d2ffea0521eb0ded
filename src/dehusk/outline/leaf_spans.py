"""Which leaves are inside an element."""

import numpy as np

from dehusk.page import Page, Span


class LeafSpans:
    """The leaves and the text inside each element of a page, all worked out in one pass over its elements.

    >>> page = Page.from_html("<p>One <b>two</b> three<p>Four")
    >>> spans = LeafSpans(page)
    >>> paragraph = page.elements.tag.index("p")
    >>> (spans.first[paragraph], spans.stop[paragraph]), spans.text(paragraph), spans.text(paragraph + 1)
    ((0, 3), (0, 13), (4, 7))
    """

    def __init__(self, page: Page) -> None:
        elements, leaves = page.elements, page.leaves
        self._starts, self._ends = leaves.start, leaves.end
        self.first: list[int] = leaves.opened.searchsorted(np.arange(len(elements)), "right").tolist()
        stop = [0] * len(elements)
        for leaf, owner in enumerate(leaves.element.tolist(), 1):
            stop[owner] = leaf
        for index in range(len(stop) - 1, 0, -1):  # parents come before their children
            parent = elements.parent[index]
            stop[parent] = max(stop[parent], stop[index])
        self.stop = stop  # one past the last leaf; not after `first` where there is none

    def text(self, element: int) -> Span:
        """Return the span of the text in an element, (0, 0) where it has none."""
        first, stop = self.first[element], self.stop[element]
        return (int(self._starts[first]), int(self._ends[stop - 1])) if first < stop else (0, 0)
