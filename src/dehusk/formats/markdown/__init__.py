"""markdown: GitHub's Markdown, with footnotes, definition lists and formulas as other programs write them too.

Headings, nested lists, quotes, tables, fenced code, emphasis; links and images if requested. What Markdown lacks
(superscript, subscript, a line end in a cell) is written as HTML, which Markdown allows. With `every` block, those that
would be dropped have a comment with their score before them. The look may request the metadata, as front matter.
"""

from functools import cached_property
from typing import Final

from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.front_matter import front_matter
from dehusk.formats.markdown import code, escape
from dehusk.formats.markdown.inline import HEADING, PARAGRAPH, TERM, Place, has_code, has_dollars, has_pairs, inline
from dehusk.formats.markdown.table import table
from dehusk.outline import kinds
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import Container, ContainerEnd, LeafBlock
from dehusk.outline.kinds import CODE_BLOCK
from dehusk.outline.nodes import Event
from dehusk.outline.table_grid import cells_up_to, table_grid

SPECIAL: Final = frozenset({kinds.TERM, kinds.FOOTNOTE})  # containers in which text is written differently
EXTENSIONS: Final = (kinds.DEFINITION, kinds.FOOTNOTE)  # that some readers do not know
MAX_NUMBER: Final = 999_999_999  # Markdown allows no more digits, and no number below zero


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write Markdown.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Fish &amp; chips</h1><ul><li>Peel<li>Fry <b>twice</b></ul>", method="alltext")))
    # Fish & chips
    <BLANKLINE>
    - Peel
    - Fry **twice**
    """
    text = MarkdownWriter().write(outline(document, every=every, look=look).events)
    return f"{front_matter(document)}\n{text}" if look.metadata else text


def next_number(number: int, step: int) -> int:
    """Return the number of a list item, given that of the item before it.

    >>> next_number(3, 1), next_number(0, -1), next_number(999_999_999, 1)
    (4, 0, 999999999)
    """
    return min(max(number + step, 0), MAX_NUMBER)


class MarkdownWriter:
    """Writes one leaf block after the other, each line behind the markers of the containers around it."""

    def __init__(self) -> None:
        self._output: list[str] = []
        self._containers: list[Container] = [Container(kinds.ROOT, None)]
        self._indents: list[str] = [""]  # what the lines in each open container begin with
        self._line_start = ""  # what the next line begins with, such as the bullet of an item
        self._shared_indent = ""  # of the innermost container around both the last leaf block and the next
        self._tight = False  # whether the next leaf block follows without a blank line
        self._last_leaf = kinds.PARAGRAPH  # the kind of the last leaf block
        self._ended = kinds.ROOT  # the kind of the container that ended since the last leaf block
        self._delimiters: list[str] = []  # of the open lists: the bullet, or the sign after a number
        self._last_delimiter = ""  # of the list that ended
        self._numbers: list[int] = []
        self._table: Container | None = None
        self._cells: dict[int, list[tuple[LeafBlock, str]]] = {}  # what is in them, with comments
        self._written_cells = 0  # of the open table, or left out
        self._events: list[Event] = []

    def write(self, events: list[Event]) -> str:
        """Return an outline as Markdown, or a part of one in which every container that opens ends."""
        self._events = events
        for event in events:
            if isinstance(event, Container):
                marker, indent = self._open(event)
                self._containers.append(event)
                self._indents.append(self._indents[-1] + indent)
                self._line_start += marker
            elif isinstance(event, ContainerEnd):
                self._close(event.kind)
            elif self._table or event.annotation is not None or self._containers[-1].kind in SPECIAL:
                self._write_leaf(event)
            elif event.kind == CODE_BLOCK:
                self._write_lines(self._code_block(event), event.kind)
            else:
                self._write_lines(_as_lines(event), event.kind)
        return "".join(self._output)

    def _write_leaf(self, leaf: LeafBlock) -> None:
        note, kind = leaf.annotation, self._containers[-1].kind
        comment = f"<!-- boilerplate {note.score:.2f} -->" if note and not note.kept else ""
        if kind == kinds.TABLE_CAPTION and self._cells:
            self._write_table()  # a caption in the middle of its table divides it
        if self._table and kind != kinds.TABLE_CAPTION:
            cell = next(each.element for each in reversed(self._containers) if each.kind == kinds.CELL)
            self._cells.setdefault(cell, []).append((leaf, f"{comment} " * bool(comment)))
        elif kind == kinds.TERM:
            text = _as_line(leaf, TERM)
            if self._ended == kinds.TERM:  # two terms with one definition
                self._output.append(f"<br>{text}")
            else:
                self._write_lines(f"{comment}\n" * bool(comment) + escape.line(text), kinds.PARAGRAPH)
        else:
            lines = self._code_block(leaf) if leaf.kind == CODE_BLOCK else _as_lines(leaf)
            if kind == kinds.FOOTNOTE and leaf.kind != CODE_BLOCK and self._line_start != self._indents[-1]:
                lines = escape.note(lines)
            self._write_lines(f"{comment}\n{lines}" if comment else lines, leaf.kind)

    def _code_block(self, leaf: LeafBlock) -> str:
        words = escape.without_controls(str(leaf.content), "\n")
        if not self._indents[-1]:
            return code.block(words, leaf.language)
        # A reader may miss a fence behind a marker and see the one that ends it, or know no definitions or footnotes;
        # then it takes other code blocks for text.
        has_marker = self._line_start != self._indents[-1]
        is_missed = has_marker or any(each.kind in EXTENSIONS for each in self._containers)
        return code.nested_block(words, leaf.language, fences_work=not (is_missed and self._has_markup))

    @cached_property
    def _has_markup(self) -> bool:
        """Whether there is a code block that must not be taken for text."""
        leaves = (event for event in self._events if isinstance(event, LeafBlock) and event.kind == CODE_BLOCK)
        return any(code.MARKUP.search(str(leaf.content)) for leaf in leaves)

    def _write_lines(self, text: str, kind: int) -> None:
        output, indent, shared = self._output, self._indents[-1], self._shared_indent
        if output:
            output.append("\n" if self._tight else f"\n{shared.rstrip()}\n" if shared else "\n\n")
        if indent and "\n" in text:
            lines = text.split("\n")
            text = "\n".join([lines[0], *(indent + line if line else indent.rstrip() for line in lines[1:])])
        output.append(self._line_start + text)
        self._line_start = self._shared_indent = indent
        self._tight, self._last_leaf, self._ended = False, kind, kinds.ROOT

    def _open(self, container: Container) -> tuple[str, str]:
        """Begin a container; return its marker, for its first line, and its indent, for the other lines."""
        if self._table:
            return "", ""
        kind = container.kind
        if kind == kinds.LIST_ITEM:
            return self._open_item(container)
        if kind == kinds.LIST:
            self._open_list(container)
        elif kind == kinds.QUOTE:
            return "> ", "> "
        elif kind == kinds.DEFINITION and self._ended in (kinds.TERM, kinds.DEFINITION):
            self._tight = self._ended == kinds.TERM or self._last_leaf == kinds.BARE
            self._ended = kinds.ROOT  # a definition that this one begins with has no term
            return ": ", "  "
        elif kind == kinds.FOOTNOTE:
            return f"[^{container.label}]: ", "    "
        elif kind == kinds.TABLE:
            self._table, self._written_cells = container, 0
        return "", ""

    def _open_list(self, container: Container) -> None:
        delimiters = ("-", "*") if container.number is None else (".", ")")
        # Two lists in a row would be read as one, so the second has the other delimiter.
        self._delimiters.append(delimiters[self._ended == kinds.LIST and self._last_delimiter == delimiters[0]])
        self._numbers.append(container.number or 0)
        # Below the text of its item a list needs no blank line, unless a number other than 1 would be read as text.
        below_text = (
            self._containers[-1].kind == kinds.LIST_ITEM and self._last_leaf == kinds.BARE and self._ended == kinds.ROOT
        )
        has_marker = self._line_start != self._indents[-1]  # on the line that the list begins on
        self._tight = below_text and not has_marker and container.number in (None, 1)

    def _open_item(self, item: Container) -> tuple[str, str]:
        delimiter, number = self._delimiters[-1], self._numbers[-1] if item.number is None else item.number
        marker = f"{delimiter} "
        if delimiter not in "-*":
            assert item.parent
            marker = f"{number}{delimiter} "
            self._numbers[-1] = next_number(number, item.parent.step)
        self._tight = self._tight or (self._ended == kinds.LIST_ITEM and self._last_leaf == kinds.BARE)
        return marker, " " * len(marker)

    def _close(self, kind: int) -> None:
        self._containers.pop()
        indent = self._indents.pop()
        if kind == kinds.TABLE:
            self._write_table()
            self._table = None
        if self._table is None:
            self._line_start = self._shared_indent = self._indents[-1]
            # After a definition without a term, the next one has none either.
            self._ended = kind if kind != kinds.DEFINITION or indent != self._line_start else kinds.ROOT
            if kind == kinds.LIST:
                self._numbers.pop()
                self._last_delimiter = self._delimiters.pop()

    def _write_table(self) -> None:
        assert self._table
        cells, self._cells = self._cells, {}
        if cells:
            stop = cells_up_to(self._table.cells, self._written_cells, max(cells))
            rows = table_grid(self._table.cells[self._written_cells : stop], cells)
            self._written_cells = stop
            place = Place(
                in_cell=True,
                has_attributes=True,
                has_pairs=_has_pairs([leaf for parts in cells.values() for leaf, _ in parts]),
            )
            texts = {cell: _as_cell(parts, place) for cell, parts in cells.items()}
            self._write_lines(table(rows, texts), kinds.PARAGRAPH)


def _as_lines(leaf: LeafBlock) -> str:
    """Return a leaf block other than code on lines of its own."""
    kind, content = leaf.kind, leaf.content
    if isinstance(content, str):
        text = escape.text(content, braces=kind == kinds.HEADING)
    else:
        text = inline(content, HEADING if kind == kinds.HEADING else PARAGRAPH)
    if kind <= kinds.PARAGRAPH:
        if text[0] not in escape.LINE_BEGINS and "\n" not in text:  # as most
            return text
        return "\\\n".join(map(escape.line, text.split("\n"))) if "\n" in text else escape.line(text)
    if kind == kinds.DISPLAY_FORMULA:
        return f"$$\n{text[1:-1]}\n$$"
    text = text.replace("\n", " ")
    # A heading may end in number signs, which then are not shown.
    return f"{'#' * leaf.level} {text[:-1]}\\#" if text.endswith("#") else f"{'#' * leaf.level} {text}"


def _has_pairs(leaves: list[LeafBlock]) -> bool:
    """Return whether leaf blocks of one table have code, and text with what some reader may pair with that."""
    if not any(leaf.kind == CODE_BLOCK or has_code(leaf.content) for leaf in leaves):
        return False
    return any(leaf.kind != CODE_BLOCK and has_pairs(leaf.content) for leaf in leaves)


def _as_cell(parts: list[tuple[LeafBlock, str]], place: Place) -> str:
    """Return leaf blocks, each with the comment before it, as one line."""
    # A formula in one of them could close what a price opens in another.
    prices = not any(has_dollars(leaf.content) or leaf.kind == CODE_BLOCK for leaf, _ in parts)
    place = place if prices else place._replace(prices=False)
    return "<br>".join([comment + _as_line(leaf, place) for leaf, comment in parts])


def _as_line(leaf: LeafBlock, place: Place) -> str:
    """Return a leaf block as part of a line."""
    content = leaf.content
    if leaf.kind == CODE_BLOCK:
        assert isinstance(content, str)
        lines = escape.without_controls(content, "\n").split("\n")
        return "<br>".join(
            code.span(line.strip(), in_cell=place.in_cell, strict=place.has_pairs) for line in lines if line.strip()
        )
    return inline(content, place).replace("\n", "<br>")
