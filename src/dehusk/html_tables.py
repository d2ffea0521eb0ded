"""Tables: which table an element stands in, which tables hold data, and the places of their cells, spans resolved."""

import re
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_blocks import tables_round
from dehusk.page.fast_scan import elements_with_tags
from dehusk.page.leaves import Elements, IntArray

MOST_COLUMNS: Final = 1000  # what the HTML standard allows for colspan, so wider claims mean nothing
MOST_ROWS: Final = 65534
NUMBER: Final = re.compile(r"\s*\+?(\d{1,6})", re.ASCII)
ROW_GROUPS: Final = frozenset({"thead", "tbody", "tfoot"})
TABLE_PARTS: Final = ROW_GROUPS | {"tr", "td", "th"}
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
PARTS: Final = {"table": 1, **dict.fromkeys(HEADINGS, 2)}
# A grid with more empty places than this a cell, beyond the first thousand, was made to hurt those who write it down.
EMPTIEST: Final = 20


class Cell(NamedTuple):
    """A td or th in the grid of its table."""

    element: int
    row: int
    column: int
    high: int
    wide: int
    head: bool


def nearest_tables(elements: Elements) -> tuple[IntArray, NDArray[np.uint8]]:
    """Return, for every element, the table round it, or -1, and of tables whether they lay out the page.

    Those that hold another table or a heading do, and their cells are no cells.

    >>> from dehusk.page import Page
    >>> nearest, lays = nearest_tables(Page.from_html("<table><tr><td><h1>x").elements)
    >>> nearest.tolist(), lays.nonzero()[0].tolist()
    ([-1, -1, -1, -1, -1, 4, 4, 4, 4], [4])
    """
    nearest, lays = np.empty(len(elements), np.int32), np.empty(len(elements), np.uint8)
    tables_round(elements.tag, elements.parents, PARTS, nearest, lays)
    return nearest, lays


def in_layout(elements: Elements) -> NDArray[np.uint8]:
    """Return which elements stand in a table that lays out the page, not in one of data inside of it."""
    nearest, lays = nearest_tables(elements)
    # Where there is no table, the last element is asked, in which nothing stands.
    found: NDArray[np.uint8] = lays[nearest]
    return found


def cell_places(elements: Elements) -> dict[int, tuple[int, int]]:
    """Return row and column, from 0, of every td and th by its index among the elements.

    >>> from dehusk.page import Page
    >>> page = Page.from_html("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>")
    >>> sorted(cell_places(page.elements).values())
    [(0, 0), (0, 1), (1, 1)]
    """
    places: dict[int, tuple[int, int]] = {}
    grids: dict[int, _Grid] = {}
    tags, nearest = elements.tag, nearest_tables(elements)[0].tolist()
    for index in elements_with_tags(tags, TABLE_PARTS, 0, len(tags), len(tags)):
        tag, table = tags[index], nearest[index]
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
            places[index] = row, column
    return places


class DataTables:
    """The tables of a page that hold data, each looked at when it is first asked for.

    Those that lay out the page do not, nor does a single row, a column without a head, or what is no grid at all.

    >>> from dehusk.page import Page
    >>> page = Page.from_html("<table><tr><td rowspan=2>a<td>b<tr><td>c</table><table><tr><td>d</table>")
    >>> tables = DataTables(page.elements)
    >>> [(cell.row, cell.column, cell.high) for cell in tables.cells(4)], tables.cells(11)
    ([(0, 0, 2), (0, 1, 1), (1, 1, 1)], [])
    """

    __slots__ = ("_elements", "_found", "_layout")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._layout: NDArray[np.uint8] | None = None
        self._found: dict[int, list[Cell]] = {}

    def cells(self, table: int) -> list[Cell]:
        """Return the cells of the table at an index among the elements, none if it does not hold data."""
        found = self._found.get(table)
        if found is None:
            if self._layout is None:
                self._layout = nearest_tables(self._elements)[1]
            found = [] if self._layout[table] else _cells(self._elements, table)
            self._found[table] = found = found if _is_grid(found) else []
        return found


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
    # No cell reaches beyond its group of rows, and where that ends is known only now.
    return [
        cell if cell.high == 1 else cell._replace(high=min(cell.high, last_rows[group + 1] - cell.row + 1))
        for group, cell in cells
    ]


def _is_grid(cells: list[Cell]) -> bool:
    places = {(cell.row, cell.column) for cell in cells}
    rows, columns = len({row for row, _ in places}), len({column for _, column in places})
    return (
        len(places) == len(cells)  # beyond the last column that is allowed, cells lie on top of each other
        and rows > 1
        and (columns > 1 or any(cell.head for cell in cells))
        and rows * columns <= EMPTIEST * len(cells) + 1000
    )


# What a grid begins with: most never need another, and an array takes longer to make than a row of cells to place.
NONE_TAKEN: Final[IntArray] = np.full(8, -1, np.int32)


class _Grid:
    """Which columns of a table are taken, and up to which row."""

    __slots__ = ("column", "reach", "row", "taken")

    def __init__(self) -> None:
        self.row, self.column = -1, 0
        self.taken = NONE_TAKEN
        self.reach = -1  # the last row that anything reaches into from above

    def next_group(self) -> None:
        self.taken = NONE_TAKEN  # no cell reaches into the next group of rows
        self.reach = -1

    def next_row(self) -> None:
        self.row, self.column = self.row + 1, 0

    def place(self, wide: int, high: int) -> tuple[int, int, int]:
        """Put a cell into the first free column of this row; a height of 0 reaches to the end of the group.

        Return its row, its column, and how many columns it has for itself.
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
        np.maximum(self.taken[column:end], last, out=self.taken[column:end])  # what is taken for longer stays so
        self.reach = max(self.reach, last if last > row else -1)
        self.column = min(end, MOST_COLUMNS - 1)
        return max(row, 0), column, max(int(shared[0]) if len(shared) else end - column, 1)


def _span(elements: Elements, index: int, name: str) -> int:
    """Read a span by the rule of the HTML standard: the number that the value begins with, 1 where it has none."""
    node: Any = elements.node[index]
    value = node.attr(name)
    number = NUMBER.match(value) if value else None
    return int(number[1]) if number else 1
