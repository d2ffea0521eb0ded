"""Footnotes: pairs of a short link and the text that it leads to."""

import re
from bisect import bisect_right
from typing import Any, Final, NamedTuple

from dehusk.outline.attributes import attribute
from dehusk.outline.fast_contexts import TextContext, TextContexts
from dehusk.outline.kinds import LIST, ROOT
from dehusk.outline.leaf_spans import LeafSpans
from dehusk.outline.nodes import FootnoteReference
from dehusk.page import Page
from dehusk.page.leaves import BoolArray

MAX_REFERENCE_LENGTH: Final = 8  # characters
MAX_ANCHOR_LENGTH: Final = 40  # with the white space that code may have
MAX_NOTE_LENGTH: Final = 5000
REFERENCE: Final = re.compile(r"[\[(]?\s*([A-Za-z0-9]{1,4}|[*†‡§¶]{1,3})\s*[\])]?")
# Names that programs give to footnotes, as in #fn:1, #cite_note-3, #footnote2, #_ftn4, #endnote-a.
FOOTNOTE_NAME: Final = re.compile(
    r"#_?(?:fn|ftn|note|footnote|foot|endnote|edn|en|cite_?note|cite|ref|r|n|sdfootnote)[\W_]*\w", re.I
)


class _Reference(NamedTuple):
    leaf: int
    anchor: int
    target: str


class _Pair(NamedTuple):
    anchor: int
    note: int
    text: str  # of the reference


def find(page: Page, kept: BoolArray, short_links: list[int], contexts: TextContexts) -> None:
    """Mark in `contexts` which of the `short_links` are footnote references, and which elements are their notes."""
    references = _references(page, short_links)
    if not references:
        return
    targets = _targets(page, {reference.target for reference in references}, contexts)
    spans = LeafSpans(page)
    notes = {note for note in set(targets.values()) if _may_be_note(page, kept, contexts, spans, note)}
    pairs: list[_Pair] = []
    for reference in references:
        note = targets.get(reference.target, -1)
        start, end = spans.text(reference.anchor)
        # The text is looked at here, since it may go on for long after the leaf that is short.
        if note not in notes or spans.first[note] <= reference.leaf or end - start > MAX_ANCHOR_LENGTH:
            continue
        text = page.text[start:end]
        if REFERENCE.fullmatch(text) and _is_written(contexts.at(reference.anchor)):
            pairs.append(_Pair(reference.anchor, note, text))
    labels = _Labels()
    replacements: dict[int, FootnoteReference] = {}
    for anchor, note, text in _apart(pairs, spans):
        if label := labels.of(note, text):
            replacements[anchor] = FootnoteReference(label, text)
    contexts.replace(replacements, labels.by_note)


def _is_written(context: TextContext) -> bool:
    """Return whether text is written as what it is: not as code, and not as part of a formula."""
    return not context.code_element and context.replacement is None


def _apart(pairs: list[_Pair], spans: LeafSpans) -> list[_Pair]:
    """Return the pairs that can be written beside each other: no note inside a note, nothing inside a reference."""
    notes = sorted({pair.note for pair in pairs})
    both = sorted({*notes, *(pair.anchor for pair in pairs)})
    return [pair for pair in pairs if not (_holds_any(pair.note, notes, spans) or _holds_any(pair.anchor, both, spans))]


def _holds_any(element: int, others: list[int], spans: LeafSpans) -> bool:
    """Return whether any of the other elements, in order and all with text, is inside an element."""
    following = bisect_right(others, element)
    return following < len(others) and spans.first[others[following]] < spans.stop[element]


def _references(page: Page, short_links: list[int]) -> list[_Reference]:
    """Return the links into the page that are in superscript or lead to the name of a footnote."""
    by_anchor: dict[int, _Reference | None] = {}
    for leaf in short_links:
        anchor, superscript = _anchor(page, int(page.leaves.element[leaf]))
        if anchor < 0 or anchor in by_anchor:
            continue
        href = (attribute(page.elements, anchor, "href") or "").strip()
        is_reference = href.startswith("#") and (superscript or FOOTNOTE_NAME.match(href))
        by_anchor[anchor] = _Reference(leaf, anchor, href[1:]) if is_reference else None
    return [reference for reference in by_anchor.values() if reference]


def _anchor(page: Page, index: int) -> tuple[int, bool]:
    """Return the link around an element, or -1, and whether it is in a `sup` or holds one."""
    tags, parents = page.elements.tag, page.elements.parent
    superscript = False
    for _ in range(4):
        if index <= 0:
            break
        superscript |= tags[index] == "sup"
        if tags[index] == "a":
            return index, superscript or "sup" in (tags[parents[index]], tags[parents[parents[index]]])
        index = parents[index]
    return -1, False


def _targets(page: Page, names: set[str], contexts: TextContexts) -> dict[str, int]:
    """Return the block-level elements that the names lead to."""
    elements, targets = page.elements, {}
    rows: Any = enumerate(zip(elements.node[1:], elements.tag[1:], strict=True), start=1)
    for index, (node, tag) in rows:
        name = node.attr("id")
        if name is None and tag == "a":
            name = node.attr("name")
        if name in names and name not in targets:
            targets[name] = contexts.block_around(index)
    return targets


def _may_be_note(page: Page, kept: BoolArray, contexts: TextContexts, spans: LeafSpans, element: int) -> bool:
    """Return whether an element can be a note: kept, short, and in no container but a list."""
    first, tag = spans.first[element], page.elements.tag[element]
    if tag not in ("li", "p", "div", "aside") or first >= spans.stop[element] or not kept[first]:
        return False
    if not _is_written(contexts.at(element)):
        return False
    start, end = spans.text(element)
    container = contexts.at(page.elements.parent[element]).container
    if container.kind == LIST and tag == "li":
        assert container.parent
        container = container.parent
    return 0 < end - start <= MAX_NOTE_LENGTH and container.kind == ROOT


class _Labels:
    """The labels of notes: what their references read, or a number where that is a sign.

    >>> labels = _Labels()
    >>> [labels.of(note, text) for note, text in ((5, "[3]"), (7, "†"), (8, "3"), (5, "*"), (9, "*"))]
    ['3', 'note-1', None, '3', 'note-2']
    """

    def __init__(self) -> None:
        self.by_note: dict[int, str] = {}
        self._used: set[str] = set()
        self._signs = 0

    def of(self, note: int, text: str) -> str | None:
        """Return the label of a note whose reference reads `text`; None where another note has it already."""
        if note in self.by_note:
            return self.by_note[note]
        match = REFERENCE.fullmatch(text)
        if match and match[1].isalnum():
            label = match[1]
            if label in self._used:
                return None
        else:
            self._signs += 1
            label = f"note-{self._signs}"
        self._used.add(label)
        self.by_note[note] = label
        return label
