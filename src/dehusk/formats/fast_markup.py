"""Outlines written with tags: the loop that `html` and `tei` share, and the `MarkupVocabulary` that each fills in.

Compiled with the C types in fast_markup.pxd; as plain Python it does the same.
"""

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from dehusk.outline.fast_nodes import Container, InlineRun, LeafBlock
from dehusk.outline.kinds import (
    CELL,
    CODE_BLOCK,
    DEFINITION_LIST,
    LIST_ITEM,
    PARAGRAPH,
    ROOT,
    TABLE,
    TABLE_CAPTION,
    TERM,
)
from dehusk.outline.nodes import Event, InlineObject
from dehusk.outline.table_grid import GridCell, cells_up_to, table_grid

Tags = tuple[str, str]
# Control characters and noncharacters, which neither HTML nor XML allows.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
END = InlineRun("", "")


def escaped(text: str) -> str:
    """Return text as it is written between tags."""
    has_markup = has_forbidden = False
    # One look at each letter: `str.isprintable` would take five times as long.
    for letter in text:
        if letter <= ">":
            if letter in "&<>":
                has_markup = True
            elif letter < " " and letter not in "\t\n\r":
                has_forbidden = True
        elif letter >= "\x7f" and (
            letter <= "\x9f" or (letter >= "\ufdd0" and (letter <= "\ufdef" or letter in "\ufffe\uffff"))
        ):
            has_forbidden = True
    if has_markup:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return FORBIDDEN.sub("\ufffd", text) if has_forbidden else text


def quoted(text: str) -> str:
    """Return text as the value of an attribute, in quotation marks.

    >>> quoted('a "b"'), escaped("AT&T <3")
    ('"a &quot;b&quot;"', 'AT&amp;T &lt;3')
    """
    return '"' + escaped(text).replace('"', "&quot;") + '"'


def may_be_markdown(text: str) -> bool:
    """Return whether a text has control characters, or any that Markdown may read as markup anywhere in a line."""
    for letter in text:
        if letter == " " or "a" <= letter <= "z":  # as most
            continue
        if letter in "\\`*_[]<&~${" or is_control(letter):
            return True
    return False


def has_controls(text: str) -> bool:
    r"""Return whether a text has characters that are line ends to some program, or that `FORBIDDEN` has.

    >>> has_controls("a\tb\n"), has_controls("a\rb"), has_controls("a\u2028b")
    (False, True, True)
    """
    for letter in text:  # noqa: SIM110  (a generator would not compile to a loop)
        if is_control(letter):
            return True
    return False


def is_control(letter: str) -> bool:
    """Return whether a character is one that `has_controls` looks for."""
    if letter < "\x7f":
        return letter < " " and letter not in "\t\n"
    if letter <= "\x9f" or letter in "\u2028\u2029":
        return True
    return letter >= "\ufdd0" and (letter <= "\ufdef" or letter in "\ufffe\uffff")


class StyleTags:
    """The tags of text styles.

    >>> StyleTags({1: ("<b>", "</b>"), 2: ("<i>", "</i>")}).change(3, 2)
    ('</i></b>', '<i>')
    """

    def __init__(self, tags: dict[int, Tags]) -> None:
        self.tags = tags  # the outermost style first
        self.changes: dict[int, Tags] = {}

    def change(self, old: int, new: int) -> Tags:
        """Return the tags that end the old styles and those that begin the new ones."""
        key = old << 6 | new
        if key not in self.changes:
            styles = list(self.tags)
            # Whatever is inside a style that ends has to end with it.
            while styles and not (old ^ new) & styles[0]:
                del styles[0]
            ends = [self.tags[style][1] for style in reversed(styles) if old & style]
            starts = [self.tags[style][0] for style in styles if new & style]
            self.changes[key] = ("".join(ends), "".join(starts))
        return self.changes[key]


class MarkupVocabulary(ABC):
    """The elements of one markup language; an instance serves one document."""

    LINE_BREAK: ClassVar[str]  # a line end inside a leaf block
    STYLES: ClassVar[StyleTags]
    # The tags of containers for which they are always the same; except lists with numbers, and their items.
    CONTAINERS: ClassVar[dict[int, Tags]]
    EMPTY_DEFINITION: ClassVar[str]  # after a term that lacks its definition
    TABLE_ROW: ClassVar[str]  # the names of elements
    TABLE_CAPTION: ClassVar[str]

    @abstractmethod
    def leaf_block(self, leaf: LeafBlock, text: str, in_container: bool) -> str:
        """Return a leaf block with its tags, given its content."""

    @abstractmethod
    def container_tags(self, container: Container, index: int, previous: int) -> Tags:
        """Return the tags of a container that `CONTAINERS` does not have.

        It is opened by event `index`; `previous` is the kind of the container before it in the same one.
        """

    @abstractmethod
    def cell(self, cell: GridCell, text: str) -> str:
        """Return a table cell with its tags."""

    @abstractmethod
    def link_tags(self, address: str) -> Tags:
        """Return the tags of a link."""

    @abstractmethod
    def inline_object(self, content: InlineObject) -> str:
        """Return an image, formula or footnote reference."""


class OpenTable:
    """A table that is being written: the texts of its cells so far."""

    def __init__(self, cells: list[Any]) -> None:
        self.cells = cells
        self.written = 0  # how many of the cells have been written, or left out
        self.cell = 0  # the element of the last cell
        self.caption = ""
        self.texts: dict[int, str] = {}


