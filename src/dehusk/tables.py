"""Tables: which table an element stands in, and the row and column of each cell with spans resolved."""

import re
from typing import Final

import numpy as np

from dehusk.page.leaves import Elements, IntArray

MOST_COLUMNS: Final = 1000  # what the HTML standard allows for colspan, so wider claims mean nothing
MOST_ROWS: Final = 65534
NUMBER: Final = re.compile(r"\s*\+?(\d{1,6})", re.ASCII)
ROW_GROUPS: Final = frozenset({"thead", "tbody", "tfoot"})


def nearest_tables(elements: Elements) -> list[int]:
    """Return, for every element, the table round it, or -1; a table stands in the one round it.

    >>> from dehusk.page import Page
    >>> nearest_tables(Page.from_html("<table><tr><td>x").elements)
    [-1, -1, -1, -1, -1, 4, 4, 4]
    """
    tags, parents = elements.tag, elements.parent
    nearest = [-1] * len(tags)
    for index in range(1, len(tags)):
        parent = parents[index]
        nearest[index] = parent if tags[parent] == "table" else nearest[parent]
    return nearest


def cell_places(elements: Elements) -> dict[int, tuple[int, int]]:
    """Return row and column, from 0, of every td and th by its index among the elements.

    >>> from dehusk.page import Page
    >>> page = Page.from_html("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>")
    >>> sorted(cell_places(page.elements).values())
    [(0, 0), (0, 1), (1, 1)]
    """
    places: dict[int, tuple[int, int]] = {}
    grids: dict[int, _Grid] = {}
    for index, (tag, table) in enumerate(zip(elements.tag, nearest_tables(elements), strict=True)):
        if table < 0 or not (tag in ROW_GROUPS or tag in ("tr", "td", "th")):
            continue
        grid = grids.setdefault(table, _Grid())
        if tag in ROW_GROUPS:
            grid.next_group()
        elif tag == "tr":
            grid.next_row()
        else:
            places[index] = grid.place(_span(elements, index, "colspan") or 1, _span(elements, index, "rowspan"))
    return places


class _Grid:
    """Which columns of a table are taken, and up to which row."""

    __slots__ = ("column", "row", "taken")

    def __init__(self) -> None:
        self.row, self.column = -1, 0
        self.taken: IntArray = np.full(8, -1, np.int32)

    def next_group(self) -> None:
        self.taken[:] = -1  # no cell reaches into the next group of rows

    def next_row(self) -> None:
        self.row, self.column = self.row + 1, 0

    def place(self, wide: int, high: int) -> tuple[int, int]:
        """Put a cell into the first free column of this row; a height of 0 reaches to the end of the group."""
        free = np.flatnonzero(self.taken[self.column :] < self.row)
        column = min(self.column + int(free[0]) if len(free) else len(self.taken), MOST_COLUMNS - 1)
        end = min(column + wide, MOST_COLUMNS)
        if end > len(self.taken):
            self.taken = np.concatenate([self.taken, np.full(max(end, len(self.taken)), -1, np.int32)])[:MOST_COLUMNS]
        self.taken[column:end] = self.row + min(high or MOST_ROWS, MOST_ROWS) - 1
        self.column = min(end, MOST_COLUMNS - 1)
        return max(self.row, 0), column


def _span(elements: Elements, index: int, name: str) -> int:
    """Read a span by the rule of the HTML standard: the number that the value begins with, 1 where it has none."""
    value = getattr(elements.node[index], "attr", lambda _: None)(name)
    number = NUMBER.match(value or "")
    return int(number[1]) if number else 1
