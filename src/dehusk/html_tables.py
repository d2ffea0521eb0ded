"""HTML tables: which table an element is in, which tables hold data, and row and column of their cells."""

import re
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_blocks import fill_enclosing_tables
from dehusk.page.fast_scan import elements_with_tags
from dehusk.page.leaves import Elements, IntArray

MOST_COLUMNS: Final = 1000  # what the HTML standard allows for colspan, so wider claims mean nothing
MOST_ROWS: Final = 65534
NUMBER: Final = re.compile(r"\s*\+?(\d{1,6})", re.ASCII)
ROW_GROUPS: Final = frozenset({"thead", "tbody", "tfoot"})
TABLE_PARTS: Final = ROW_GROUPS | {"tr", "td", "th"}
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
PARTS: Final = {"table": 1, **dict.fromkeys(HEADINGS, 2)}
# A grid with more places per cell than this, beyond the first thousand, was made to exhaust whoever writes it out.
MOST_PLACES_PER_CELL: Final = 20


class Cell(NamedTuple):
    """A td or th in the grid of its table."""

    element: int
    row: int
    column: int
    high: int
    wide: int
    head: bool


def enclosing_tables(elements: Elements) -> tuple[IntArray, NDArray[np.uint8]]:
    """Return the innermost table around every element, or -1, and which elements are tables for layout.

    Tables that hold another table or a heading lay out the page, and their cells are no cells.

    >>> from dehusk.page import Page
    >>> enclosing, is_layout = enclosing_tables(Page.from_html("<table><tr><td><h1>x").elements)
    >>> enclosing.tolist(), is_layout.nonzero()[0].tolist()
    ([-1, -1, -1, -1, -1, 4, 4, 4, 4], [4])
    """
    enclosing, is_layout = np.empty(len(elements), np.int32), np.empty(len(elements), np.uint8)
    fill_enclosing_tables(elements.tag, elements.parents, PARTS, enclosing, is_layout)
    return enclosing, is_layout


def in_layout_table(elements: Elements) -> NDArray[np.uint8]:
    """Return which elements are in a table for layout, but not in a table of data inside it."""
    enclosing, is_layout = enclosing_tables(elements)
    # Without a table the index is -1: the last element holds nothing, so it is no table for layout.
    inside: NDArray[np.uint8] = is_layout[enclosing]
    return inside


def cell_positions(elements: Elements) -> dict[int, tuple[int, int]]:
    """Return row and column, from 0, of every td and th by its index among the elements.

    >>> from dehusk.page import Page
    >>> page = Page.from_html("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>")
    >>> sorted(cell_positions(page.elements).values())
    [(0, 0), (0, 1), (1, 1)]
    """
    positions: dict[int, tuple[int, int]] = {}
    grids: dict[int, _Grid] = {}
    tags, enclosing = elements.tag, enclosing_tables(elements)[0].tolist()
    for index in elements_with_tags(tags, TABLE_PARTS, 0, len(tags), len(tags)):
        tag, table = tags[index], enclosing[index]
        if table < 0:
            continue
        grid = grids.get(table)
        if grid is None:
            grids[table] = grid = _Grid()
        if tag in ROW_GROUPS:
            grid.next_group()
        elif tag == "tr":
            grid.next_row()
        else:
            row, column, _ = grid.place(_span(elements, index, "colspan") or 1, _span(elements, index, "rowspan"))
            positions[index] = row, column
    return positions


class DataTables:
    """The tables of data of a page, each analysed when it is first asked for.

    Tables for layout hold no data, nor does a single row, a column without a header, or what is no grid at all.

    >>> from dehusk.page import Page
    >>> page = Page.from_html("<table><tr><td rowspan=2>a<td>b<tr><td>c</table><table><tr><td>d</table>")
    >>> tables = DataTables(page.elements)
    >>> [(cell.row, cell.column, cell.high) for cell in tables.cells(4)], tables.cells(11)
    ([(0, 0, 2), (0, 1, 1), (1, 1, 1)], [])
    """

    __slots__ = ("_cells", "_elements", "_is_layout")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._is_layout: NDArray[np.uint8] | None = None
        self._cells: dict[int, list[Cell]] = {}

    def cells(self, table: int) -> list[Cell]:
        """Return the cells of the table at an index among the elements, none unless it is a table of data."""
        cells = self._cells.get(table)
        if cells is None:
            if self._is_layout is None:
                self._is_layout = enclosing_tables(self._elements)[1]
            cells = [] if self._is_layout[table] else _cells(self._elements, table)
            self._cells[table] = cells = cells if _is_grid(cells) else []
        return cells


