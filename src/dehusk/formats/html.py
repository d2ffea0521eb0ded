"""html: a document of plain elements, safe to show: no scripts, no styles, and only attributes that mean something.

This file writes every tag and escapes every text and address, so none of the page's own markup can come through.
Heading levels that the page skips are closed up. With `every` block, each has its score in `data-score`, and those that
would be dropped have the class `boilerplate`.
"""

import re
from math import isnan
from typing import Any, ClassVar, Final

from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.fast_markup import MarkupVocabulary, MarkupWriter, StyleTags, Tags, escaped, quoted
from dehusk.outline import kinds
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import CONTAINER_ENDS, Container, LeafBlock
from dehusk.outline.nodes import Event, FootnoteReference, Formula, Image, InlineObject
from dehusk.outline.table_grid import GridCell
from dehusk.page import Page

LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write HTML.

    >>> from dehusk import extract
    >>> print(render(extract("<title>A</title><p onclick=x>Fish <b>&amp;</b> chips", method="alltext")))
    <!DOCTYPE html>
    <html>
    <head>
    <meta charset="utf-8">
    <title>A</title>
    </head>
    <body>
    <p>Fish <strong>&amp;</strong> chips</p>
    </body>
    </html>
    """
    page, events = document.page, outline(document, every=every, look=look).events
    body = MarkupWriter(events, _Html(events)).write()
    title = escaped(page.title or page.url or "Untitled")
    return (
        f'<!DOCTYPE html>\n<html{_root_attributes(page)}>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"</head>\n<body>\n{body}</body>\n</html>"
    )


def _root_attributes(page: Page) -> str:
    """Return the language and the text direction of the page, as attributes."""
    root: Any = page.tree.select_one("html") if page.tree else None
    body: Any = page.tree.select_one("body") if page.tree else None
    language = (root.attr("lang") if root else None) or ""
    language = language.strip().replace("_", "-")
    directions = {(node.attr("dir") or "").strip().lower() for node in (root, body) if node}
    return f' lang="{language}"' * bool(LANGUAGE.fullmatch(language)) + ' dir="rtl"' * ("rtl" in directions)


class _Html(MarkupVocabulary):
    LINE_BREAK: ClassVar = "<br>"
    STYLES: ClassVar = StyleTags(
        {
            kinds.STRONG: ("<strong>", "</strong>"),
            kinds.EMPHASIS: ("<em>", "</em>"),
            kinds.DELETED: ("<del>", "</del>"),
            kinds.SUPERSCRIPT: ("<sup>", "</sup>"),
            kinds.SUBSCRIPT: ("<sub>", "</sub>"),
            kinds.CODE: ("<code>", "</code>"),
        }
    )
    CONTAINERS: ClassVar = {
        kinds.QUOTE: ("<blockquote>\n", "</blockquote>\n"),
        kinds.LIST: ("<ul>\n", "</ul>\n"),
        kinds.LIST_ITEM: ("<li>", "</li>\n"),
        kinds.DEFINITION_LIST: ("<dl>\n", "</dl>\n"),
        kinds.TERM: ("<dt>", "</dt>\n"),
        kinds.FIGURE: ("<figure>\n", "</figure>\n"),
    }
    EMPTY_DEFINITION: ClassVar = "<dd></dd>\n"
    TABLE_ROW: ClassVar = "tr"
    TABLE_CAPTION: ClassVar = "caption"

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._referenced: set[str] = set()  # the labels of footnotes
        self._levels: list[tuple[int, int]] = []  # of the headings above: on the page, and as written

    def leaf_block(self, leaf: LeafBlock, text: str, in_container: bool) -> str:
        attributes = ""
        if note := leaf.annotation:
            score = "" if isnan(note.score) else f' data-score="{note.score:.4f}"'
            attributes = score if note.kept else f' class="boilerplate"{score}'
        if leaf.kind == kinds.CODE_BLOCK:
            language = f" class={quoted(f'language-{leaf.language}')}" if leaf.language else ""
            return f"<pre{attributes}><code{language}>{text}</code></pre>\n"
        if leaf.kind == kinds.BARE:
            return f"<span{attributes}>{text}</span>" if leaf.annotation else text
        tag = f"h{self._closed_up_level(leaf.level)}" if leaf.kind == kinds.HEADING else "p"
        return f"<{tag}{attributes}>{text}</{tag}>\n"

    def _closed_up_level(self, level: int) -> int:
        """Return the level of a heading as it is written: HTML forbids skipping one, which pages do all the time."""
        below_last = self._levels[-1][1] + 1 if self._levels else level
        while self._levels and self._levels[-1][0] >= level:
            self._levels.pop()
        closed_up = min(level, self._levels[-1][1] + 1 if self._levels else below_last)
        self._levels.append((level, closed_up))
        return closed_up

    def container_tags(self, container: Container, index: int, previous: int) -> Tags:
        if container.kind == kinds.LIST:
            start = "" if container.number == 1 else f' start="{container.number}"'
            return f"<ol{' reversed' * (container.step < 0)}{start}>\n", "</ol>\n"
        if container.kind == kinds.LIST_ITEM:
            return "<li>" if container.number is None else f'<li value="{container.number}">', "</li>\n"
        if container.kind == kinds.FOOTNOTE:
            return f'<div id="note-{container.label}">', "</div>\n"
        if container.kind == kinds.DEFINITION:
            return "<dt></dt>\n<dd>" if previous == kinds.ROOT else "<dd>", "</dd>\n"
        # A figure may have one caption, first or last in it; any other is a paragraph.
        first = isinstance(self._events[index - 1], Container)
        last = self._events[index + 3 : index + 4] == [CONTAINER_ENDS[kinds.FIGURE]]
        tag = "figcaption" if previous != kinds.FIGURE_CAPTION and (first or last) else "p"
        return f"<{tag}>", f"</{tag}>\n"

    def cell(self, cell: GridCell, text: str) -> str:
        tag = "th" if cell.is_header else "td"
        if cell.rowspan == cell.colspan == 1:  # as most are
            return f"<{tag}>{text}</{tag}>"
        colspan, rowspan = f' colspan="{cell.colspan}"', f' rowspan="{cell.rowspan}"'
        return f"<{tag}{colspan * (cell.colspan > 1)}{rowspan * (cell.rowspan > 1)}>{text}</{tag}>"

    def link_tags(self, address: str) -> Tags:
        return f"<a href={quoted(address)}>", "</a>"

    def inline_object(self, content: InlineObject) -> str:
        match content:
            case Image(address, words):
                return f"<img src={quoted(address)} alt={quoted(words)}>"
            case Formula(tex, display):
                left, right = (r"\[", r"\]") if display else (r"\(", r"\)")
                return f'<span class="math">{left}{escaped(tex)}{right}</span>'
            case FootnoteReference(label, text):
                name = "" if label in self._referenced else f' id="sign-{label}"'
                self._referenced.add(label)
                return f'<sup><a href="#note-{label}"{name}>{escaped(text)}</a></sup>'
