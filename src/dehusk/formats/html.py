"""html: a document of plain elements, safe to show: no scripts, no styles, and only attributes that mean something.

Every tag here is written by this file, every text and address escaped, so nothing of the page's own markup can come
through. Levels of headings that the page skips are closed up. Of `every` block each carries its score in `data-score`,
and those that would be dropped have the class `boilerplate`.
"""

import re
from math import isnan
from typing import Any, ClassVar, Final

from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.markup import Tagged, Tags, escaped, quoted
from dehusk.outline.build import outline
from dehusk.outline.grid import Slot
from dehusk.outline.parts import (
    BARE,
    CODE,
    DELETED,
    EMPHASIS,
    FIGURE,
    GLOSSARY,
    HEADING,
    ITEM,
    LEGEND,
    LIST,
    LOWERED,
    MEANING,
    NOTE,
    QUOTE,
    RAISED,
    ROOT,
    STRONG,
    TERM,
    VERBATIM,
    Box,
    Close,
    Event,
    Formula,
    Image,
    Leaf,
    Mark,
    NoteSign,
)
from dehusk.page import Page

SUFFIX = ".html"
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
    page = document.page
    body = _Html(outline(document, every=every, look=look).events).written()
    title = escaped(page.title or page.url or "Untitled")
    return (
        f'<!DOCTYPE html>\n<html{_root(page)}>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n'
        f"<body>\n{body}</body>\n</html>"
    )


def _root(page: Page) -> str:
    """Return the language and the direction that the page gives itself, as attributes."""
    root: Any = page.tree.select_one("html") if page.tree else None
    body: Any = page.tree.select_one("body") if page.tree else None
    language = (root.attr("lang") if root else None) or ""
    language = language.strip().replace("_", "-")
    directions = {(node.attr("dir") or "").strip().lower() for node in (root, body) if node}
    return f' lang="{language}"' * bool(LANGUAGE.fullmatch(language)) + ' dir="rtl"' * ("rtl" in directions)


class _Html(Tagged):
    BREAK: ClassVar = "<br>"
    PLAIN: ClassVar = {
        QUOTE: ("<blockquote>\n", "</blockquote>\n"),
        LIST: ("<ul>\n", "</ul>\n"),
        ITEM: ("<li>", "</li>\n"),
        GLOSSARY: ("<dl>\n", "</dl>\n"),
        TERM: ("<dt>", "</dt>\n"),
        FIGURE: ("<figure>\n", "</figure>\n"),
    }
    ROW: ClassVar[str] = "tr"
    CAPTION: ClassVar[str] = "caption"
    CHANGES: ClassVar = {}
    MARKS: ClassVar = tuple(
        (mark, f"<{tag}>", f"</{tag}>")
        for mark, tag in (
            (STRONG, "strong"),
            (EMPHASIS, "em"),
            (DELETED, "del"),
            (RAISED, "sup"),
            (LOWERED, "sub"),
            (VERBATIM, "code"),
        )
    )

    def __init__(self, events: list[Event]) -> None:
        super().__init__(events)
        self._signs: set[str] = set()
        self._levels: list[tuple[int, int]] = []  # of the headings round the place: on the page, and as written

    def leaf(self, leaf: Leaf) -> str:
        form, inline, level, language, mark = leaf
        marked = _marked(mark) if mark else ""
        if form == CODE:
            name = f" class={quoted(f'language-{language}')}" if language else ""
            return f"<pre{marked}><code{name}>{escaped(str(inline))}</code></pre>\n"
        text = self.inline(inline)
        if form == BARE:
            return f"<span{marked}>{text}</span>" if mark else text
        tag = f"h{self._level(level)}" if form == HEADING else "p"
        return f"<{tag}{marked}>{text}</{tag}>\n"

    def _level(self, level: int) -> int:
        """Return the level of a heading as it is written: HTML forbids to skip one, which pages do all the time."""
        written = self._levels[-1][1] + 1 if self._levels else level
        while self._levels and self._levels[-1][0] >= level:
            self._levels.pop()
        written = min(level, self._levels[-1][1] + 1 if self._levels else written)
        self._levels.append((level, written))
        return written

    def tags(self, box: Box, index: int, before: int) -> Tags:
        if box.kind == LIST:
            return _numbered(box), "</ol>\n"
        if box.kind == ITEM:
            return "<li>" if box.number is None else f'<li value="{box.number}">', "</li>\n"
        if box.kind == NOTE:
            return f'<div id="note-{box.label}">', "</div>\n"
        if box.kind == MEANING:
            return "<dt></dt>\n<dd>" if before == ROOT else "<dd>", "</dd>\n"
        return ("<figcaption>", "</figcaption>\n") if self._may_be_caption(index, before) else ("<p>", "</p>\n")

    def _may_be_caption(self, index: int, before: int) -> bool:
        """Tell whether a figure's caption stands where it must: first or last, and no other before it."""
        first = isinstance(self.events[index - 1], Box)
        last = self.events[index + 3 : index + 4] == [Close(FIGURE)]
        return before != LEGEND and (first or last)

    def missing(self, last: int) -> str:
        return "<dd></dd>\n" if last == TERM else ""

    def cell(self, slot: Slot, text: str) -> str:
        tag = "th" if slot.head else "td"
        if slot.high == slot.wide == 1:  # as most are
            return f"<{tag}>{text}</{tag}>"
        wide, high = f' colspan="{slot.wide}"' * (slot.wide > 1), f' rowspan="{slot.high}"' * (slot.high > 1)
        return f"<{tag}{wide}{high}>{text}</{tag}>"

    def linked(self, address: str) -> Tags:
        return f"<a href={quoted(address)}>", "</a>"

    def thing(self, content: Image | Formula | NoteSign) -> str:
        match content:
            case Image(address, words):
                return f"<img src={quoted(address)} alt={quoted(words)}>"
            case Formula(tex, display):
                left, right = (r"\[", r"\]") if display else (r"\(", r"\)")
                return f'<span class="math">{left}{escaped(tex)}{right}</span>'
            case NoteSign(label, text):
                name = "" if label in self._signs else f' id="sign-{label}"'
                self._signs.add(label)
                return f'<sup><a href="#note-{label}"{name}>{escaped(text)}</a></sup>'


def _numbered(box: Box) -> str:
    backwards, start = " reversed" * (box.step < 0), "" if box.number == 1 else f' start="{box.number}"'
    return f"<ol{backwards}{start}>\n"


def _marked(mark: Mark) -> str:
    score = "" if isnan(mark.score) else f' data-score="{mark.score:.4f}"'
    return score if mark.kept else f' class="boilerplate"{score}'
