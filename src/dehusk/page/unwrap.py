"""Wrapped: which lines of plain text go on in the next one.

A program that wraps text puts each word on the line that it fits on. So a line was wrapped if the first word of the
next one would not have fitted behind it, in the width of its paragraph; in a list that is true of the longest item too,
so half of the lines must be such. A line that ends no sentence goes on besides where the next begins in small letters.
All other line ends are meant: those of lists, menus, verse and text with a line a block.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

NARROWEST: Final = 40  # characters: narrower text was not wrapped, it is a list or a menu
WIDEST: Final = 130  # wider text was not either, it has a line a paragraph
ENDS: Final = frozenset(".!?:;…。！？")


def paragraphs(text: str) -> list[list[str]]:
    """Return the lines of a text, white space collapsed, in the paragraphs that they make up; blank lines are left out.

    >>> paragraphs("Home\\nNews\\n\\nIt rained for nine days, the lane was under water\\nand no Post came. Then sun.")
    [['Home'], ['News'], ['It rained for nine days, the lane was under water', 'and no Post came. Then sun.']]
    """
    found: list[list[str]] = []
    group: list[str] = []
    for line in (*text.splitlines(), ""):
        if words := line.split():
            group.append(" ".join(words))
        elif group:
            found += _parted(group)
            group = []
    return found


def _parted(lines: Sequence[str]) -> list[list[str]]:
    width = max(map(len, lines))
    full = [len(line) + 1 + len(following.split(" ", 1)[0]) > width for line, following in pairwise(lines)]
    wrapped = NARROWEST <= width <= WIDEST and 2 * sum(full) >= len(full)
    parts = [[lines[0]]]
    for (line, following), is_full in zip(pairwise(lines), full, strict=True):
        if (wrapped and is_full) or _goes_on(line, following):
            parts[-1].append(following)
        else:
            parts.append([following])
    return parts


def _goes_on(line: str, following: str) -> bool:
    return len(line) >= NARROWEST // 2 and line[-1] not in ENDS and following[0].islower()
