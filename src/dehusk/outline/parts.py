"""Parts: what an outline is made of: boxes that open and close, leaves that hold text, and the runs of a leaf.

Leaves and runs are plain tuples and their kinds plain numbers, since a page has hundreds of them and a class costs as
much to make as all the rest of the work on one.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from dehusk.outline.fast_outline import Box, Close
from dehusk.outline.kinds import (
    BARE,
    CAPTION,
    CELL,
    CODE,
    DELETED,
    DISPLAY,
    EMPHASIS,
    FIGURE,
    FLAT,
    GLOSSARY,
    HEADING,
    ITEM,
    LEGEND,
    LIST,
    LOWERED,
    MEANING,
    NOTE,
    PARAGRAPH,
    QUOTE,
    RAISED,
    ROOT,
    STRONG,
    TABLE,
    TERM,
    VERBATIM,
)

__all__ = [
    "BARE",
    "CAPTION",
    "CELL",
    "CODE",
    "DELETED",
    "DISPLAY",
    "EMPHASIS",
    "FIGURE",
    "FLAT",
    "GLOSSARY",
    "HEADING",
    "ITEM",
    "LEGEND",
    "LIST",
    "LOWERED",
    "MEANING",
    "NOTE",
    "PARAGRAPH",
    "PLAIN",
    "QUOTE",
    "RAISED",
    "ROOT",
    "STRONG",
    "TABLE",
    "TERM",
    "VERBATIM",
    "Box",
    "Close",
    "Event",
    "Formula",
    "Image",
    "Inline",
    "Leaf",
    "Look",
    "Mark",
    "NoteSign",
    "Outline",
    "Run",
    "Span",
]


@dataclass(frozen=True, slots=True)
class Look:
    """What to show beside the words. A format that cannot show something leaves it out."""

    links: bool = False  # where links point
    images: bool = False
    formatting: bool = True  # emphasis and the like


PLAIN: Final = Look()


class Mark(NamedTuple):
    """What became of a block, where every block is written."""

    score: float  # NaN where the method gave none
    kept: bool


class Image(NamedTuple):
    """A picture and what stands for it."""

    address: str
    words: str


class Formula(NamedTuple):
    """A formula in LaTeX."""

    tex: str
    display: bool


class NoteSign(NamedTuple):
    """The sign that points to a footnote: the label that it shares with the note, and its text on the page."""

    label: str
    text: str


# What parts it from the run before (nothing, a blank or a line end); text, or what stands in its place; marks; link.
Run = tuple[str, str | Image | Formula | NoteSign, int, str]
Inline = str | list[Run]  # a string where nothing is marked, as in most leaves
# Its form; its text; the level of a heading; the language of code; its mark.
Leaf = tuple[int, Inline, int, str, Mark | None]

Event = Leaf | Box | Close
Span = tuple[int, int]


class Outline(NamedTuple):
    """What is written of a page, in order: boxes that open and close, and leaves between them.

    `replaced` are the spans of the page's text that formulas and the signs of footnotes stand for. Outside of them the
    leaves hold each word that is written, once and in order.
    """

    events: list[Event]
    replaced: list[Span]
