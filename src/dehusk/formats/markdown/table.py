"""Table: a table of data as GitHub's Markdown has them, each cell one line."""

from dehusk.outline.grid import Slot


def table(rows: list[list[Slot]], texts: dict[int, str]) -> str:
    """Return a table; where a cell spans several places it stands in the first, and where no row is a head it is empty.

    >>> print(table([[Slot(1, 1, 2, True)], [Slot(2, 1, 1, False), Slot(3, 1, 1, False)]], {1: "a", 2: "b", 3: "c|d"}))
    | a |  |
    | --- | --- |
    | b | c\\|d |
    """
    lines = _spread(rows, texts)
    if not all(slot.head for slot in rows[0]):
        lines.insert(0, [""] * len(lines[0]))
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _spread(rows: list[list[Slot]], texts: dict[int, str]) -> list[list[str]]:
    """Return the rows with a text for every place."""
    width = sum(slot.wide for slot in rows[0])
    lines = [[""] * width for _ in rows]
    taken = [0] * width  # how many rows of each column are taken
    for row, slots in enumerate(rows):
        column = 0
        for slot in slots:
            while taken[column] > row:
                column += 1
            lines[row][column] = texts.get(slot.element, "").replace("|", "\\|")
            taken[column : column + slot.wide] = [row + slot.high] * slot.wide
            column += slot.wide
    return lines
