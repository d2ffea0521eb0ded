"""Segments: a page cut into paragraphs, headings and list items, and those that a pattern alone tells are navigation.

The original prints a page with the text browser Lynx and finds segments in what it printed, line breaks by `br` parting
them, too. Here the page's own blocks are the segments, and in plain text its paragraphs. A cut at `br` was tried: on
CleanEval's training pages it gains 0.3 points in marks and loses 0.3 in words.
"""

import re
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from dehusk.blocks import Blocks, Kind
from dehusk.blocks import cut as blocks_of
from dehusk.page import Page
from dehusk.page.leaves import BoolArray

# Fields between bars, as navigation lines and footers have them: Home | News | Contact
BARS: Final = re.compile(r"\s[|¦│]\s|\|\|")
FEWEST_BARS: Final = 2
LONGEST_FIELD: Final = 40  # characters a field on average; a row of a table written with bars can be longer
# What people take for a heading has no tag that says so: of the 1,107 headings in CleanEval's training pages, `h1` to
# `h6` tell 97. Of 40, 60, 80 and 100 characters, 60 found most.
LONGEST_HEADING: Final = 60
ENDS: Final = ".!?:;,"
LOOKS: Final = 6 << 8 | Kind.HEADING  # a heading that only looks like one has the lowest level


@dataclass(frozen=True, slots=True, eq=False)
class Segments(Blocks):
    """Blocks that are headings by their looks, too: a short line that does not end like a sentence."""

    def codes(self, numbers: list[int] | None = None) -> list[int]:
        """Return kind and level in one number, the level in its second byte, of these segments or of all.

        >>> [column.tolist() for column in cut(Page.from_html("<p><b>The weather</b><p>It rained.<ul><li>a")).kinds()]
        [[1, 0, 2], [6, 0, 1]]
        """
        # A class with slots is made anew by its decorator, so that `super()` would still mean the first one.
        told = Blocks.codes(self, numbers)
        rows = range(len(self)) if numbers is None else numbers
        return [
            LOOKS if code & 0xFF in (Kind.PARAGRAPH, Kind.CELL) and self._is_heading(row) else code
            for code, row in zip(told, rows, strict=True)
        ]

    def _is_heading(self, row: int) -> bool:
        start, end = int(self.start[row]), int(self.end[row])
        return end - start < LONGEST_HEADING and self.text[end - 1] not in ENDS


def cut(page: Page) -> Segments:
    """Cut a page at its block-level elements.

    >>> cut(Page.from_html("<p>One<br>two <b>three</b><ul><li>four")).strings()
    ['One\\ntwo three', 'four']
    """
    blocks = blocks_of(page)
    return Segments(*(getattr(blocks, each.name) for each in fields(Blocks)))


def easy(texts: list[str]) -> BoolArray:
    """Tell which segments are boilerplate by their looks: fields between bars, or not a single letter or digit.

    >>> easy(["Home | News | Contact", "* * *", "It rained | all day."]).tolist()
    [True, True, False]
    """
    return np.array([_is_easy(text) for text in texts], np.bool_)


def _is_easy(text: str) -> bool:
    if "|" in text or "¦" in text or "│" in text:
        bars = len(BARS.findall(text))
        return bars >= FEWEST_BARS and len(text) <= LONGEST_FIELD * (bars + 1)
    return not any(map(str.isalnum, text))
