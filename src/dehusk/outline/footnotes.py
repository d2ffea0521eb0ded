"""Footnotes: pairs of a short link and the text that it leads to."""

import re
from typing import Any, Final, NamedTuple

from dehusk.outline.attributes import attribute
from dehusk.outline.fast_contexts import TextContexts
from dehusk.outline.kinds import LIST, ROOT
from dehusk.outline.nodes import FootnoteReference, Span
from dehusk.page import Elements, Page
from dehusk.page.leaves import BoolArray
from dehusk.page.walk_flags import BLOCK, ROLES

MAX_REFERENCE_LENGTH: Final = 8  # characters
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
    text: str


def find(page: Page, kept: BoolArray, short_links: list[int], contexts: TextContexts) -> None:
    """Mark in `contexts` which of the `short_links` are footnote references, and which elements are their notes."""
    references = _references(page, short_links)
    if not references:
        return
    targets = _targets(page, {reference.target for reference in references})
    labels: dict[int, str] = {}
    used: set[str] = set()
    replacements: dict[int, FootnoteReference] = {}
    for reference in references:
        note = targets.get(reference.target)
        if note is None or not _is_note(page, kept, contexts, reference, note):
            continue
        if note not in labels:
            label = _label(reference.text, used)
            if label is None:
                continue
            labels[note] = label
            used.add(label)
        replacements[reference.anchor] = FootnoteReference(labels[note], reference.text)
    contexts.replace(replacements, labels)


def _references(page: Page, short_links: list[int]) -> list[_Reference]:
    """Return the links into the page that are in superscript or lead to the name of a footnote."""
    found: dict[int, _Reference] = {}
    for leaf in short_links:
        anchor, superscript = _anchor(page, int(page.leaves.element[leaf]))
        if anchor < 0 or anchor in found:
            continue
        href = (attribute(page.elements, anchor, "href") or "").strip()
        if not href.startswith("#") or not (superscript or FOOTNOTE_NAME.match(href)):
            continue
        start, end = _text_span(page, anchor)
        if REFERENCE.fullmatch(page.text[start:end]):
            found[anchor] = _Reference(leaf, anchor, href[1:], page.text[start:end])
    return list(found.values())


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


def _text_span(page: Page, index: int) -> Span:
    """Return the span of the text in an element."""
    parents, end = page.elements.parent, index + 1
    while end < len(parents) and parents[end] >= index:
        end += 1
    opened, leaves = page.leaves.opened, page.leaves
    first, last = int(opened.searchsorted(index, "right")), int(opened.searchsorted(end, "right"))
    while last > first and int(leaves.element[last - 1]) < index:  # text after the element, before the next tag
        last -= 1
    return (int(leaves.start[first]), int(leaves.end[last - 1])) if first < last else (0, 0)


def _targets(page: Page, names: set[str]) -> dict[str, int]:
    """Return the block-level elements that the names lead to."""
    elements, targets = page.elements, {}
    rows: Any = enumerate(zip(elements.node[1:], elements.tag[1:], strict=True), start=1)
    for index, (node, tag) in rows:
        name = node.attr("id")
        if name is None and tag == "a":
            name = node.attr("name")
        if name in names and name not in targets:
            targets[name] = _block_around(elements, index)
    return targets


def _block_around(elements: Elements, index: int) -> int:
    while index > 0 and not ROLES.get(elements.tag[index], 0) & BLOCK:
        index = elements.parent[index]
    return index


def _is_note(page: Page, kept: BoolArray, contexts: TextContexts, reference: _Reference, note: int) -> bool:
    """Tell whether an element can be the note: kept, short, after its reference, and in no container but a list."""
    if page.elements.tag[note] not in ("li", "p", "div", "aside"):
        return False
    first = int(page.leaves.opened.searchsorted(note, "right"))
    if first >= len(page.leaves) or first <= reference.leaf or not kept[first]:
        return False
    if int(page.leaves.element[first]) < note:
        return False
    start, end = _text_span(page, note)
    container = contexts.at(page.elements.parent[note]).container
    if container.kind == LIST and page.elements.tag[note] == "li":
        assert container.parent
        container = container.parent
    return 0 < end - start <= MAX_NOTE_LENGTH and container.kind == ROOT


def _label(text: str, used: set[str]) -> str | None:
    """Return a label for a note whose reference reads `text`; None where another note has it already.

    >>> _label("[3]", set()), _label("†", {"note-1"}), _label("3", {"3"})
    ('3', 'note-2', None)
    """
    match = REFERENCE.fullmatch(text)
    if match and match[1].isalnum():
        return None if match[1] in used else match[1]
    return f"note-{1 + sum(label.startswith('note-') for label in used)}"
