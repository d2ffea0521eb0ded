"""A data table in GitHub's Markdown, each row on one line."""

import re
from typing import Final

from dehusk.outline.table_grid import GridCell

# A quotation mark outside of code: a reader may write the text of a header as it is into an attribute of its cell.
QUOTE: Final = re.compile(r"""\\[\\`]|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|(")""")


def table(rows: list[list[GridCell]], texts: dict[int, str]) -> str:
    """Return a table; a cell with a span is in its first place, and without a header row there is an empty one.

    >>> rows = [[GridCell(1, 1, 2, True)], [GridCell(2, 1, 1, False), GridCell(3, 1, 1, False)]]
    >>> print(table(rows, {1: "a", 2: "b", 3: "c|d"}))
    | a |  |
    | --- | --- |
    | b | c\\|d |
    """
    lines = _expanded(rows, texts)
    if all(cell.is_header for cell in rows[0]):
        lines[0] = [QUOTE.sub(_quote, cell) if '"' in cell else cell for cell in lines[0]]
    else:
        lines.insert(0, [""] * len(lines[0]))
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _quote(match: re.Match[str]) -> str:
    return "&quot;" if match[2] else match[0]


def _expanded(rows: list[list[GridCell]], texts: dict[int, str]) -> list[list[str]]:
    """Return the rows with a text for every column."""
    width = sum(cell.colspan for cell in rows[0])
    lines = [[""] * width for _ in rows]
    taken = [0] * width  # the number of rows of each column that are taken
    for row, cells in enumerate(rows):
        column = 0
        for cell in cells:
            while taken[column] > row:
                column += 1
            lines[row][column] = texts.get(cell.element, "").replace("|", "\\|")
            taken[column : column + cell.colspan] = [row + cell.rowspan] * cell.colspan
            column += cell.colspan
    return lines
