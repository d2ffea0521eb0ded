"""Build: from the kept text of a document, leaf by leaf, to its outline."""

import numpy as np

from dehusk.document import Document
from dehusk.html_tables import DataTables
from dehusk.outline import formulas, inserted, notes
from dehusk.outline.boxes import Boxes, language
from dehusk.outline.fast_outline import Place, Trunk, ranges
from dehusk.outline.inserted import Inserted
from dehusk.outline.parts import (
    CELL,
    CODE,
    DISPLAY,
    FLAT,
    HEADING,
    PLAIN,
    RAISED,
    VERBATIM,
    Box,
    Formula,
    Image,
    Inline,
    Leaf,
    Look,
    Mark,
    NoteSign,
    Outline,
    Run,
    Span,
)
from dehusk.page import Page
from dehusk.page.leaves import BoolArray
from dehusk.page.walk_flags import BLOCK, NEW_BLOCK, ROLES

# Of a span of the page's text its first leaf, the one after its last, and whether nothing in it needs care.
Piece = tuple[int, int, bool]


def outline(document: Document, *, every: bool = False, look: Look = PLAIN) -> Outline:
    """Return what is kept of a document, or all of it with its marks, as an outline.

    >>> from dehusk import extract
    >>> outline(extract("<h1>Fish</h1><p>Fry <b>twice", method="alltext")).events
    [(2, 'Fish', 1, '', None), (1, [('', 'Fry', 0, ''), (' ', 'twice', 1, '')], 0, '', None)]
    """
    page, leaves = document.page, document.page.leaves
    spans, marks = _marked_spans(document) if every else (document.spans, [])
    found = ranges(spans, leaves.start, leaves.end, leaves.parted, leaves.state, notes.LONGEST_SIGN)
    kept: BoolArray = np.frombuffer(found.kept, np.bool_)
    boxes = Boxes(page, look, DataTables(page.elements))
    if shown := formulas.in_elements(page.elements):
        boxes.replace(shown)
    if found.linked:
        notes.find(page, kept, found.linked, boxes)
    things = inserted.find(page, kept, images=look.images) if page.tree else []
    return _Builder(page, boxes, things).build(spans, found.pieces, marks)


def _marked_spans(document: Document) -> tuple[list[Span], list[Mark]]:
    """Return every block with its mark; one that touches the block before it is a part of that, or words would tear."""
    text = document.page.text
    spans: list[Span] = []
    marks: list[Mark] = []
    blocks, values = document.blocks, document.scores.values.tolist()
    for start, end, score, kept in zip(
        blocks.start.tolist(), blocks.end.tolist(), values, document.kept.tolist(), strict=True
    ):
        if spans and spans[-1][1] == start and not (text[start].isspace() or text[start - 1].isspace()):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
            marks.append(Mark(score, kept))
    return spans, marks


