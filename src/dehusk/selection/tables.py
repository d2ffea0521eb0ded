"""Tables of data, which are left out on request."""

import numpy as np

from dehusk.blocks import Blocks
from dehusk.html_tables import DataTables, enclosing_tables
from dehusk.page.leaves import BoolArray


def in_tables(blocks: Blocks) -> BoolArray:
    """Return which blocks are in a table of data."""
    if "table" not in blocks.elements.tag:
        return np.zeros(len(blocks), np.bool_)
    enclosing, tables = enclosing_tables(blocks.elements)[0][blocks.owner].tolist(), DataTables(blocks.elements)
    inside = (table >= 0 and bool(tables.cells(table)) for table in enclosing)
    return np.fromiter(inside, np.bool_, len(blocks))
