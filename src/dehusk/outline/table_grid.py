"""The rows of a table as they are written: only the rows and columns in which a kept cell begins."""

from bisect import bisect_left
from collections.abc import Container, Sequence
from typing import Final, NamedTuple

from dehusk.html_tables import Cell


class GridCell(NamedTuple):
    """A cell as it is written, or an empty one."""

    element: int  # 0 for an empty one
    rowspan: int
    colspan: int
    is_header: bool


EMPTY: Final = GridCell(0, 1, 1, is_header=False)


def table_grid(cells: Sequence[Cell], filled: Container[int]) -> list[list[GridCell]]:
    """Return the rows, all equally wide, given all cells of a table and the elements of those that hold something.

    >>> cells = [Cell(5, 0, 0, 2, 1, True), Cell(6, 0, 1, 1, 3, True), Cell(7, 1, 1, 1, 1, False)]
    >>> table_grid(cells, {5, 6, 7})[1]
    [GridCell(element=7, rowspan=1, colspan=1, is_header=False)]
    """
    kept = [cell for cell in cells if cell.element in filled]
    rows, columns = sorted({cell.row for cell in kept}), sorted({cell.column for cell in kept})
    at = {(cell.row, cell.column): cell for cell in kept}
    # As most tables are: no cell spans anything, so each has a position of its own.
    if len(at) == len(kept) and all(cell.high == cell.wide == 1 for cell in kept):
        grid = [[at.get((row, column)) for column in columns] for row in rows]
        return [[GridCell(cell.element, 1, 1, cell.head) if cell else EMPTY for cell in line] for line in grid]
    taken = [0] * (len(columns) + 1)  # the number of rows of each column that are taken
    taken[-1] = len(rows)
    lines: list[list[GridCell]] = []
    for grid_row, row in enumerate(rows):
        line: list[GridCell] = []
        for grid_column, column in enumerate(columns):
            if taken[grid_column] > grid_row:
                continue
            cell = _grid_cell(at.get((row, column)), rows, columns)
            free = range(1, cell.colspan + 1)
            colspan = next(size for size in free if size == cell.colspan or taken[grid_column + size] > grid_row)
            taken[grid_column : grid_column + colspan] = [grid_row + cell.rowspan] * colspan
            line.append(cell._replace(colspan=colspan))
        lines.append(line)
    if sum(cell.element > 0 for line in lines for cell in line) < len(kept):
        # Cells on top of each other, as beyond the last column that is allowed: without spans none covers another.
        return table_grid([cell._replace(high=1, wide=1) for cell in kept], filled)
    return lines


def cells_up_to(cells: Sequence[Cell], start: int, element: int) -> int:
    """Return where the cells after `element` begin, given that those before `start` come before it.

    A caption in the middle of a table divides it; so each part is written from its own cells alone.

    >>> cells_up_to([Cell(5, 0, 0, 1, 1, True), Cell(6, 0, 1, 1, 1, True), Cell(9, 1, 0, 1, 1, True)], 0, 7)
    2
    """
    return bisect_left(cells, (element + 1,), start)


def _grid_cell(cell: Cell | None, rows: list[int], columns: list[int]) -> GridCell:
    if cell is None:
        return EMPTY
    rowspan = bisect_left(rows, cell.row + cell.high) - bisect_left(rows, cell.row)
    colspan = bisect_left(columns, cell.column + cell.wide) - bisect_left(columns, cell.column)
    return GridCell(cell.element, rowspan, colspan, cell.head)
