"""Segments: a page cut into paragraphs, headings and list items; and patterns of obvious boilerplate.

The original renders a page with the text browser Lynx and finds segments in its output, where `br` separates them, too.
Here the page's own blocks are the segments, and in plain text its paragraphs. Cutting at `br` was tried: on CleanEval's
training pages it gains 0.3 points in segment tags and loses 0.3 in words.

In plain text, lines that begin with a bullet or a number are list items. Dumps of Lynx number their links, `[12]like
this`, and end with a list of the addresses: the numbers are not scored, and the list is boilerplate.
"""

import re
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from dehusk.blocks import Blocks, Kind
from dehusk.blocks import cut as blocks_of
from dehusk.page import Page
from dehusk.page.leaves import BoolArray

# Fields between bars, as in navigation lines and footers: Home | News | Contact
BARS: Final = re.compile(r"\s[|¦│]\s|\|\|")
MIN_BARS: Final = 2
MAX_FIELD: Final = 40  # characters per field on average; rows of a table written with bars can be longer
# Most headings have no heading tag: of the 1,107 headings in CleanEval's training pages, `h1` to `h6` mark 97. Of 40,
# 60, 80 and 100 characters, 60 found most.
MAX_HEADING: Final = 60
SENTENCE_ENDS: Final = ".!?:;,"
BULLET: Final = re.compile(r"(?:[*+•·-]|\(?\d{1,3}[.)]) +\S")
LINK_MARK: Final = re.compile(r"\[\d{1,4}\](?=\w)")
REFERENCE: Final = re.compile(
    r"(?:\d{1,4}\. )?(?:https?|ftp|file|mailto|javascript|news):\S*(?: \d{1,4}\. \S+)*"
    r"|References|(?:Visible|Hidden) links:?"
)
UNTAGGED_HEADING: Final = 6 << 8 | Kind.HEADING  # with the lowest level


@dataclass(frozen=True, slots=True, eq=False)
class Segments(Blocks):
    """Blocks where a short line that does not end like a sentence is a heading, too."""

    def codes(self, rows: list[int] | None = None) -> list[int]:
        """Return the kind and the level of these segments, or of all, as one number with the level in its second byte.

        >>> [column.tolist() for column in cut(Page.from_html("<p><b>The weather</b><p>It rained.<ul><li>a")).kinds()]
        [[1, 0, 2], [6, 0, 1]]
        """
        # Not `super()`: the decorator replaces a class with slots by a new one, to which `super()` does not refer.
        codes = Blocks.codes(self, rows)
        rows = list(range(len(self))) if rows is None else rows
        return [
            UNTAGGED_HEADING if code & 0xFF in (Kind.PARAGRAPH, Kind.CELL) and self._is_heading(row) else code
            for code, row in zip(codes, rows, strict=True)
        ]

    def _is_heading(self, row: int) -> bool:
        start, end = int(self.start[row]), int(self.end[row])
        # Where only invisible characters were, nothing is left of a segment when it is written.
        return 0 < end - start < MAX_HEADING and self.text[end - 1] not in SENTENCE_ENDS


@dataclass(frozen=True, slots=True, eq=False)
class TextSegments(Segments):
    """Segments of plain text, where a bullet or a number marks a list item."""

    def codes(self, rows: list[int] | None = None) -> list[int]:
        """Return the kind and the level of these segments, or of all.

        >>> cut(Page.from_text("* One\\n* Two\\n\\n1. Three\\n\\nRain fell.")).kinds()[0].tolist()
        [2, 2, 2, 0]
        """
        codes = Segments.codes(self, rows)
        rows = list(range(len(self))) if rows is None else rows
        return [
            Kind.ITEM if BULLET.match(self.text, int(self.start[row])) else code
            for code, row in zip(codes, rows, strict=True)
        ]


def cut(page: Page) -> Segments:
    """Cut a page at its block-level elements, or plain text into its paragraphs.

    >>> cut(Page.from_html("<p>One<br>two <b>three</b><ul><li>four")).strings()
    ['One\\ntwo three', 'four']
    """
    blocks = blocks_of(page)
    kind = Segments if page.tree is not None else TextSegments
    return kind(*(getattr(blocks, each.name) for each in fields(Blocks)))


def without_link_marks(text: str) -> str:
    """Return a text of the same length with blanks for the numbers that Lynx gives to links.

    >>> without_link_marks("See [12]the map, and note [3].")
    'See     the map, and note [3].'
    """
    return LINK_MARK.sub(lambda mark: " " * len(mark[0]), text) if "[" in text else text


def obvious_boilerplate(texts: list[str], *, plain: bool = False) -> BoolArray:
    """Return which segments are fields between bars, have no letter or digit, or in plain text are Lynx's addresses.

    >>> obvious_boilerplate(["Home | News | Contact", "* * *", "It rained | all day."]).tolist()
    [True, True, False]
    >>> obvious_boilerplate(["References", "1. http://example.org/", "1. Rain"], plain=True).tolist()
    [True, True, False]
    """
    return np.array(
        [_is_obvious(text) or (plain and REFERENCE.fullmatch(text) is not None) for text in texts], np.bool_
    )


def _is_obvious(text: str) -> bool:
    if "|" in text or "¦" in text or "│" in text:
        bars = len(BARS.findall(text))
        return bars >= MIN_BARS and len(text) <= MAX_FIELD * (bars + 1)
    return not any(map(str.isalnum, text))
