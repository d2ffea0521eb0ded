"""Boxes: what the elements above a text make of it: the boxes round it, its form, its marks, its link."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from dehusk.html_tables import DataTables
from dehusk.outline.fast_outline import Place, Places
from dehusk.outline.parts import (
    BARE,
    CAPTION,
    CELL,
    CODE,
    DELETED,
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
    Box,
    Formula,
    Look,
    NoteSign,
)
from dehusk.page import Elements, Page
from dehusk.page.address import Addresses

BOXES: Final[dict[str, int]] = {
    "blockquote": QUOTE,
    **dict.fromkeys(("ul", "ol", "menu", "dir"), LIST),
    "li": ITEM,
    "dl": GLOSSARY,
    "dt": TERM,
    "dd": MEANING,
    "table": TABLE,
    "caption": CAPTION,
    **dict.fromkeys(("td", "th"), CELL),
    "figure": FIGURE,
    "figcaption": LEGEND,
}
FORMS: Final[dict[str, int]] = {
    "p": PARAGRAPH,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), HEADING),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext", "textarea"), CODE),
}
MARKS: Final[dict[str, int]] = {
    **dict.fromkeys(("b", "strong"), STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), EMPHASIS),
    **dict.fromkeys(("del", "s", "strike"), DELETED),
    "sup": RAISED,
    "sub": LOWERED,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), VERBATIM),
}
# Twelve lists in each other. Beyond that a box is not drawn: in Markdown each line would begin with all of its marks.
DEEPEST: Final = 24 - 4  # 4: boxes that the page left out come on top
NUMBER: Final = re.compile(r"\s*\+?(\d{1,9})(?!\d)", re.ASCII)  # Markdown has no longer ones
LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|brush:\s{0,9})([A-Za-z0-9+#.-]{1,30})(?=[\s;]|$)"
)
NO_LANGUAGE: Final = frozenset({"default", "none", "plain", "plaintext", "text", "txt", "nohighlight"})


class Boxes(Places):
    """The places of a page's elements; each element is looked at once, when it is first asked for.

    >>> page = Page.from_html("<ul><li>One <b>two")
    >>> place = Boxes(page, Look(), DataTables(page.elements)).at(len(page.elements) - 1)
    >>> place.box.kind == ITEM, place.box.depth, place.marks == STRONG
    (True, 2, True)
    """

    def __init__(self, page: Page, look: Look, tables: DataTables) -> None:
        super().__init__(page.elements.tag, page.elements.parents, _telling(look), BOXES, FORMS, MARKS, DEEPEST)
        self._elements, self._tables = page.elements, tables
        self._addresses = Addresses(page) if look.links else None
        self._implied: dict[tuple[Box, int, int], Box] = {}
        self._instead: dict[int, Formula | NoteSign] = {}
        self._notes: dict[int, str] = {}

    def replace(self, instead: Mapping[int, Formula | NoteSign], notes: Mapping[int, str] | None = None) -> None:
        """Take note of what stands for the text of which elements, and of the labels of those that are footnotes."""
        self._instead.update(instead)
        self._notes.update(notes or {})
        self.special |= self._instead.keys() | self._notes.keys()

    def round_text(self, box: Box) -> Box:
        """Return the box for text that stands directly in `box`: a list holds items only, a table cells only."""
        return self._fitting(box, ROOT, -1)

    def special_place(self, place: Place, index: int, tag: str) -> Place:
        """Return the place in an element that something stands for, or that is a note."""
        if index in self._instead:
            new = Place(place.box, place.form, place.level, place.marks, place.link)
            new.instead = self._instead[index]
            return new
        note = Box(NOTE, self.root)
        note.label = self._notes[index]
        return Place(note, PARAGRAPH if tag == "p" else BARE, 0, place.marks, place.link)

    def address(self, index: int) -> str:
        """Return where a link leads; what points into the page points at something that need not be there any more."""
        assert self._addresses
        address = attribute(self._elements, index, "href")
        return "" if address is None or address.lstrip().startswith("#") else self._addresses.absolute(address) or ""

    def boxed(self, place: Place, kind: int, index: int, tag: str) -> Place:
        """Return the place in an element that is a box, if it may be one there."""
        box = place.box
        if box.kind in FLAT:
            return place
        if box.depth > DEEPEST or not self._belongs(box, kind, index):
            return Place(box, BARE, 0, place.marks, place.link)
        if box.kind != LIST or kind != ITEM:  # else it fits, as most do
            box = self._fitting(box, kind, self._elements.parent[index])
        new = Box(kind, box, index)
        if tag == "ol":
            new.number, new.step = _numbering(self._elements, index)
        elif kind == ITEM and box.number is not None:
            new.number = _number(attribute(self._elements, index, "value"))
        elif kind == TABLE:
            new.cells = self._tables.cells(index)
        return Place(new, BARE, 0, place.marks, place.link)

    def _belongs(self, box: Box, kind: int, index: int) -> bool:
        """Tell whether an element is the part of a table or figure that its tag claims, and a table one of data."""
        if kind == TABLE:
            return bool(self._tables.cells(index))
        if kind == LEGEND:
            return box.kind == FIGURE
        return box.kind == TABLE if kind in (CELL, CAPTION) else True

    def _fitting(self, box: Box, kind: int, key: int) -> Box:
        """Return the box that may hold a part of this kind: `box`, or one below it that the page left out."""
        if box.kind == TABLE and kind not in (CELL, CAPTION):
            assert box.parent
            box = box.parent
        if kind == ITEM:
            return box if box.kind == LIST else self._left_out(self._fitting(box, LIST, key), LIST, key)
        if kind in (TERM, MEANING):
            return box if box.kind == GLOSSARY else self._left_out(self._fitting(box, GLOSSARY, key), GLOSSARY, key)
        if box.kind == LIST:
            return self._left_out(box, ITEM, -1)
        return self._left_out(box, MEANING, -1) if box.kind == GLOSSARY else box

    def _left_out(self, parent: Box, kind: int, key: int) -> Box:
        """Return a box that the page left out: the same one for siblings, so that they stay together."""
        found = self._implied.get((parent, kind, key))
        if found is None:
            found = self._implied[parent, kind, key] = Box(kind, parent)
            found.implied = True
        return found


@cache
def _telling(look: Look) -> frozenset[str]:
    marks, links = MARKS if look.formatting else (), ("a",) if look.links else ()
    return frozenset({*BOXES, *FORMS, *marks, *links})


def attribute(elements: Elements, index: int, name: str) -> str | None:
    """Return what an element says under a name; only elements have attributes, and the root is none."""
    value: str | None = getattr(elements.node[index], "attr", _nothing)(name)
    return value


def _nothing(_: str) -> None:
    return None


def _numbering(elements: Elements, index: int) -> tuple[int, int]:
    """Return the first number of a list, and the step from one to the next.

    >>> elements = Page.from_html("<ol reversed><li>a<li>b</ol>").elements
    >>> _numbering(elements, elements.tag.index("ol"))
    (2, -1)
    """
    start = _number(attribute(elements, index, "start"))
    if attribute(elements, index, "reversed") is None:
        return 1 if start is None else start, 1
    if start is None:
        start = sum(getattr(child, "tag", "") == "li" for child in elements.node[index])
    return start, -1


def _number(value: str | None) -> int | None:
    found = NUMBER.match(value) if value else None
    return int(found[1]) if found else None


def language(elements: Elements, index: int) -> str:
    """Return the language of the code in an element by its classes, those of `code` in it or of what stands round it.

    >>> elements = Page.from_html('<pre><code class="hljs language-Rust">fn').elements
    >>> language(elements, elements.tag.index("pre"))
    'rust'
    """
    tags, parents = elements.tag, elements.parent
    below = [index + 1] if index + 1 < len(tags) and parents[index + 1] == index and tags[index + 1] == "code" else []
    above = [parents[index], parents[parents[index]]] if parents[index] > 0 else []
    for place in (index, *below, *above):
        found = LANGUAGE.search((attribute(elements, place, "class") or "")[:500])
        said = found[1] if found else attribute(elements, place, "data-lang") or ""
        if LANGUAGE.search(f"lang-{said}") and said.lower() not in NO_LANGUAGE:
            return said.lower()
    return ""
