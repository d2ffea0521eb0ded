"""Notes: footnotes, as pairs of a sign that can be clicked and the text that it leads to."""

import re
from typing import Any, Final, NamedTuple

from dehusk.outline.boxes import Boxes, attribute
from dehusk.outline.parts import LIST, ROOT, NoteSign, Span
from dehusk.page import Elements, Page
from dehusk.page.leaves import BoolArray
from dehusk.page.walk_flags import BLOCK, ROLES

LONGEST_SIGN: Final = 8  # characters
LONGEST_NOTE: Final = 5000
SIGN: Final = re.compile(r"[\[(]?\s*([A-Za-z0-9]{1,4}|[*†‡§¶]{1,3})\s*[\])]?")
# What programs that write footnotes call them, as in #fn:1, #cite_note-3, #footnote2, #_ftn4, #endnote-a.
NAMED: Final = re.compile(
    r"#_?(?:fn|ftn|note|footnote|foot|endnote|edn|en|cite_?note|cite|ref|r|n|sdfootnote)[\W_]*\w", re.I
)


class _Sign(NamedTuple):
    leaf: int
    anchor: int
    target: str
    text: str


def find(page: Page, kept: BoolArray, linked: list[int], boxes: Boxes) -> None:
    """Tell `boxes` which of the `linked` leaves are signs of footnotes, and which elements are their notes."""
    signs = _signs(page, linked)
    if not signs:
        return
    targets = _targets(page, {sign.target for sign in signs})
    labels: dict[int, str] = {}
    used: set[str] = set()
    instead: dict[int, NoteSign] = {}
    for sign in signs:
        note = targets.get(sign.target)
        if note is None or not _is_note(page, kept, boxes, sign, note):
            continue
        if note not in labels:
            label = _label(sign.text, used)
            if label is None:
                continue
            labels[note] = label
            used.add(label)
        instead[sign.anchor] = NoteSign(labels[note], sign.text)
    boxes.replace(instead, labels)


def _signs(page: Page, linked: list[int]) -> list[_Sign]:
    """Return the links that point into the page from a raised place or under a footnote's name."""
    found: dict[int, _Sign] = {}
    for leaf in linked:
        anchor, raised = _anchor(page, int(page.leaves.element[leaf]))
        if anchor < 0 or anchor in found:
            continue
        href = (attribute(page.elements, anchor, "href") or "").strip()
        if not href.startswith("#") or not (raised or NAMED.match(href)):
            continue
        start, end = _text_of(page, anchor)
        if SIGN.fullmatch(page.text[start:end]):
            found[anchor] = _Sign(leaf, anchor, href[1:], page.text[start:end])
    return list(found.values())


def _anchor(page: Page, index: int) -> tuple[int, bool]:
    """Return the link round an element, or -1, and whether it stands in a `sup` or holds one."""
    tags, parents = page.elements.tag, page.elements.parent
    raised = False
    for _ in range(4):
        if index <= 0:
            break
        raised |= tags[index] == "sup"
        if tags[index] == "a":
            return index, raised or "sup" in (tags[parents[index]], tags[parents[parents[index]]])
        index = parents[index]
    return -1, False


def _text_of(page: Page, index: int) -> Span:
    """Return the span of the text in an element, which ends where an element outside of it begins."""
    end = _end(page, index)
    opened, leaves = page.leaves.opened, page.leaves
    first, last = int(opened.searchsorted(index, "right")), int(opened.searchsorted(end, "right"))
    while last > first and int(leaves.element[last - 1]) < index:  # text after the element, before the next tag
        last -= 1
    return (int(leaves.start[first]), int(leaves.end[last - 1])) if first < last else (0, 0)


def _end(page: Page, index: int) -> int:
    parents, end = page.elements.parent, index + 1
    while end < len(parents) and parents[end] >= index:
        end += 1
    return end


def _targets(page: Page, names: set[str]) -> dict[str, int]:
    """Return the block-level elements that the names lead to."""
    elements, found = page.elements, {}
    rows: Any = enumerate(zip(elements.node[1:], elements.tag[1:], strict=True), start=1)
    for index, (node, tag) in rows:
        name = node.attr("id")
        if name is None and tag == "a":
            name = node.attr("name")
        if name in names and name not in found:
            found[name] = _block_round(elements, index)
    return found


def _block_round(elements: Elements, index: int) -> int:
    while index > 0 and not ROLES.get(elements.tag[index], 0) & BLOCK:
        index = elements.parent[index]
    return index


def _is_note(page: Page, kept: BoolArray, boxes: Boxes, sign: _Sign, note: int) -> bool:
    """Tell whether a kept element can be the note: short, after its sign, and in no box but a list."""
    if page.elements.tag[note] not in ("li", "p", "div", "aside"):
        return False
    first = int(page.leaves.opened.searchsorted(note, "right"))
    if first >= len(page.leaves) or first <= sign.leaf or not kept[first] or int(page.leaves.element[first]) < note:
        return False
    start, end = _text_of(page, note)
    box = boxes.at(page.elements.parent[note]).box
    if box.kind == LIST and page.elements.tag[note] == "li":
        assert box.parent
        box = box.parent
    return 0 < end - start <= LONGEST_NOTE and box.kind == ROOT


def _label(text: str, used: set[str]) -> str | None:
    """Return a label for a note whose sign reads `text`; None where another note has it already.

    >>> _label("[3]", set()), _label("†", {"note-1"}), _label("3", {"3"})
    ('3', 'note-2', None)
    """
    found = SIGN.fullmatch(text)
    if found and found[1].isalnum():
        return None if found[1] in used else found[1]
    return f"note-{1 + sum(label.startswith('note-') for label in used)}"
