"""What a parser reads in an output: its words, and its structure."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_inline_dollar
from mdit_py_plugins.footnote import footnote_plugin

from dehusk import Document, Page
from dehusk.fast_spans import joined
from dehusk.formats import PLAIN, Look
from dehusk.formats.xml import xml_safe
from dehusk.outline import kinds
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import Container, ContainerEnd, LeafBlock
from dehusk.outline.nodes import Event, Outline
from dehusk.outline.table_grid import table_grid
from dehusk.selection import BY_SCORE

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
REPLACEMENT = "\ufffd"
FORMULA = re.compile(r'<span class="math">.*?</span>', re.DOTALL)
REFERENCE = re.compile(r'<sup><a href="#note-[^>]*>.*?</a></sup>', re.DOTALL)
# Code where some readers know no fences.
TAGGED_CODE = re.compile(r'<pre><code(?: class="language-([^"]*)")?>(.*)</code></pre>\s*', re.DOTALL)
COMMENT = r"<!-- boilerplate \d\.\d\d -->"
INLINE = {"em_open", "em_close", "strong_open", "strong_close", "s_open", "s_close", "image", "link_open", "link_close"}


def parser() -> MarkdownIt:
    """CommonMark with GitHub's tables and strikethrough, footnotes where they stand, definition lists and formulas."""
    reader = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])
    reader.use(footnote_plugin).use(deflist_plugin)
    reader.use(dollarmath_plugin, allow_space=False, allow_digits=False)
    reader.inline.ruler.at("math_inline", _formula)
    return reader.disable("footnote_tail")


def _formula(state: StateInline, silent: bool) -> bool:
    """Read a formula; the plugin's rule takes the last character for the one before the first."""
    source = state.src
    if state.pos == 0:
        state.src += " "
    found = PLUGIN_RULE(state, silent)
    state.src = source
    return found


PLUGIN_RULE = math_inline_dollar(allow_space=False, allow_digits=False)
READER = parser()


def markdown_text(output: str) -> str:
    """The text that Markdown shows, with a space for each formula and footnote reference."""
    return "".join(_shown(token) for token in READER.parse(output))


def _shown(token: Token) -> str:
    if token.type == "inline":
        return "".join(_shown_inline(child) for child in token.children or [])
    if token.type in ("fence", "code_block"):
        return f"\n{token.content}\n"
    if token.type == "html_block" and (code := TAGGED_CODE.fullmatch(token.content)):
        return f"\n{unescape(code[2])}\n"
    assert token.type != "html_block" or re.fullmatch(rf"{COMMENT}\s*", token.content), token.content
    return "\n"


def _shown_inline(token: Token) -> str:
    if token.type in ("text", "code_inline"):
        return token.content
    if token.type in ("softbreak", "hardbreak", "footnote_ref", "math_inline", "math_inline_double"):
        return " "
    if token.type == "html_inline":
        assert re.fullmatch(rf"</?(?:su[bp]|strong|em|del|code)>|<br>|{COMMENT}", token.content), token
        return " " if token.content == "<br>" else ""
    assert token.type in INLINE, token
    return ""


def html_text(output: str) -> str:
    """The text that HTML shows, with a space for each formula and footnote reference."""
    return Page.from_html(REFERENCE.sub(" ", FORMULA.sub(" ", output))).text


TEI = "{http://www.tei-c.org/ns/1.0}"
TEI_LINES = ("p", "head", "ab", "item", "label", "cell", "note", "lb", "quote", "list", "row", "figure", "table", "div")


def tei_text(output: str) -> str:
    """The text of TEI, with a space for each formula and footnote reference."""
    body = ElementTree.fromstring(output).find(f".//{TEI}body")
    assert body is not None
    return _tei_text(body)


def _tei_text(element: ElementTree.Element) -> str:
    name = element.tag.removeprefix(TEI)
    if name in ("desc", "formula") or (name == "ref" and element.get("type") == "note"):
        return " "
    line = "\n" if name in TEI_LINES else ""
    inside = "".join(_tei_text(child) + (child.tail or "") for child in element)
    return f"{line}{element.text or ''}{inside}{line}"


