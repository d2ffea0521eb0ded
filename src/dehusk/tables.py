"""Tables: the row and column of each cell, with spans resolved."""

from typing import Final

import numpy as np

from dehusk.page.leaves import Elements, IntArray

MOST_COLUMNS: Final = 1000  # what the HTML standard allows for colspan, so wider claims mean nothing
MOST_ROWS: Final = 65534


def cell_places(elements: Elements) -> dict[int, tuple[int, int]]:
    """Return row and column, from 0, of every td and th by its index among the elements.

    >>> from dehusk.page import Page
    >>> page = Page.from_html("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>")
    >>> sorted(cell_places(page.elements).values())
    [(0, 0), (0, 1), (1, 1)]
    """
    places: dict[int, tuple[int, int]] = {}
    tables: dict[int, _Grid] = {}
    nearest = [-1] * len(elements)
    for index, (tag, parent) in enumerate(zip(elements.tag, elements.parent, strict=True)):
        nearest[index] = index if tag == "table" else nearest[parent] if parent >= 0 else -1
        if tag == "table":
            tables[index] = _Grid()
        elif tag == "tr" and nearest[index] >= 0:
            tables[nearest[index]].next_row()
        elif tag in ("td", "th") and nearest[index] >= 0:
            wide, high = (_span(elements, index, name) for name in ("colspan", "rowspan"))
            places[index] = tables[nearest[index]].place(min(wide, MOST_COLUMNS), min(high, MOST_ROWS))
    return places


class _Grid:
    """Which columns of a table are taken, and up to which row."""

    __slots__ = ("column", "row", "taken")

    def __init__(self) -> None:
        self.row, self.column = -1, 0
        self.taken: IntArray = np.full(MOST_COLUMNS, -1, np.int32)

    def next_row(self) -> None:
        self.row, self.column = self.row + 1, 0

    def place(self, wide: int, high: int) -> tuple[int, int]:
        free = self.taken[self.column :] < self.row
        column = min(self.column + int(free.argmax()), MOST_COLUMNS - 1)
        self.taken[column : column + wide] = self.row + high - 1
        self.column = min(column + wide, MOST_COLUMNS - 1)
        return max(self.row, 0), column


def _span(elements: Elements, index: int, name: str) -> int:
    """Read a span; anything but a short positive number counts as 1, as in browsers."""
    value = str(getattr(elements.node[index], "attr", lambda _: "")(name) or "").strip()
    # No number that matters has more digits, and Python refuses to read very long ones.
    return max(int(value[:6]), 1) if value.isascii() and value.isdigit() else 1
