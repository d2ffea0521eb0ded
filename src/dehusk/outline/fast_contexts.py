"""The contexts of a page's elements: the containers around a text, its kind of leaf block, its style, its link.

Compiled with the C types in fast_contexts.pxd; as plain Python it does the same.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from dehusk.html_tables import DataTables
from dehusk.outline.attributes import attribute, leading_number, numbering
from dehusk.outline.fast_nodes import Container
from dehusk.outline.kinds import (
    BARE,
    CELL,
    CODE,
    CODE_BLOCK,
    DEFINITION,
    DEFINITION_LIST,
    DELETED,
    EMPHASIS,
    FIGURE,
    FIGURE_CAPTION,
    FOOTNOTE,
    HEADING,
    INLINE_ONLY,
    LIST,
    LIST_ITEM,
    PARAGRAPH,
    QUOTE,
    ROOT,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    TABLE,
    TABLE_CAPTION,
    TERM,
)
from dehusk.outline.nodes import FootnoteReference, Formula, Look
from dehusk.page import Page
from dehusk.page.address import Addresses
from dehusk.page.walk_flags import BLOCK, ROLES

CONTAINERS: dict[str, int] = {
    "blockquote": QUOTE,
    **dict.fromkeys(("ul", "ol", "menu", "dir"), LIST),
    "li": LIST_ITEM,
    "dl": DEFINITION_LIST,
    "dt": TERM,
    "dd": DEFINITION,
    "table": TABLE,
    "caption": TABLE_CAPTION,
    **dict.fromkeys(("td", "th"), CELL),
    "figure": FIGURE,
    "figcaption": FIGURE_CAPTION,
}
LEAF_BLOCKS: dict[str, int] = {
    "p": PARAGRAPH,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), HEADING),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext", "textarea"), CODE_BLOCK),
}
STYLES: dict[str, int] = {
    **dict.fromkeys(("b", "strong"), STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), EMPHASIS),
    **dict.fromkeys(("del", "s", "strike"), DELETED),
    "sup": SUPERSCRIPT,
    "sub": SUBSCRIPT,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), CODE),
}
# Containers in each other, less 4 for implied ones: twelve nested lists. Deeper ones are left out, since every line of
# Markdown begins with the markers of all containers around it.
MAX_DEPTH = 24 - 4


class TextContext:
    """What an element passes on to the text in it."""

    def __init__(self, container: Container, kind: int = BARE, level: int = 0, style: int = 0, link: str = "") -> None:
        self.container = container
        self.kind = kind  # of the leaf block
        self.level = level  # of the heading
        self.style = style
        self.link = link
        self.code_element = 0  # the element whose white space is kept
        self.replacement: Any = None  # what is written instead of the text
        # The contexts of elements directly in this one, by tag, where all elements with a tag have the same.
        self.by_tag: dict[str, TextContext] | None = None


class TextContexts:
    """The contexts of a page's elements; that of each element is worked out once, on first use.

    >>> page = Page.from_html("<ul><li>One <b>two")
    >>> context = TextContexts(page, Look(), DataTables(page.elements)).at(len(page.elements) - 1)
    >>> context.container.kind == LIST_ITEM, context.container.depth, context.style == STRONG
    (True, 2, True)
    """

    def __init__(self, page: Page, look: Look, tables: DataTables) -> None:
        self.tags = page.elements.tag
        self.parents = page.elements.parents
        self.relevant_tags = _relevant_tags(look)
        self.special: set[int] = set()  # elements with a replacement, and footnotes
        self.root = Container(ROOT, None)
        self.known: list[TextContext | None] = [None] * len(self.tags)
        self.known[0] = TextContext(self.root)
        self.elements = page.elements
        self.tables = tables
        self.addresses = Addresses(page) if look.links else None
        self.implied: dict[tuple[Container, int, int], Container] = {}
        self.replacements: dict[int, Formula | FootnoteReference] = {}
        self.footnotes: dict[int, str] = {}
        self.known_blocks: dict[int, int] = {}

    def replace(
        self, replacements: Mapping[int, Formula | FootnoteReference], footnotes: Mapping[int, str] | None = None
    ) -> None:
        """Set what replaces the text of which elements, and the labels of the elements that are footnotes."""
        self.replacements.update(replacements)
        self.footnotes.update(footnotes or {})
        self.special |= self.replacements.keys() | self.footnotes.keys()
        # What is known of the elements inside of these holds no longer.
        self.known = [None] * len(self.tags)
        self.known[0] = TextContext(self.root)

    def at(self, index: int) -> TextContext:
        """Return the context of the text in an element."""
        context = self.known[index]
        if context is not None:
            return context
        chain = []
        while context is None:
            chain.append(index)
            index = self.parents[index]
            context = self.known[index]
        while chain:
            index = chain.pop()
            tag = self.tags[index]
            if tag in self.relevant_tags or (self.special and index in self.special):
                context = self.inside(context, index, tag)
            self.known[index] = context
        return context

    def block_around(self, index: int) -> int:
        """Return the block-level element that an element is or is in."""
        known, chain = self.known_blocks, []
        while index > 0 and index not in known and not ROLES.get(self.tags[index], 0) & BLOCK:
            chain.append(index)
            index = self.parents[index]
        index = known.get(index, index)
        known.update(dict.fromkeys(chain, index))
        return index

    def is_plain(self, index: int) -> bool:
        """Return whether the text in an element is written as it is: no style, link or replacement, not as code."""
        context = self.at(index)
        return not (context.style or context.link or context.code_element) and context.replacement is None

    def inside(self, context: TextContext, index: int, tag: str) -> TextContext:
        """Return the context inside an element, given that around it."""
        if context.replacement is not None or context.code_element:
            return context
        if self.special and index in self.special:
            return self.in_special(context, index, tag)
        if context.by_tag is not None and tag in context.by_tag:
            return context.by_tag[tag]
        if tag in CONTAINERS:
            return self.in_container(context, CONTAINERS[tag], index, tag)
        if tag == "a":
            link = self.address(index) or context.link
            return TextContext(context.container, context.kind, context.level, context.style, link)
        if tag in STYLES:
            style = context.style | STYLES[tag]
            new = TextContext(context.container, context.kind, context.level, style, context.link)
        else:
            new = self.in_leaf_block(context, LEAF_BLOCKS[tag], index, tag)
        if not new.code_element and not self.special:
            if context.by_tag is None:
                context.by_tag = {}
            context.by_tag[tag] = new
        return new

    def in_leaf_block(self, context: TextContext, kind: int, index: int, tag: str) -> TextContext:
        """Return the context in a paragraph, heading or code block."""
        container = context.container
        if container.kind in INLINE_ONLY:
            if kind != CODE_BLOCK:
                return context
            return TextContext(container, context.kind, context.level, context.style | CODE, context.link)
        if kind == PARAGRAPH and context.kind == HEADING:
            return context
        new = TextContext(container, kind, int(tag[1]) if kind == HEADING else 0, context.style, context.link)
        new.code_element = index if kind == CODE_BLOCK else 0
        return new

    def in_special(self, context: TextContext, index: int, tag: str) -> TextContext:
        """Return the context in an element whose text is replaced, or that is a footnote."""
        if index in self.replacements:
            new = TextContext(context.container, context.kind, context.level, context.style, context.link)
            new.replacement = self.replacements[index]
            return new
        footnote = Container(FOOTNOTE, self.root)
        footnote.label = self.footnotes[index]
        return TextContext(footnote, PARAGRAPH if tag == "p" else BARE, 0, context.style, context.link)

    def address(self, index: int) -> str:
        """Return where a link leads; "" where it leads into the page, since its target may not be kept."""
        assert self.addresses
        address = attribute(self.elements, index, "href")
        return "" if address is None or address.lstrip().startswith("#") else self.addresses.absolute(address) or ""

    def in_container(self, context: TextContext, kind: int, index: int, tag: str) -> TextContext:
        """Return the context in an element that is a container, if it may be one there."""
        container = context.container
        if not self.is_common(container, kind, tag):
            if container.kind in INLINE_ONLY:
                return context
            if container.depth > MAX_DEPTH or not self.is_valid(container, kind, index):
                return TextContext(container, BARE, 0, context.style, context.link)
            if container.kind != LIST or kind != LIST_ITEM:
                container = self.fitting(container, kind, self.parents[index])
        new = Container(kind, container, index)
        if tag == "ol":
            new.number, new.step = numbering(self.elements, index)
        elif kind == LIST_ITEM and container.number is not None:
            new.number = leading_number(attribute(self.elements, index, "value"))
        elif kind == TABLE:
            new.cells = self.tables.cells(index)
        return TextContext(new, BARE, 0, context.style, context.link)

    def is_common(self, container: Container, kind: int, tag: str) -> bool:
        """Return whether an element is a container that most pages have, and surely valid: an item, a cell, a `ul`."""
        if kind == LIST_ITEM:
            return container.kind == LIST and container.number is None
        if container.depth > MAX_DEPTH:
            return False
        return container.kind == TABLE if kind == CELL else tag == "ul" and container.kind in (ROOT, LIST_ITEM)

    def is_valid(self, container: Container, kind: int, index: int) -> bool:
        """Return whether parts of tables and figures are inside one, and whether a table holds data."""
        if kind == TABLE:
            return bool(self.tables.cells(index))
        if kind == FIGURE_CAPTION:
            return container.kind == FIGURE
        return container.kind == TABLE if kind in (CELL, TABLE_CAPTION) else True

    def fitting(self, container: Container, kind: int, key: int) -> Container:
        """Return a container that may hold one of this kind: `container`, or one below it that the page omits.

        ROOT stands for text: a list holds items only, a table cells only.
        """
        if container.kind == TABLE and kind not in (CELL, TABLE_CAPTION):
            assert container.parent
            container = container.parent
        outer = LIST if kind == LIST_ITEM else DEFINITION_LIST if kind in (TERM, DEFINITION) else ROOT
        if outer != ROOT:
            return container if container.kind == outer else self.imply(self.fitting(container, outer, key), outer, key)
        if container.kind == LIST:
            return self.imply(container, LIST_ITEM, -1)
        return self.imply(container, DEFINITION, -1) if container.kind == DEFINITION_LIST else container

    def imply(self, parent: Container, kind: int, key: int) -> Container:
        """Return a container that the page omits: the same one for siblings, so that they stay together."""
        implied = self.implied.get((parent, kind, key))
        if implied is None:
            implied = self.implied[parent, kind, key] = Container(kind, parent)
            implied.implied = True
        return implied


@cache
def _relevant_tags(look: Look) -> frozenset[str]:
    styles, links = STYLES if look.formatting else (), ("a",) if look.links else ()
    return frozenset({*CONTAINERS, *LEAF_BLOCKS, *styles, *links})
