"""Grid: the rows of a table as they are written: only those rows and columns in which something that is kept begins."""

from bisect import bisect_left
from collections.abc import Container, Sequence
from typing import Final, NamedTuple

from dehusk.html_tables import Cell


class Slot(NamedTuple):
    """A cell as it is written, or an empty place."""

    element: int  # 0 for an empty place
    high: int
    wide: int
    head: bool


EMPTY: Final = Slot(0, 1, 1, head=False)


def grid(cells: Sequence[Cell], filled: Container[int]) -> list[list[Slot]]:
    """Return the rows, given all cells of a table and which of them have something in them; all rows are equally wide.

    >>> cells = [Cell(5, 0, 0, 2, 1, True), Cell(6, 0, 1, 1, 3, True), Cell(7, 1, 1, 1, 1, False)]
    >>> grid(cells, {5, 6, 7})
    [[Slot(element=5, high=2, wide=1, head=True), Slot(element=6, high=1, wide=1, head=True)], [Slot(element=7, ...
    """
    kept = [cell for cell in cells if cell.element in filled]
    rows, columns = sorted({cell.row for cell in kept}), sorted({cell.column for cell in kept})
    places = {(cell.row, cell.column): cell for cell in kept}
    # As most tables are: no cell spans anything, so each has its place.
    if len(places) == len(kept) and all(cell.high == cell.wide == 1 for cell in kept):
        found = [[places.get((row, column)) for column in columns] for row in rows]
        return [[Slot(cell.element, 1, 1, cell.head) if cell else EMPTY for cell in line] for line in found]
    taken = [0] * (len(columns) + 1)  # how many rows of each column are taken
    taken[-1] = len(rows)
    lines: list[list[Slot]] = []
    for number, row in enumerate(rows):
        line: list[Slot] = []
        for place, column in enumerate(columns):
            if taken[place] > number:
                continue
            slot = _slot(places.get((row, column)), rows, columns)
            wide = next(size for size in range(1, slot.wide + 1) if size == slot.wide or taken[place + size] > number)
            taken[place : place + wide] = [number + slot.high] * wide
            line.append(slot._replace(wide=wide))
        lines.append(line)
    if sum(slot.element > 0 for line in lines for slot in line) < len(kept):
        # Cells on top of each other, as beyond the last column that is allowed: without spans each has its place.
        return grid([cell._replace(high=1, wide=1) for cell in kept], filled)
    return lines


def _slot(cell: Cell | None, rows: list[int], columns: list[int]) -> Slot:
    if cell is None:
        return EMPTY
    high = bisect_left(rows, cell.row + cell.high) - bisect_left(rows, cell.row)
    wide = bisect_left(columns, cell.column + cell.wide) - bisect_left(columns, cell.column)
    return Slot(cell.element, high, wide, cell.head)
