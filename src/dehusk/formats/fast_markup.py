"""Tagged: the events of an outline as elements, one after the other; dehusk.formats.markup has what html and tei share.

Compiled by way of tagged.pxd, which gives the names below their C types; as plain Python it writes the same.
"""

import re
from typing import Any

from dehusk.outline.fast_outline import Box, Close
from dehusk.outline.kinds import CAPTION, CELL, GLOSSARY, HEADING, ITEM, PARAGRAPH, ROOT, TABLE

# Control characters, and characters that are none: neither HTML nor XML lets a document hold them.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
NOTHING = ("", "", 0, "")


def escaped(text: str) -> str:
    """Return text as it stands between tags."""
    marks = odd = False
    # One look at each letter: to ask whether all can be printed would take five times as long.
    for letter in text:
        if letter <= ">":
            if letter in "&<>":
                marks = True
            elif letter < " " and letter not in "\t\n\r":
                odd = True
        elif letter >= "\x7f" and (
            letter <= "\x9f" or (letter >= "\ufdd0" and (letter <= "\ufdef" or letter in "\ufffe\uffff"))
        ):
            odd = True
    if marks:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return FORBIDDEN.sub("\ufffd", text) if odd else text


class Writer:
    """Writes events; what an element is called is asked of those who know a format."""

    def __init__(
        self,
        events: list[Any],
        line_end: str,
        plain: dict[int, tuple[str, str]],
        changes: dict[int, tuple[str, str]],
        divisions: tuple[str, str, str] | None,
    ) -> None:
        self.events = events
        self.line_end = line_end  # inside a leaf
        self.plain = plain  # the tags of boxes that have the same wherever they stand, unless they count
        self.changes = changes  # what was found to stand between marks, by both of them
        # Where headings outside of boxes begin a division: the end of one, its start with that of the heading, its end.
        self.divisions = divisions
        self.levels: list[int] = []  # of the headings whose divisions are open
        self.boxes: list[int] = []  # that are open
        self.outs: list[list[str]] = [[]]  # what is being written: the document, a cell in it, a cell in that
        self.out: list[str] = self.outs[0]  # the last of them
        self.ends: list[str] = []  # of the boxes that are open
        self.last: list[int] = [ROOT]  # the last box in each box that is open

    def written(self) -> str:
        """Return the events as elements."""
        for index, event in enumerate(self.events):
            if isinstance(event, Box):
                self.open(event, index)
            elif isinstance(event, Close):
                self.close(event.kind)
            else:
                form = event[0]
                # What most leaves are: text with nothing to it.
                if form <= PARAGRAPH and event[4] is None:
                    content = event[1]
                    text = self.inline(content)
                    if form == PARAGRAPH:
                        self.out.append("<p>")
                        self.out.append(text)
                        self.out.append("</p>\n")
                    else:
                        self.out.append(text)
                elif form == HEADING and self.divisions is not None and not self.boxes and event[4] is None:
                    self.out.append(self.division(event[2]))
                    self.out.append(self.divisions[1])
                    self.out.append(self.inline(event[1]))
                    self.out.append(self.divisions[2])
                else:
                    self.out.append(self.leaf(event))
        return "".join(self.outs[0])

    def division(self, level: int) -> str:
        """Return the ends of the divisions that a heading ends, and take note of its own."""
        closing = 0
        while self.levels and self.levels[len(self.levels) - 1] >= level:
            self.levels.pop()
            closing += 1
        self.levels.append(level)
        return self.divisions[0] * closing if closing and self.divisions is not None else ""

    def open(self, box: Box, index: int) -> None:
        """Begin a box."""
        kind = box.kind
        before = self.last[-1]
        self.last[-1] = kind
        self.last.append(ROOT)
        self.boxes.append(kind)
        if kind in self.plain and box.number is None and not self.is_counted(box):
            tags = self.plain[kind]
        elif kind == TABLE:
            self.begin_table(box)
            tags = ("", "")
        elif kind in (CELL, CAPTION):
            self.begin_cell(box)
            self.out = []
            self.outs.append(self.out)
            tags = ("", "")
        else:
            tags = self.tags(box, index, before)
        self.out.append(tags[0])
        self.ends.append(tags[1])

    def is_counted(self, box: Box) -> bool:
        """Tell whether a box is an item of a list with numbers."""
        return box.kind == ITEM and box.parent is not None and box.parent.number is not None

    def close(self, kind: int) -> None:
        """End a box."""
        last = self.last.pop()
        self.boxes.pop()
        if kind == GLOSSARY:
            self.out.append(self.missing(last))
        self.out.append(self.ends.pop())
        if kind in (CELL, CAPTION):
            text = "".join(self.outs.pop())
            self.out = self.outs[-1]
            self.end_cell(kind, text)
        elif kind == TABLE:
            self.end_table()

    def inline(self, content: Any) -> str:
        """Return text with the tags of its marks and links."""
        if isinstance(content, str):
            text = escaped(content)
            return text.replace("\n", self.line_end) if "\n" in text else text
        out: list[str] = []
        marks, link, end = 0, "", ""
        for parted, words, new_marks, new_link in [*content, NOTHING]:
            gap = self.line_end if parted == "\n" else parted
            if new_link != link:
                out.append(self.change(marks, 0)[0])
                out.append(end)
                out.append(gap)
                start, end = self.linked(new_link) if new_link else ("", "")
                out.append(start)
                out.append(self.change(0, new_marks)[1])
            elif new_marks != marks:
                closing, opening = self.change(marks, new_marks)
                out.append(closing)
                out.append(gap)
                out.append(opening)
            else:
                out.append(gap)
            marks, link = new_marks, new_link
            if isinstance(words, str):
                text = escaped(words)
                out.append(text.replace("\n", self.line_end) if "\n" in text else text)
            else:
                out.append(self.thing(words))
        return "".join(out)

    def leaf(self, leaf: Any) -> str:
        """Return a leaf with its tags."""
        raise NotImplementedError

    def tags(self, box: Box, index: int, before: int) -> tuple[str, str]:
        """Return the tags of the box that event `index` opens; `before` is the box before it in the same box."""
        raise NotImplementedError

    def missing(self, last: int) -> str:
        """Return what a list of terms and meanings lacks after its last box."""
        raise NotImplementedError

    def linked(self, address: str) -> tuple[str, str]:
        """Return the tags of a link."""
        raise NotImplementedError

    def thing(self, content: Any) -> str:
        """Return what is no text."""
        raise NotImplementedError

    def change(self, old: int, new: int) -> tuple[str, str]:
        """Return the tags that end some marks and begin others, worked out once."""
        key = old << 6 | new
        if key not in self.changes:
            self.changes[key] = self.changed(old, new)
        return self.changes[key]

    def changed(self, old: int, new: int) -> tuple[str, str]:
        """Return the tags that end some marks and begin others."""
        raise NotImplementedError

    def begin_table(self, box: Box) -> None:
        """Take note of a table that opens."""
        raise NotImplementedError

    def begin_cell(self, box: Box) -> None:
        """Take note of a cell or a caption that opens."""
        raise NotImplementedError

    def end_cell(self, kind: int, text: str) -> None:
        """Take note of what stands in the cell or caption that ends."""
        raise NotImplementedError

    def end_table(self) -> None:
        """Write the table that ends."""
        raise NotImplementedError