def xml_text(output: str) -> str:
    """The text of the corpus format, one line per `div`."""
    return "\n".join(div.text or "" for div in ElementTree.fromstring(output))


def cleaneval_text(output: str) -> str:
    """The text of CleanEval's lines, without their tags."""
    return "\n".join(re.sub("^-?<[phl]>", "", line) for line in output.split("\n"))


def annotated_text(output: str) -> str:
    """The text of the blocks in the format text."""
    return re.sub(r"^. \S+ [+-] [a-z]+(?: item| cell)?(?: \d+)? +", "", output, flags=re.MULTILINE)


def report_text(output: str) -> str:
    """The text in the data island of a report: all of it, since the browser shows what is kept."""
    island = re.search(r'<script type="application/json" id="data">(.*?)</script>', output, re.DOTALL)
    assert island
    text: str = json.loads(island[1])["text"]
    return text


# What reads each format, without and with `every` block.
READERS: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "markdown": (markdown_text, markdown_text),
    "html": (html_text, html_text),
    "tei": (tei_text, tei_text),
    "xml": (xml_text, xml_text),
    "cleaneval": (cleaneval_text, cleaneval_text),
    "text": (str, annotated_text),
    "json": (
        lambda output: str(json.loads(output)["text"]),
        lambda output: "\n".join(block["text"] for block in json.loads(output)["blocks"]),
    ),
    "report": (report_text, report_text),
}
WITH_OUTLINE = ("markdown", "html", "tei")


def words(text: str) -> list[str]:
    """The text between white space: not only letters and digits, since no punctuation may be lost either.

    Control characters count as white space, which some are: formats write them as that, or as U+FFFD where they must.
    """
    return FORBIDDEN.sub(" ", text).replace(REPLACEMENT, " ").split()


def expected_text(document: Document, outlined: Outline, *, every: bool = False, look: Look = PLAIN) -> str:
    """The text that a format with an outline writes, with spaces for what formulas and footnote references replace."""
    document = document.written(every=every, nfc=look.nfc)
    text = list(document.page.text)
    for start, end in outlined.replaced:
        text[start:end] = " " * (end - start)
    page_text = "".join(text)
    if every:
        blocks = document.blocks
        return joined(page_text, list(zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)))
    without_title = outline(replace(document, selection=BY_SCORE), look=look)
    title = _title(document, page_text) if len(outlined.events) > len(without_title.events) else ""
    return f"{title}\n{joined(page_text, document.spans)}"


def _title(document: Document, page_text: str) -> str:
    """The title that may be before the text: the headline, or else the title in the metadata."""
    assert document.selection.adds_title
    headline = document.headline
    return page_text[headline.start : headline.end] if headline else document.metadata.title or ""


def expected_rows(document: Document, format: str, *, every: bool = False) -> str:
    """The text that a format without an outline writes: block by block, so with `every` block words may be torn."""
    if format == "report":
        return document.written(every=True).page.text
    text = "\n".join(document.written(every=True).blocks.strings()) if every else document.text
    if format == "cleaneval":
        return re.sub(r"(?i)<(?=/?[phl]>)", "< ", text)
    return xml_safe(text) if format == "xml" else text


def markdown_structure(output: str) -> list[str]:
    """The blocks that Markdown has, in order; what containers hold is in brackets."""
    return list(_token_structure(READER.parse(output)))


TOKENS = {
    "paragraph_open": "p",
    "dt_open": "term",
    "bullet_list_open": "list (",
    "list_item_open": "item (",
    "blockquote_open": "quote (",
    "dd_open": "meaning (",
    **dict.fromkeys(("bullet_list_close", "ordered_list_close", "list_item_close", "blockquote_close"), ")"),
    **dict.fromkeys(("dd_close", "footnote_reference_close"), ")"),
    "tr_close": "row",
    **dict.fromkeys(("th_open", "td_open"), "cell"),
}
SILENT = {
    *("heading_close", "paragraph_close", "inline", "dt_close", "dl_open", "dl_close", "html_block", "table_open"),
    *("table_close", "thead_open", "thead_close", "tbody_open", "tbody_close", "tr_open", "th_close", "td_close"),
}


