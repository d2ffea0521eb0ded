"""Tagged: an outline as elements. html and tei each say which elements, and share how they are put together."""

from abc import abstractmethod
from typing import ClassVar

from dehusk.formats.fast_markup import Writer, escaped
from dehusk.html_tables import Cell
from dehusk.outline.grid import Slot, grid
from dehusk.outline.parts import CELL, Box, Event

__all__ = ["Tagged", "Tags", "escaped", "quoted"]

Tags = tuple[str, str]


def quoted(text: str) -> str:
    """Return text as the value of an attribute, in quotation marks.

    >>> quoted('a "b"'), escaped("AT&T <3")
    ('"a &quot;b&quot;"', 'AT&amp;T &lt;3')
    """
    return f'"{escaped(text).replace(chr(34), "&quot;")}"'


class Tagged(Writer):
    """Writes the events of an outline one after the other."""

    BREAK: ClassVar[str]  # a line end inside a leaf
    MARKS: ClassVar[tuple[tuple[int, str, str], ...]]  # with their tags, the outermost first
    PLAIN: ClassVar[dict[int, Tags]]  # boxes that have the same tags wherever they stand, unless they count
    ROW: ClassVar[str]  # the names of a table's elements
    CAPTION: ClassVar[str]
    CHANGES: ClassVar[dict[int, Tags]]  # what was found to stand between marks: the same for all pages
    # Where headings outside of boxes begin a division: the end of one, its start with that of the heading, its end.
    DIVISIONS: ClassVar[tuple[str, str, str] | None] = None

    def __init__(self, events: list[Event]) -> None:
        super().__init__(events, self.BREAK, self.PLAIN, self.CHANGES, self.DIVISIONS)
        self._tables: list[_Table] = []

    @abstractmethod
    def cell(self, slot: Slot, text: str) -> str:
        """Return a cell."""

    def changed(self, old: int, new: int) -> Tags:
        """Return the tags between marks; what is inside of one that ends has to end with it."""
        marks = self.MARKS
        outer = next((place for place, (mark, _, _) in enumerate(marks) if (old ^ new) & mark), len(marks))
        closing = [end for mark, _, end in marks[outer:] if old & mark]
        return "".join(reversed(closing)), "".join(start for mark, start, _ in marks[outer:] if new & mark)

    def begin_table(self, box: Box) -> None:
        """Take note of a table that opens."""
        self._tables.append(_Table(box.cells))

    def begin_cell(self, box: Box) -> None:
        """Take note of a cell or a caption that opens."""
        if box.kind != CELL and self._tables[-1].texts:
            self._write_table()  # a caption in the midst of its table parts it
        self._tables[-1].cell = box.element

    def end_cell(self, kind: int, text: str) -> None:
        """Take note of what stands in the cell or caption that ends."""
        if kind == CELL:
            self._tables[-1].texts[self._tables[-1].cell] = text
        else:
            self._tables[-1].caption = text

    def end_table(self) -> None:
        """Write the table that ends."""
        self._write_table()
        self._tables.pop()

    def _write_table(self) -> None:
        table = self._tables[-1]
        if table.texts or table.caption:
            self.out.append(self._table(table))
        table.texts, table.caption = {}, ""

    def _table(self, table: "_Table") -> str:
        rows = grid(table.cells, table.texts)
        if not rows:
            return f"<p>{table.caption}</p>\n"
        lines = ["".join(self.cell(slot, table.texts.get(slot.element, "")) for slot in row) for row in rows]
        body = "".join(f"<{self.ROW}>{line}</{self.ROW}>\n" for line in lines)
        head = f"<{self.CAPTION}>{table.caption}</{self.CAPTION}>\n" if table.caption else ""
        return f"<table>\n{head}{body}</table>\n"


class _Table:
    """A table that is open: the texts of its cells so far."""

    __slots__ = ("caption", "cell", "cells", "texts")

    def __init__(self, cells: list[Cell]) -> None:
        self.cells, self.cell, self.caption = cells, 0, ""
        self.texts: dict[int, str] = {}
