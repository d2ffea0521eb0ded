"""A data table in GitHub's Markdown, each row on one line."""

from dehusk.outline.table_grid import GridCell


def table(rows: list[list[GridCell]], texts: dict[int, str]) -> str:
    """Return a table; a cell with a span is in its first place, and without a header row there is an empty one.

    >>> rows = [[GridCell(1, 1, 2, True)], [GridCell(2, 1, 1, False), GridCell(3, 1, 1, False)]]
    >>> print(table(rows, {1: "a", 2: "b", 3: "c|d"}))
    | a |  |
    | --- | --- |
    | b | c\\|d |
    """
    lines = _expanded(rows, texts)
    if not all(cell.is_header for cell in rows[0]):
        lines.insert(0, [""] * len(lines[0]))
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


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
