"""tei: a document after the guidelines of the Text Encoding Initiative (TEI P5), with what the page says about itself.

Headings open divisions, as deep as their levels. Of `every` block those that would be dropped have the type
`boilerplate` and their score in `n`.
"""

from typing import ClassVar

from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.markup import Tagged, Tags, escaped, quoted
from dehusk.formats.tei.header import header
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
    QUOTE,
    RAISED,
    STRONG,
    TERM,
    VERBATIM,
    Box,
    Event,
    Formula,
    Image,
    Leaf,
    NoteSign,
)

SUFFIX = ".tei.xml"


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write TEI.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Fish</h1><p>Fry <b>twice</b>.", method="alltext")).partition("<text>")[2])
    <BLANKLINE>
    <body>
    <div>
    <head>Fish</head>
    <p>Fry <hi rend="bold">twice</hi>.</p>
    </div>
    </body>
    </text>
    </TEI>
    """
    facts = document.metadata
    body = _Tei(outline(document, every=every, look=look).events).written() or "<p/>\n"
    language = f" xml:lang={quoted(facts.language)}" if facts.language else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"{language}>\n'
        f"{header(document, facts)}<text>\n<body>\n{body}</body>\n</text>\n</TEI>"
    )


class _Tei(Tagged):
    BREAK: ClassVar = "<lb/>"
    PLAIN: ClassVar = {
        QUOTE: ("<quote>\n", "</quote>\n"),
        LIST: ('<list rend="bulleted">\n', "</list>\n"),
        ITEM: ("<item>", "</item>\n"),
        GLOSSARY: ('<list type="gloss">\n', "</list>\n"),
        FIGURE: ("<figure>\n", "</figure>\n"),
        LEGEND: ("<head>", "</head>\n"),
    }
    ROW: ClassVar[str] = "row"
    CAPTION: ClassVar[str] = "head"
    CHANGES: ClassVar = {}
    DIVISIONS: ClassVar = ("</div>\n", "<div>\n<head>", "</head>\n")
    MARKS: ClassVar = (
        (STRONG, '<hi rend="bold">', "</hi>"),
        (EMPHASIS, '<hi rend="italic">', "</hi>"),
        (DELETED, "<del>", "</del>"),
        (RAISED, '<hi rend="superscript">', "</hi>"),
        (LOWERED, '<hi rend="subscript">', "</hi>"),
        (VERBATIM, "<code>", "</code>"),
    )

    def __init__(self, events: list[Event]) -> None:
        super().__init__(events)
        self._numbers: dict[Box, int] = {}  # of the next item in each list that counts

    def written(self) -> str:
        return super().written() + "</div>\n" * len(self.levels)

    def leaf(self, leaf: Leaf) -> str:
        form, inline, level, language, mark = leaf
        kind = "" if mark is None or mark.kept else f' type="boilerplate" n="{mark.score:.4f}"'
        if form == CODE:
            name = f" lang={quoted(language)}" if language else ""
            kind = kind or ' type="code"'
            return f'<ab{kind}><code{name} xml:space="preserve">{escaped(str(inline))}</code></ab>\n'
        text = self.inline(inline)
        if form == BARE:
            return f"<seg{kind}>{text}</seg>" if kind else text
        if form == HEADING and not self.boxes:
            return f"{self.division(level)}<div>\n<head{kind}>{text}</head>\n"
        if form == HEADING:
            kind = kind or ' type="heading"'
            return f'<ab{kind} rend="h{level}">{text}</ab>\n'
        return f"<ab{kind}>{text}</ab>\n" if kind else f"<p>{text}</p>\n"

    def tags(self, box: Box, index: int, before: int) -> Tags:
        if box.kind == LIST:
            self._numbers[box] = box.number or 0
            return '<list rend="numbered">\n', "</list>\n"
        if box.kind == ITEM:
            return f'<item n="{self._number(box)}">', "</item>\n"
        # Terms and meanings come in pairs, so what the page left out stands there empty.
        if box.kind == TERM:
            return "<item/>\n<label>" if before == TERM else "<label>", "</label>\n"
        if box.kind == MEANING:
            return "<item>" if before == TERM else "<label/>\n<item>", "</item>\n"
        return f'<note xml:id="note-{box.label}" n="{box.label}">', "</note>\n"

    def _number(self, item: Box) -> int:
        """Return the number of an item: the one that the page gives it, or the next."""
        assert item.parent
        number = self._numbers[item.parent] if item.number is None else item.number
        self._numbers[item.parent] = number + item.parent.step
        return number

    def missing(self, last: int) -> str:
        return "<item/>\n" if last == TERM else ""

    def cell(self, slot: Slot, text: str) -> str:
        role = ' role="label"' if slot.head else ""
        if slot.high == slot.wide == 1:  # as most are
            return f"<cell{role}>{text}</cell>"
        wide, high = f' cols="{slot.wide}"' * (slot.wide > 1), f' rows="{slot.high}"' * (slot.high > 1)
        return f"<cell{role}{high}{wide}>{text}</cell>"

    def linked(self, address: str) -> Tags:
        return f"<ref target={quoted(address)}>", "</ref>"

    def thing(self, content: Image | Formula | NoteSign) -> str:
        match content:
            case Image(address, words):
                words = f"<desc>{escaped(words)}</desc>" if words else ""
                return f"<graphic url={quoted(address)}>{words}</graphic>"
            case Formula(tex):
                return f'<formula notation="TeX">{escaped(tex)}</formula>'
            case NoteSign(label, text):
                return f'<ref type="note" target="#note-{label}">{escaped(text)}</ref>'