def _cells(elements: Elements, table: int) -> list[Cell]:
    """Return the cells of a table that holds no other."""
    grid, cells = _Grid(), []
    group, in_head, last_rows = -1, False, [-1]
    tags, parents, index = elements.tag, elements.parent, table + 1
    while index < len(tags) and parents[index] >= table:
        tag = tags[index]
        if tag in ("td", "th"):
            wide, high = _span(elements, index, "colspan") or 1, _span(elements, index, "rowspan") or MOST_ROWS
            row, column, wide = grid.place(wide, high)
            cells.append((group, Cell(index, row, column, high, wide, in_head or tag == "th")))
        elif tag == "tr":
            grid.next_row()
            last_rows[-1] = grid.row
        elif tag in ROW_GROUPS:
            grid.next_group()
            group, in_head = group + 1, tag == "thead"
            last_rows.append(grid.row)
        index += 1
    # No cell extends beyond its row group, and where that ends is known only now.
    return [
        cell if cell.high == 1 else cell._replace(high=min(cell.high, last_rows[group + 1] - cell.row + 1))
        for group, cell in cells
    ]


def _is_grid(cells: list[Cell]) -> bool:
    positions = {(cell.row, cell.column) for cell in cells}
    rows, columns = len({row for row, _ in positions}), len({column for _, column in positions})
    return (
        len(positions) == len(cells)  # beyond the last column that is allowed, cells overlap
        and rows > 1
        and (columns > 1 or any(cell.head for cell in cells))
        and rows * columns <= MOST_PLACES_PER_CELL * len(cells) + 1000
    )


# The initial columns of every grid: most need no others, and making an array takes longer than placing a row of cells.
NONE_TAKEN: Final[IntArray] = np.full(8, -1, np.int32)


class _Grid:
    """Which columns of a table are occupied, and up to which row."""

    __slots__ = ("column", "reach", "row", "taken")

    def __init__(self) -> None:
        self.row, self.column = -1, 0
        self.taken = NONE_TAKEN
        self.reach = -1  # the last row that a cell from above extends into

    def next_group(self) -> None:
        self.taken = NONE_TAKEN  # no cell extends into the next row group
        self.reach = -1

    def next_row(self) -> None:
        self.row, self.column = self.row + 1, 0

    def place(self, wide: int, high: int) -> tuple[int, int, int]:
        """Put a cell into the first free column of this row; a height of 0 extends to the end of the row group.

        Return its row, its column, and how many columns it occupies alone.
        """
        row, column = self.row, self.column
        if self.reach < row and high == 1 and column + wide < MOST_COLUMNS:  # nothing is in the way, as in most tables
            self.column = column + wide
            return max(row, 0), column, wide
        free = np.flatnonzero(self.taken[column:] < row)
        column = min(column + int(free[0]) if len(free) else max(len(self.taken), column), MOST_COLUMNS - 1)
        end = min(column + wide, MOST_COLUMNS)
        if end > len(self.taken):
            self.taken = np.concatenate([self.taken, np.full(max(end, len(self.taken)), -1, np.int32)])[:MOST_COLUMNS]
        elif self.taken is NONE_TAKEN:
            self.taken = NONE_TAKEN.copy()
        shared = np.flatnonzero(self.taken[column:end] >= row)
        last = row + min(high or MOST_ROWS, MOST_ROWS) - 1
        np.maximum(self.taken[column:end], last, out=self.taken[column:end])  # what is taken for longer stays taken
        self.reach = max(self.reach, last if last > row else -1)
        self.column = min(end, MOST_COLUMNS - 1)
        return max(row, 0), column, max(int(shared[0]) if len(shared) else end - column, 1)


def _span(elements: Elements, index: int, name: str) -> int:
    """Return a span by the rule of the HTML standard: the number that the value begins with, or 1."""
    node: Any = elements.node[index]
    value = node.attr(name)
    number = NUMBER.match(value) if value else None
    return int(number[1]) if number else 1
