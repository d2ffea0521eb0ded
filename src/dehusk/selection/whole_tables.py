"""Tables of data are kept or dropped as a whole or in whole rows: with holes in it a table says something else."""

from collections.abc import Sequence
from typing import Final

from dehusk.blocks import Blocks
from dehusk.html_tables import Cell, DataTables, enclosing_tables
from dehusk.page.leaves import BoolArray, Elements

# Of the characters of a table, the share that is kept: from the first on all of it is, below the second nothing. Tried
# on training pages from 0.5 to 0.8 and from 0.1 to 0.6: the F1 of the 795 pages with a table changes by less than 0.1.
WHOLE: Final = 0.65
NONE: Final = 0.5
# Posts of old forums and entries of listings are in tables, too. Without a header, these tell tables of data apart.
FEWEST_CELLS: Final = 6
LONGEST_CELL: Final = 0.5  # of the characters of the table
MOST_BLOCKS: Final = 1.5  # per cell


def with_whole_tables(blocks: Blocks, kept: BoolArray) -> BoolArray:
    """Return what is kept, with tables of data that were kept in part kept or dropped in whole rows.

    A table that is mostly kept is kept as a whole, one of which little is kept is dropped, and what is in between is
    decided row by row; header rows and the caption go with the rows that they are for. In a cell that is kept in part,
    the scores decide: nothing is missing where a button was.

    >>> import numpy as np
    >>> from dehusk.blocks import cut
    >>> from dehusk.page import Page
    >>> blocks = cut(Page.from_html("<table><tr><th>Hay<th>Oats<tr><td>12<td>7</table>"))
    >>> with_whole_tables(blocks, np.array([True, True, True, False]))
    array([ True,  True,  True,  True])
    """
    elements = blocks.elements
    enclosing, is_layout = enclosing_tables(elements)
    around = enclosing[blocks.owner]
    both = set(around[kept].tolist()) & set(around[~kept].tolist()) - {-1}
    partial = {table for table in both if not is_layout[table]}
    if not partial:
        return kept
    tables, result = DataTables(elements), kept.copy()
    indexes: dict[int, list[int]] = {table: [] for table in partial}  # of the blocks in each table
    for index, table in enumerate(around.tolist()):
        if table in partial:
            indexes[table].append(index)
    for table in partial:
        if cells := tables.cells(table):
            _make_whole(blocks, cells, indexes[table], result)
    return result


def _make_whole(blocks: Blocks, cells: Sequence[Cell], indexes: list[int], kept: BoolArray) -> None:
    """Decide on the blocks of one table, given by their indexes."""
    lengths = blocks.end[indexes] - blocks.start[indexes]
    of_cells = _cells_of(blocks.elements, cells, blocks.owner[indexes].tolist())
    if not _holds_data(cells, of_cells, lengths.tolist()):
        return
    before = kept[indexes]
    share = float(lengths[before].sum() / lengths.sum())
    if share >= WHOLE:
        selected = [True] * len(indexes)
    elif share >= NONE:
        selected = _kept_in_rows(cells, of_cells, lengths.tolist(), before.tolist())
    else:
        selected = [False] * len(indexes)
    filled = {cell for cell, was_kept in zip(of_cells, before.tolist(), strict=True) if was_kept}
    # What a page hides is no hole either, unless the whole table waits for a click.
    out_of_sight = blocks.hidden[indexes] & ~blocks.hidden[indexes].all()
    for index, cell, is_selected, is_hidden in zip(indexes, of_cells, selected, out_of_sight.tolist(), strict=True):
        kept[index] = is_selected and (kept[index] or not (is_hidden or cell in filled))


def _cells_of(elements: Elements, cells: Sequence[Cell], owners: Sequence[int]) -> list[int]:
    """Return the index of the cell that each element is in, -1 for captions."""
    indexes = {cell.element: index for index, cell in enumerate(cells)}
    of_owners = []
    for owner in owners:
        element, inside = owner, []
        while element not in indexes and elements.tag[element] != "table":
            inside.append(element)
            element = elements.parent[element]
        index = indexes.get(element, -1)
        # Blocks may be thousands of elements deep in one cell, and share most of these.
        indexes.update(dict.fromkeys(inside, index))
        of_owners.append(index)
    return of_owners


def _holds_data(cells: Sequence[Cell], of_cells: Sequence[int], lengths: Sequence[int]) -> bool:
    if any(cell.head for cell in cells):
        return True
    sizes: dict[int, int] = {}
    for cell, length in zip(of_cells, lengths, strict=True):
        sizes[cell] = sizes.get(cell, 0) + length
    return (
        len(sizes) >= FEWEST_CELLS
        and max(sizes.values()) <= LONGEST_CELL * sum(sizes.values())
        and len(of_cells) <= MOST_BLOCKS * len(sizes)
    )


def _kept_in_rows(
    cells: Sequence[Cell], of_cells: Sequence[int], lengths: Sequence[int], kept: Sequence[bool]
) -> list[bool]:
    """Return which blocks of a table are kept if its rows stay whole, given the cell and the length of each block."""
    bands, is_header = _bands(cells)
    balance = [0] * len(is_header)  # of each band, the characters that are kept less those that are not
    for cell, length, is_kept in zip(of_cells, lengths, kept, strict=True):
        if cell >= 0:
            balance[bands[cell]] += length if is_kept else -length
    keeps = [each > 0 and not header for each, header in zip(balance, is_header, strict=True)]
    any_kept = any(keeps)
    _keep_headers(keeps, is_header)
    return [any_kept if cell < 0 else keeps[bands[cell]] for cell in of_cells]


def _bands(cells: Sequence[Cell]) -> tuple[list[int], list[bool]]:
    """Return the band of each cell, and which bands are headers.

    A band is a row, or several that are connected by cells that extend over them.
    """
    bands, is_header, reach = [], list[bool](), -1
    for cell in cells:
        if cell.row > reach:
            is_header.append(True)
        reach = max(reach, cell.row + cell.high - 1)
        is_header[-1] &= cell.head
        bands.append(len(is_header) - 1)
    if not any(is_header):
        is_header[0] = True  # the first row is most likely to be one that is not marked as such
    return bands, is_header if not all(is_header) else [False] * len(is_header)


def _keep_headers(keeps: list[bool], is_header: Sequence[bool]) -> None:
    """Keep the headers that come before rows that are kept: the first ones, and those of each section."""
    below = False  # whether a row of the section is kept
    for band in reversed(range(len(keeps))):
        if is_header[band]:
            keeps[band] = below
        else:
            below = keeps[band] or (below and not is_header[band + 1])
    for band in range(len(keeps)):
        if not is_header[band]:
            break
        keeps[band] = True in keeps
