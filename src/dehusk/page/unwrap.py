"""Unwrapping: which lines of plain text continue in the next one.

A program that wraps text puts as many words on a line as fit. So a line was wrapped if the first word of the next one
would not have fitted on it, in the width of its paragraph; in a list that is also true of the longest item, so it must
hold for half of the lines. Besides, a line that ends no sentence continues if the next one begins in lower case. All
other line ends are intended: those of lists, menus, verse and text with one line per block.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

NARROWEST: Final = 40  # characters: narrower text is not wrapped, it is a list or a menu
WIDEST: Final = 130  # wider text is not either, it has one line per paragraph
SENTENCE_ENDS: Final = frozenset(".!?:;…。！？")


def paragraphs(text: str) -> list[list[str]]:
    """Return the lines of each paragraph of a text, white space collapsed, without blank lines.

    >>> paragraphs("Home\\nNews\\n\\nIt rained for nine days, the lane was under water\\nand no Post came. Then sun.")
    [['Home'], ['News'], ['It rained for nine days, the lane was under water', 'and no Post came. Then sun.']]
    """
    result: list[list[str]] = []
    group: list[str] = []
    for line in (*text.splitlines(), ""):
        if words := line.split():
            group.append(" ".join(words))
        elif group:
            result += _split(group)
            group = []
    return result


def _split(lines: Sequence[str]) -> list[list[str]]:
    """Split lines without a blank line between them into paragraphs."""
    width = max(map(len, lines))
    full = [len(line) + 1 + len(following.split(" ", 1)[0]) > width for line, following in pairwise(lines)]
    wrapped = NARROWEST <= width <= WIDEST and 2 * sum(full) >= len(full)
    parts = [[lines[0]]]
    for (line, following), is_full in zip(pairwise(lines), full, strict=True):
        unfinished = len(line) >= NARROWEST // 2 and line[-1] not in SENTENCE_ENDS and following[0].islower()
        if (wrapped and is_full) or unfinished:
            parts[-1].append(following)
        else:
            parts.append([following])
    return parts
