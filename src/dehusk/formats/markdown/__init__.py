"""markdown: GitHub's Markdown, with footnotes, definition lists and formulas as other programs write them too.

Headings, nested lists, quotes, tables, fenced code, emphasis; links and images if asked for. What the page has and
Markdown has not (raised and lowered letters, a line end in a cell) stands there as HTML, which Markdown allows. Of
`every` block those that would be dropped have a comment with their score before them.
"""

from typing import Final

from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.markdown import escape
from dehusk.formats.markdown.inline import inline
from dehusk.formats.markdown.table import table
from dehusk.outline.build import outline
from dehusk.outline.grid import grid
from dehusk.outline.parts import (
    BARE,
    CAPTION,
    CELL,
    CODE,
    DISPLAY,
    ITEM,
    LIST,
    MEANING,
    NOTE,
    PARAGRAPH,
    QUOTE,
    ROOT,
    TABLE,
    TERM,
    Box,
    Close,
    Event,
    Leaf,
)

SUFFIX = ".md"
MOST: Final = 999_999_999  # Markdown has no longer numbers, and none below zero


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write Markdown.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Fish &amp; chips</h1><ul><li>Peel<li>Fry <b>twice</b></ul>", method="alltext")))
    # Fish & chips
    <BLANKLINE>
    - Peel
    - Fry **twice**
    """
    return _Writer().written(outline(document, every=every, look=look).events)


class _Writer:
    """Writes leaf after leaf, each line behind the signs of the boxes that it stands in."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._boxes: list[Box] = [Box(ROOT, None)]
        self._indents: list[str] = [""]  # what the lines in each box begin with
        self._lead = ""  # what the next line begins with, such as the bullet of an item
        self._shared = ""  # the indent of the smallest box round both the last leaf and the next
        self._tight = False  # whether the next leaf follows without a blank line
        self._last = PARAGRAPH  # of the last leaf
        self._ended = ROOT  # the box that ended since the last leaf
        self._signs: list[str] = []  # of the lists that are open: the bullet, or what follows a number
        self._old_sign = ""  # of the list that ended
        self._numbers: list[int] = []
        self._table: Box | None = None
        self._cells: dict[int, list[str]] = {}

    def written(self, events: list[Event]) -> str:
        """Return the events as Markdown."""
        for event in events:
            if isinstance(event, Box):
                sign, indent = self._signs_of(event)
                self._boxes.append(event)
                self._indents.append(self._indents[-1] + indent)
                self._lead += sign
            elif isinstance(event, Close):
                self._close(event)
            elif self._table or event[4] is not None or self._boxes[-1].kind == TERM:
                self._leaf(event)
            else:
                self._write(_block(event), event[0])
        return "".join(self._out)

    def _leaf(self, leaf: Leaf) -> None:
        mark, kind = leaf[4], self._boxes[-1].kind
        comment = f"<!-- boilerplate {mark.score:.2f} -->" if mark and not mark.kept else ""
        if kind == CAPTION and self._cells:
            self._end_table()  # a caption in the midst of its table parts it
        if self._table and kind != CAPTION:
            self._cells.setdefault(self._cell(), []).append(
                f"{comment} {_in_cell(leaf)}" if comment else _in_cell(leaf)
            )
        elif kind == TERM:
            self._term(_in_cell(leaf), f"{comment}\n" * bool(comment))
        else:
            self._write(f"{comment}\n{_block(leaf)}" if comment else _block(leaf), leaf[0])

    def _term(self, text: str, comment: str) -> None:
        if self._ended == TERM:  # two terms with one meaning
            self._out.append(f"<br>{text}")
        else:
            self._write(comment + escape.line(text), PARAGRAPH)

    def _write(self, text: str, form: int) -> None:
        out, indent = self._out, self._indents[-1]
        if out:
            out.append("\n" if self._tight else f"\n{self._shared.rstrip()}\n" if self._shared else "\n\n")
        if indent and "\n" in text:
            lines = text.split("\n")
            text = "\n".join([lines[0], *(indent + line if line else indent.rstrip() for line in lines[1:])])
        out.append(self._lead + text)
        self._lead = self._shared = indent
        self._tight, self._last, self._ended = False, form, ROOT

    def _signs_of(self, box: Box) -> tuple[str, str]:
        """Return what the first line of a box begins with, and the lines after it."""
        if self._table:
            return "", ""
        kind = box.kind
        if kind == ITEM:
            return self._item(box)
        if kind == LIST:
            self._begin_list(box)
        elif kind == QUOTE:
            return "> ", "> "
        elif kind == MEANING and self._ended in (TERM, MEANING):
            self._tight = self._ended == TERM or self._last == BARE
            return ": ", "  "
        elif kind == NOTE:
            return f"[^{box.label}]: ", "    "
        elif kind == TABLE:
            self._table = box
        return "", ""

    def _begin_list(self, box: Box) -> None:
        signs = ("-", "*") if box.number is None else (".", ")")
        # Two lists in a row would be read as one, so the second has the other sign.
        self._signs.append(signs[self._ended == LIST and self._old_sign == signs[0]])
        self._numbers.append(box.number or 0)
        # Below the text of its item a list needs no blank line, unless a number other than 1 would be read as text.
        below_text = self._boxes[-1].kind == ITEM and self._last == BARE and self._ended == ROOT
        self._tight = below_text and not self._lead_waits() and box.number in (None, 1)

    def _item(self, box: Box) -> tuple[str, str]:
        sign, number = self._signs[-1], self._numbers[-1] if box.number is None else box.number
        bullet = f"{sign} "
        if sign not in "-*":
            assert box.parent
            bullet = f"{number}{sign} "
            self._numbers[-1] = min(max(number + box.parent.step, 0), MOST)
        self._tight = self._tight or (self._ended == ITEM and self._last == BARE)
        return bullet, " " * len(bullet)

    def _lead_waits(self) -> bool:
        """Tell whether signs have been begun that no text stands behind yet."""
        return self._lead != self._indents[-1]

    def _close(self, box: Close) -> None:
        self._boxes.pop()
        indent = self._indents.pop()
        if box.kind == TABLE:
            self._end_table()
            self._table = None
        if self._table is None:
            self._lead = self._shared = self._indents[-1]
            # After a meaning that lacked its term, the next one lacks it too.
            self._ended = box.kind if box.kind != MEANING or indent != self._lead else ROOT
            if box.kind == LIST:
                self._numbers.pop()
                self._old_sign = self._signs.pop()

    def _cell(self) -> int:
        return next(box.element for box in reversed(self._boxes) if box.kind == CELL)

    def _end_table(self) -> None:
        assert self._table
        cells, self._cells = self._cells, {}
        if cells:
            rows = grid(self._table.cells, cells)
            self._write(table(rows, {cell: "<br>".join(parts) for cell, parts in cells.items()}), PARAGRAPH)


def _block(leaf: Leaf) -> str:
    """Return a leaf as lines of its own."""
    form, content, level, language, _ = leaf
    if form == CODE:
        assert isinstance(content, str)
        return escape.fenced(content, language)
    text = escape.text(content) if isinstance(content, str) else inline(content)
    if form <= PARAGRAPH:
        if text[0] not in escape.LINE_BEGINS and "\n" not in text:  # as most
            return text
        return "\\\n".join(map(escape.line, text.split("\n"))) if "\n" in text else escape.line(text)
    if form == DISPLAY:
        return f"$$\n{text.strip('$')}\n$$"
    text = text.replace("\n", " ")
    # A heading may end in signs like those that it begins with, which then are not shown.
    return f"{'#' * level} {text[:-1]}\\#" if text.endswith("#") else f"{'#' * level} {text}"


def _in_cell(leaf: Leaf) -> str:
    """Return a leaf as a part of a line."""
    form, content, *_ = leaf
    if form == CODE:
        assert isinstance(content, str)
        return "<br>".join(escape.code(line.strip()) for line in content.split("\n") if line.strip())
    return inline(content).replace("\n", "<br>")