class _Builder(Trunk):
    """Goes through the kept leaves once; what stands in one block-level element of the page becomes one leaf."""

    def __init__(self, page: Page, boxes: Boxes, things: list[Inserted]) -> None:
        leaves = page.leaves
        super().__init__(boxes, page.text, leaves.start, leaves.end, leaves.element)
        self._elements, self._boxes = page.elements, boxes
        self._leaves = leaves
        self._things = things[::-1]
        self._blocks: dict[int, int] = {}
        self._replaced: list[Span] = []
        # The leaf in the making: its place, its runs, the last of these while it goes on, and what is to part the next.
        self._place = Place(boxes.root)
        self._mark: Mark | None = None
        self._runs: list[Run] = []
        self._parts: list[str] = []
        self._part = ("", 0, "")
        self._gap = ""
        self._last: Formula | NoteSign | None = None
        self._block, self._only_things = -1, False

    def build(self, spans: list[Span], pieces: list[Piece], marks: list[Mark]) -> Outline:
        """Return the outline of what the spans hold; `marks` has one for each, or is empty."""
        number = 0
        while number < len(pieces):
            # As most pages are from end to end: nothing between the texts, and nothing in the making.
            if not self._things and not self._runs and not self._parts:
                number = self.take_while(pieces, marks, number)
            if number < len(pieces):
                self._take_with_care(spans, pieces, marks[number] if marks else None, number)
            number += 1
        self._insert_up_to(len(self._leaves))
        self._finish()
        self.move(self._boxes.root)
        return Outline(self.events, self._replaced)

    def _take_with_care(self, spans: list[Span], pieces: list[Piece], mark: Mark | None, number: int) -> None:
        leaf, stop, simple = pieces[number]
        if leaf == stop or (simple and self._is_free(leaf, stop) and self.take(leaf, stop, mark)):
            return
        before = number - 1
        while before >= 0 and pieces[before][0] == pieces[before][1]:
            before -= 1
        reached, previous = (spans[before][1], pieces[before][1] - 1) if before >= 0 else (0, -1)
        self._take_all(*spans[number], mark, range(leaf, stop), previous, reached)

    def _is_free(self, leaf: int, stop: int) -> bool:
        """Put what stands before some leaves, and tell whether nothing stands among them or goes on with them."""
        if self._things and self._things[-1].before <= leaf:
            self._insert_up_to(leaf)
        if self._only_things and self._block_round(int(self._leaves.element[leaf])) == self._block:
            return False
        if self._things and self._things[-1].before <= stop:
            thing = self._things[-1]
            if thing.before < stop or self._block_round(thing.inside) == self._block_round(
                int(self._leaves.element[stop - 1])
            ):
                return False
        self._finish()
        self._only_things = False
        return True

    def _take_all(self, start: int, end: int, mark: Mark | None, leaves: range, previous: int, reached: int) -> None:
        """Take a piece leaf by leaf, each to the leaf in the making or to a new one."""
        begins = mark is not None
        for leaf in leaves:
            if self._things and self._things[-1].before <= leaf:
                self._insert_up_to(leaf)
            left, right = max(int(self._leaves.start[leaf]), start), min(int(self._leaves.end[leaf]), end)
            new = begins or previous < 0 or NEW_BLOCK in self._leaves.parted[previous + 1 : leaf + 1].tobytes()
            self._take(leaf, left, right, reached, mark, new=new)
            begins, previous, reached = False, leaf, right

    def _take(self, leaf: int, start: int, end: int, reached: int, mark: Mark | None, *, new: bool) -> None:
        owner = int(self._leaves.element[leaf])
        place = self._boxes.at(owner)
        between = self.text[reached:start]
        if new and not self._goes_on(leaf, place, mark):
            self._begin(place, mark, owner)
        elif place.code:
            self._gap = "\n" if new else between
        elif "\n" in between and not self._only_things:
            self._gap = "\n"
        elif between:
            self._gap = self._gap or " "
        self._only_things = False
        if place.instead is not None:
            self._stand_in(place, place.instead, start, end)
            return
        self._last = None
        content = self.text[start:end]
        if place.code:
            self._add(content, place)
        else:
            self._add_collapsed(content, place)

    def _goes_on(self, leaf: int, place: Place, mark: Mark | None) -> bool:
        """Tell whether what the page puts on a new line still belongs to the leaf in the making."""
        if place.code and place.code == self._place.code and mark is self._mark:
            return True
        return self._only_things and self._block_round(int(self._leaves.element[leaf])) == self._block

    def _begin(self, place: Place, mark: Mark | None, element: int) -> None:
        self._finish()
        self._place, self._mark = place, mark
        self._gap, self._last = "", None
        self._block = self._block_round(element) if self._things else -1

    def _add(self, content: str, place: Place) -> None:
        gap, self._gap = self._gap, ""
        _, marks, link = self._part
        same = self._parts and marks == place.marks and link == place.link
        if same and (gap != "\n" or not marks & VERBATIM):  # each line of code is a run of its own
            self._parts += (gap, content)
            return
        self._end_run()
        # What comes before the first run parts it from nothing.
        self._parts, self._part = [content], (gap if self._runs else "", place.marks, place.link)

    def _add_collapsed(self, content: str, place: Place) -> None:
        """Add text that may have white space of its own, as `code` has: at its ends it parts, inside it is a blank."""
        words = " ".join(content.split()) if "\n" in content or "  " in content else content.strip()
        if content[0].isspace() and not self._gap:
            self._gap = " "
        if words:
            self._add(words, place)
            self._gap = " " if content[-1].isspace() else ""

    def _end_run(self) -> None:
        if self._parts:
            gap, marks, link = self._part
            self._runs.append((gap, "".join(self._parts), marks, link))
            self._parts = []

    def _stand_in(self, place: Place, content: Formula | NoteSign, start: int, end: int) -> None:
        """Put what stands for the text of an element in its place, once, however many leaves the element has."""
        self._replaced.append((start, end))
        if content is self._last:
            self._gap = ""
        else:
            self._last = content
            self._put(content, place)

    def _put(self, content: Image | Formula | NoteSign, place: Place) -> None:
        """Add what is no text; a formula that stands on a line of its own is a leaf of its own."""
        if isinstance(content, Formula) and content.display and not _in_line(place):
            self._finish()
            self.write((DISPLAY, [("", content, 0, "")], 0, "", self._mark), place.box)
            self._gap = ""
            return
        self._end_run()
        gap, self._gap = self._gap, ""
        is_sign = isinstance(content, NoteSign)
        self._runs.append(
            (gap, content, place.marks & ~RAISED if is_sign else place.marks, "" if is_sign else place.link)
        )

    def _insert_up_to(self, leaf: int) -> None:
        """Put the things that stand before a leaf."""
        while self._things and self._things[-1].before <= leaf:
            thing = self._things[-1]
            place = self._boxes.at(thing.inside)
            if not place.code and place.instead is None:
                if self._block < 0 or self._block_round(thing.inside) != self._block or not (self._runs or self._parts):
                    self._begin(place, None, thing.inside)
                    self._only_things = True
                elif thing.gap:
                    self._gap = self._gap or thing.gap
                self._put(thing.content, place)
            self._things.pop()

    def _block_round(self, element: int) -> int:
        """Return the block-level element that an element stands in."""
        tags, parents, known, chain = self._elements.tag, self._elements.parent, self._blocks, []
        while element > 0 and element not in known and not ROLES.get(tags[element], 0) & BLOCK:
            chain.append(element)
            element = parents[element]
        element = known.get(element, element)
        known.update(dict.fromkeys(chain, element))
        return element

    def _finish(self) -> None:
        """Write the leaf in the making."""
        self._end_run()
        runs, self._runs = self._runs, []
        if not runs:
            return
        place = self._place
        if place.code:
            text = "".join(gap + words for gap, words, _, _ in runs if isinstance(words, str)).rstrip().lstrip("\n")
            if text:
                self.write((CODE, text, 0, language(self._elements, place.code), self._mark), place.box)
            return
        _, words, marks, link = runs[0]
        plain = len(runs) == 1 and not marks and not link and isinstance(words, str)
        self.write(
            (place.form, words if plain and isinstance(words, str) else runs, place.level, "", self._mark), place.box
        )

    def round_text(self, box: Box) -> Box:
        return self._boxes.round_text(box)

    def joined(self, first: Leaf, second: Leaf) -> Leaf:
        form, inline, level, name, mark = first
        return form, _joined(inline, second[1]), level, name, mark


def _in_line(place: Place) -> bool:
    """Tell whether a place lets nothing have a line of its own."""
    return place.form in (HEADING, CODE) or place.box.kind in FLAT or place.box.kind == CELL


def _joined(first: Inline, second: Inline) -> list[Run]:
    """Return two texts as the lines of one."""
    left: list[Run] = [("", first, 0, "")] if isinstance(first, str) else first
    right: list[Run] = [("", second, 0, "")] if isinstance(second, str) else second
    return [*left, ("\n", *right[0][1:]), *right[1:]]
