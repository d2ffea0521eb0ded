"""tei: a document after the guidelines of the Text Encoding Initiative (TEI P5), with the page's metadata.

Headings open divisions, nested by their levels. With `every` block, those that would be dropped have the type
`boilerplate` and their score in `n`.
"""

from typing import ClassVar

from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.fast_markup import MarkupVocabulary, MarkupWriter, StyleTags, Tags, escaped, quoted
from dehusk.formats.tei.header import header
from dehusk.metadata import claims_kept, from_claims
from dehusk.outline import kinds
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import Container, LeafBlock
from dehusk.outline.nodes import FootnoteReference, Formula, Image, InlineObject
from dehusk.outline.table_grid import GridCell


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
    claims, tei = claims_kept(document.page, document.spans, document.kind), _Tei()
    metadata = from_claims(claims)
    body = MarkupWriter(outline(document, every=every, look=look, claims=claims).events, tei).write()
    body = body + "</div>\n" * len(tei.open_levels) or "<p/>\n"
    language = f" xml:lang={quoted(metadata.language)}" if metadata.language else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"{language}>\n'
        f"{header(document, metadata)}<text>\n<body>\n{body}</body>\n</text>\n</TEI>"
    )


class _Tei(MarkupVocabulary):
    LINE_BREAK: ClassVar = "<lb/>"
    STYLES: ClassVar = StyleTags(
        {
            kinds.STRONG: ('<hi rend="bold">', "</hi>"),
            kinds.EMPHASIS: ('<hi rend="italic">', "</hi>"),
            kinds.DELETED: ("<del>", "</del>"),
            kinds.SUPERSCRIPT: ('<hi rend="superscript">', "</hi>"),
            kinds.SUBSCRIPT: ('<hi rend="subscript">', "</hi>"),
            kinds.CODE: ("<code>", "</code>"),
        }
    )
    CONTAINERS: ClassVar = {
        kinds.QUOTE: ("<quote>\n", "</quote>\n"),
        kinds.LIST: ('<list rend="bulleted">\n', "</list>\n"),
        kinds.LIST_ITEM: ("<item>", "</item>\n"),
        kinds.DEFINITION_LIST: ('<list type="gloss">\n', "</list>\n"),
        kinds.FIGURE: ("<figure>\n", "</figure>\n"),
        kinds.FIGURE_CAPTION: ("<head>", "</head>\n"),
    }
    EMPTY_DEFINITION: ClassVar = "<item/>\n"
    TABLE_ROW: ClassVar = "row"
    TABLE_CAPTION: ClassVar = "head"

    def __init__(self) -> None:
        self.open_levels: list[int] = []  # of the headings whose divisions are open
        self._next_numbers: dict[Container, int] = {}  # by list with numbers

    def leaf_block(self, leaf: LeafBlock, text: str, in_container: bool) -> str:
        note = leaf.annotation
        attributes = "" if note is None or note.kept else f' type="boilerplate" n="{note.score:.4f}"'
        if leaf.kind == kinds.CODE_BLOCK:
            language = f" lang={quoted(leaf.language)}" if leaf.language else ""
            attributes = attributes or ' type="code"'
            return f'<ab{attributes}><code{language} xml:space="preserve">{text}</code></ab>\n'
        if leaf.kind == kinds.BARE:
            return f"<seg{attributes}>{text}</seg>" if attributes else text
        if leaf.kind == kinds.HEADING and not in_container:
            levels, count = self.open_levels, len(self.open_levels)
            while levels and levels[-1] >= leaf.level:
                levels.pop()
            ends = "</div>\n" * (count - len(levels))
            levels.append(leaf.level)
            return f"{ends}<div>\n<head{attributes}>{text}</head>\n"
        if leaf.kind == kinds.HEADING:
            attributes = attributes or ' type="heading"'
            return f'<ab{attributes} rend="h{leaf.level}">{text}</ab>\n'
        return f"<ab{attributes}>{text}</ab>\n" if attributes else f"<p>{text}</p>\n"

    def container_tags(self, container: Container, index: int, previous: int) -> Tags:
        if container.kind == kinds.LIST:
            self._next_numbers[container] = container.number or 0
            return '<list rend="numbered">\n', "</list>\n"
        if container.kind == kinds.LIST_ITEM:
            assert container.parent
            number = self._next_numbers[container.parent] if container.number is None else container.number
            self._next_numbers[container.parent] = number + container.parent.step
            return f'<item n="{number}">', "</item>\n"
        # Terms and definitions come in pairs, so whichever the page omits is written as an empty element.
        if container.kind == kinds.TERM:
            return "<item/>\n<label>" if previous == kinds.TERM else "<label>", "</label>\n"
        if container.kind == kinds.DEFINITION:
            return "<item>" if previous == kinds.TERM else "<label/>\n<item>", "</item>\n"
        return f'<note xml:id="note-{container.label}" n="{container.label}">', "</note>\n"

    def cell(self, cell: GridCell, text: str) -> str:
        role = ' role="label"' if cell.is_header else ""
        if cell.rowspan == cell.colspan == 1:  # as most are
            return f"<cell{role}>{text}</cell>"
        rows, columns = f' rows="{cell.rowspan}"', f' cols="{cell.colspan}"'
        return f"<cell{role}{rows * (cell.rowspan > 1)}{columns * (cell.colspan > 1)}>{text}</cell>"

    def link_tags(self, address: str) -> Tags:
        return f"<ref target={quoted(address)}>", "</ref>"

    def inline_object(self, content: InlineObject) -> str:
        match content:
            case Image(address, words):
                words = f"<desc>{escaped(words)}</desc>" if words else ""
                return f"<graphic url={quoted(address)}>{words}</graphic>"
            case Formula(tex):
                return f'<formula notation="TeX">{escaped(tex)}</formula>'
            case FootnoteReference(label, text):
                return f'<ref type="note" target="#note-{label}">{escaped(text)}</ref>'