def _token_structure(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in TOKENS:
            yield TOKENS[token.type]
        elif token.type == "heading_open":
            yield token.tag
        elif token.type == "fence":
            yield f"code {token.info}\n{token.content}"
        elif token.type == "html_block" and (code := TAGGED_CODE.fullmatch(token.content)):
            yield f"code {code[1] or ''}\n{unescape(code[2])}\n"
        elif token.type == "math_block":
            yield f"formula {token.content.strip()}"
        elif token.type == "ordered_list_open":
            yield f"list from {1 if token.attrGet('start') is None else token.attrGet('start')} ("
        elif token.type == "footnote_reference_open":
            yield f"note {token.meta['label']} ("
        else:
            assert token.type in SILENT, token.type


def outline_structure(events: Sequence[Event]) -> list[str]:
    """The structure that an outline should have in Markdown."""
    return list(_event_structure(events))


def _event_structure(events: Sequence[Event]) -> Iterator[str]:
    opened: list[Container] = []
    ends: list[str] = []  # what the open containers end with
    filled: list[int] = []  # the cells of the open table
    ended = 0  # the kind of the container that ended last
    for index, event in enumerate(events):
        in_table = any(container.kind == kinds.TABLE for container in opened)
        if isinstance(event, Container):
            start, end = ("", "") if in_table else _container_structure(event, ended)
            opened.append(event)
            ends.append(end)
            yield from [start] * bool(start)
        elif isinstance(event, ContainerEnd):
            container, end = opened.pop(), ends.pop()
            filled = [*filled, container.element] if container.kind == kinds.CELL else filled
            if container.kind == kinds.TABLE:
                yield from _table_structure(container, filled)
                filled = []
            yield from [end] * bool(end)
            ended = container.kind if container.kind != kinds.DEFINITION or end else 0
        elif not in_table or opened[-1].kind == kinds.TABLE_CAPTION:
            yield from _leaf_structure(events, index, opened[-1].kind if opened else 0, ended)
            ended = 0


def _has_definition(events: Sequence[Event], index: int) -> bool:
    """Whether a definition follows the term whose text is event `index`, and the terms after it."""
    while isinstance(container := events[index + 2], Container):
        if container.kind != kinds.TERM:
            return container.kind == kinds.DEFINITION
        index += 3
    return False


def _container_structure(container: Container, ended: int) -> tuple[str, str]:
    if container.kind == kinds.LIST:
        return ("list (" if container.number is None else f"list from {container.number} ("), ")"
    if container.kind == kinds.FOOTNOTE:
        return f"note {container.label} (", ")"
    if container.kind == kinds.DEFINITION and ended in (kinds.TERM, kinds.DEFINITION):
        return "meaning (", ")"
    return {kinds.LIST_ITEM: ("item (", ")"), kinds.QUOTE: ("quote (", ")")}.get(container.kind, ("", ""))


def _table_structure(table: Container, filled: list[int]) -> Iterator[str]:
    rows = table_grid(table.cells, filled)
    width = sum(cell.colspan for cell in rows[0])
    for _ in range(len(rows) + (not all(cell.is_header for cell in rows[0]))):
        yield from ["cell"] * width
        yield "row"


def _leaf_structure(events: Sequence[Event], index: int, kind: int, ended: int) -> Iterator[str]:
    leaf = events[index]
    assert isinstance(leaf, LeafBlock)
    if kind == kinds.TERM:  # two in a row are one
        yield from [] if ended == kinds.TERM else ["term" if _has_definition(events, index) else "p"]
    elif leaf.kind == kinds.HEADING:
        yield f"h{leaf.level}"
    elif leaf.kind == kinds.CODE_BLOCK:
        yield f"code {leaf.language}\n{FORBIDDEN.sub(REPLACEMENT, str(leaf.content))}\n"
    elif leaf.kind == kinds.DISPLAY_FORMULA:
        yield f"formula {leaf.content[0].content.tex}"  # type: ignore[union-attr]
    else:
        yield "p"