class MarkupWriter:
    """Writes the events of an outline with the elements of a vocabulary."""

    def __init__(self, events: list[Event], vocabulary: MarkupVocabulary) -> None:
        self.events = events
        self.vocabulary = vocabulary
        self.line_break = vocabulary.LINE_BREAK
        self.container_tags = vocabulary.CONTAINERS
        self.styles = vocabulary.STYLES
        self.outputs: list[list[str]] = [[]]  # what is being written: the document, a cell in it, a cell in that
        self.output: list[str] = self.outputs[0]  # the last of them
        self.end_tags: list[str] = []  # of the open containers
        self.previous: list[int] = [ROOT]  # the last container in each open container
        self.tables: list[OpenTable] = []

    def write(self) -> str:
        """Return the events as markup."""
        for index, event in enumerate(self.events):
            if isinstance(event, LeafBlock):
                self.leaf_block(event)
            elif isinstance(event, Container):
                self.open(event, index)
            else:
                self.close(event.kind)
        return "".join(self.outputs[0])

    def leaf_block(self, leaf: LeafBlock) -> None:
        """Write a leaf block."""
        text = escaped(str(leaf.content)) if leaf.kind == CODE_BLOCK else self.inline(leaf.content)
        # As most are: text without anything to it.
        if leaf.kind <= PARAGRAPH and leaf.annotation is None:
            if leaf.kind == PARAGRAPH:
                self.output.append("<p>")
                self.output.append(text)
                self.output.append("</p>\n")
            else:
                self.output.append(text)
        else:
            self.output.append(self.vocabulary.leaf_block(leaf, text, bool(self.end_tags)))

    def open(self, container: Container, index: int) -> None:
        """Begin a container."""
        kind = container.kind
        previous = self.previous[-1]
        self.previous[-1] = kind
        self.previous.append(ROOT)
        parent = container.parent if kind == LIST_ITEM else None
        is_numbered = container.number is not None or (parent is not None and parent.number is not None)
        if kind in self.container_tags and not is_numbered:
            tags = self.container_tags[kind]
        elif kind == TABLE:
            self.tables.append(OpenTable(container.cells))
            tags = ("", "")
        elif kind in (CELL, TABLE_CAPTION):
            self.open_cell(container)
            tags = ("", "")
        else:
            tags = self.vocabulary.container_tags(container, index, previous)
        self.output.append(tags[0])
        self.end_tags.append(tags[1])

    def close(self, kind: int) -> None:
        """End the innermost container."""
        last = self.previous.pop()
        if kind == DEFINITION_LIST and last == TERM:
            self.output.append(self.vocabulary.EMPTY_DEFINITION)
        self.output.append(self.end_tags.pop())
        if kind in (CELL, TABLE_CAPTION):
            self.close_cell(kind)
        elif kind == TABLE:
            self.write_table()
            self.tables.pop()

    def open_cell(self, container: Container) -> None:
        """Begin a cell or a caption of a table, whose text is kept until the table ends."""
        table = self.tables[-1]
        if container.kind == TABLE_CAPTION and (table.texts or table.caption):
            self.write_table()  # a caption in the middle of its table divides it
        if container.kind == CELL:
            table.cell = container.element
        self.output = []
        self.outputs.append(self.output)

    def close_cell(self, kind: int) -> None:
        """End a cell or a caption of a table."""
        table = self.tables[-1]
        text = "".join(self.outputs.pop())
        self.output = self.outputs[-1]
        if kind == CELL:
            # A formula in a script may come after what is in the next cell.
            table.texts[table.cell] = table.texts.get(table.cell, "") + text
        else:
            table.caption = text

    def write_table(self) -> None:
        """Write what there is of the innermost table."""
        table = self.tables[-1]
        stop = cells_up_to(table.cells, table.written, max(table.texts, default=0))
        rows = table_grid(table.cells[table.written : stop], table.texts)
        table.written = stop
        if not rows and (table.texts or table.caption):
            self.output.append(f"<p>{table.caption}</p>\n")
        elif rows:
            row_name, caption_name = self.vocabulary.TABLE_ROW, self.vocabulary.TABLE_CAPTION
            caption = f"<{caption_name}>{table.caption}</{caption_name}>\n" if table.caption else ""
            self.output.append("<table>\n" + caption)
            for row in rows:
                cells = [self.vocabulary.cell(cell, table.texts.get(cell.element, "")) for cell in row]
                self.output.append(f"<{row_name}>{''.join(cells)}</{row_name}>\n")
            self.output.append("</table>\n")
        table.texts, table.caption = {}, ""

    def inline(self, content: Any) -> str:
        """Return content with the tags of its styles and links."""
        if isinstance(content, str):
            return self.line_broken(escaped(content))
        output: list[str] = []
        style, link, link_end = 0, "", ""
        for run in [*content, END]:
            gap = self.line_break if run.gap == "\n" else run.gap
            if run.link != link:
                output.append(self.styles.change(style, 0)[0])
                output.append(link_end)
                output.append(gap)
                start, link_end = self.vocabulary.link_tags(run.link) if run.link else ("", "")
                output.append(start)
                output.append(self.styles.change(0, run.style)[1])
            elif run.style != style:
                ends, starts = self.styles.change(style, run.style)
                output.append(ends)
                output.append(gap)
                output.append(starts)
            else:
                output.append(gap)
            style, link = run.style, run.link
            if isinstance(run.content, str):
                output.append(self.line_broken(escaped(run.content)))
            else:
                output.append(self.vocabulary.inline_object(run.content))
        return "".join(output)

    def line_broken(self, text: str) -> str:
        """Return text with the markup of line breaks."""
        return text.replace("\n", self.line_break) if "\n" in text else text
