"""Tagged: an outline as elements. html and tei each say which elements, and share how they are put together."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import ClassVar, Final

from dehusk.outline.grid import Slot, grid
from dehusk.outline.parts import (
    CAPTION,
    CELL,
    GLOSSARY,
    PARAGRAPH,
    ROOT,
    TABLE,
    Box,
    Close,
    Event,
    Formula,
    Image,
    Inline,
    Leaf,
    NoteSign,
    Run,
)
from dehusk.tables import Cell

# Control characters, and characters that are none: neither HTML nor XML lets a document hold them.
FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
NOTHING: Final[Run] = ("", "", 0, "")
Tags = tuple[str, str]


def escaped(text: str) -> str:
    """Return text as it stands between tags.

    >>> escaped("AT&T <3")
    'AT&amp;T &lt;3'
    """
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    # What is forbidden is unprintable, as is little else, so most text is seen to be clean without a search.
    return text if text.isprintable() else FORBIDDEN.sub("\ufffd", text)


def quoted(text: str) -> str:
    """Return text as the value of an attribute, in quotation marks.

    >>> quoted('a "b"')
    '"a &quot;b&quot;"'
    """
    return f'"{escaped(text).replace(chr(34), "&quot;")}"'


class Tagged(ABC):
    """Writes the events of an outline one after the other."""

    BREAK: ClassVar[str]  # a line end inside a leaf
    MARKS: ClassVar[tuple[tuple[int, str, str], ...]]  # with their tags, the outermost first

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.boxes: list[int] = []  # that are open
        self._outs: list[list[str]] = [[]]  # what is being written: the document, a cell in it, a cell in that
        self._ends: list[str] = []  # of the boxes that are open
        self._last: list[int] = [ROOT]  # the last box in each box that is open
        self._tables: list[_Table] = []

    @abstractmethod
    def leaf(self, leaf: Leaf) -> str:
        """Return a leaf with its tags."""

    @abstractmethod
    def tags(self, box: Box, index: int, before: int) -> Tags:
        """Return the tags of the box that event `index` opens; `before` is the box before it in the same box."""

    @abstractmethod
    def missing(self, last: int) -> str:
        """Return what a list of terms and meanings lacks after its last box."""

    @abstractmethod
    def table(self, caption: str, rows: list[list[Slot]], cells: dict[int, str]) -> str:
        """Return a table."""

    @abstractmethod
    def linked(self, address: str) -> Tags:
        """Return the tags of a link."""

    @abstractmethod
    def thing(self, content: Image | Formula | NoteSign) -> str:
        """Return what is no text."""

    def written(self) -> str:
        """Return the events as elements."""
        for index, event in enumerate(self.events):
            if isinstance(event, Box):
                self._open(event, index)
            elif isinstance(event, Close):
                self._close(event)
            else:
                form, inline, _, _, mark = event
                # What most leaves are: text with nothing to it.
                if form <= PARAGRAPH and mark is None and isinstance(inline, str) and "\n" not in inline:
                    text = escaped(inline)
                    self._outs[-1].append(f"<p>{text}</p>\n" if form == PARAGRAPH else text)
                else:
                    self._outs[-1].append(self.leaf(event))
        return "".join(self._outs[0])

    def _open(self, box: Box, index: int) -> None:
        before, self._last[-1] = self._last[-1], box.kind
        self._last.append(ROOT)
        self.boxes.append(box.kind)
        start, end = "", ""
        if box.kind == TABLE:
            self._tables.append(_Table(box.cells))
        elif box.kind in (CELL, CAPTION):
            if box.kind == CAPTION and self._tables[-1].texts:
                self._end_table()  # a caption in the midst of its table parts it
            self._tables[-1].cell = box.element
            self._outs.append([])
        else:
            start, end = self.tags(box, index, before)
        self._outs[-1].append(start)
        self._ends.append(end)

    def _close(self, box: Close) -> None:
        last = self._last.pop()
        self.boxes.pop()
        if box.kind == GLOSSARY:
            self._outs[-1].append(self.missing(last))
        self._outs[-1].append(self._ends.pop())
        if box.kind == CELL:
            self._tables[-1].texts[self._tables[-1].cell] = "".join(self._outs.pop())
        elif box.kind == CAPTION:
            self._tables[-1].caption = "".join(self._outs.pop())
        elif box.kind == TABLE:
            self._end_table()
            self._tables.pop()

    def _end_table(self) -> None:
        table = self._tables[-1]
        if table.texts or table.caption:
            self._outs[-1].append(self.table(table.caption, grid(table.cells, table.texts), table.texts))
        table.texts, table.caption = {}, ""

    def inline(self, content: Inline) -> str:
        """Return text with the tags of its marks and links."""
        if isinstance(content, str):
            return escaped(content).replace("\n", self.BREAK) if "\n" in content else escaped(content)
        out: list[str] = []
        marks, link, end = 0, "", ""
        for parted, words, new_marks, new_link in [*content, NOTHING]:
            gap = self.BREAK if parted == "\n" else parted
            if new_link != link:
                out += (_change(self.MARKS, marks, 0)[0], end, gap)
                start, end = self.linked(new_link) if new_link else ("", "")
                out += (start, _change(self.MARKS, 0, new_marks)[1])
            elif new_marks != marks:
                closing, opening = _change(self.MARKS, marks, new_marks)
                out += (closing, gap, opening)
            else:
                out.append(gap)
            marks, link = new_marks, new_link
            out.append(escaped(words).replace("\n", self.BREAK) if isinstance(words, str) else self.thing(words))
        return "".join(out)


class _Table:
    """A table that is open: the texts of its cells so far."""

    __slots__ = ("caption", "cell", "cells", "texts")

    def __init__(self, cells: list[Cell]) -> None:
        self.cells, self.cell, self.caption = cells, 0, ""
        self.texts: dict[int, str] = {}


@cache
def _change(marks: tuple[tuple[int, str, str], ...], old: int, new: int) -> Tags:
    """Return the tags that end some marks and begin others; what is inside of one that ends has to end with it."""
    outer = next((place for place, (mark, _, _) in enumerate(marks) if (old ^ new) & mark), len(marks))
    closing = [end for mark, _, end in marks[outer:] if old & mark]
    return "".join(reversed(closing)), "".join(start for mark, start, _ in marks[outer:] if new & mark)
