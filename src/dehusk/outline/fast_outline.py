"""Outline: what most texts need on their way into an outline; dehusk.outline has the rest, and uses what is here.

Compiled by way of outline.pxd, which gives the names below their C types; as plain Python it does the same.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.outline.kinds import (
    BARE,
    CELL,
    CHOOSY,
    CODE,
    FLAT,
    HEADING,
    HOLD_TEXT,
    ITEM,
    LIST,
    MEANING,
    PARAGRAPH,
    ROOT,
    TABLE,
    VERBATIM,
)
from dehusk.page.walk_flags import LINKED, NEW_BLOCK
from dehusk.page.walk_flags import VERBATIM as KEPT_AS_IT_IS


class Box:
    """A box that opens, and the boxes round it."""

    def __init__(self, kind: int, parent: "Box | None", element: int = 0) -> None:
        self.kind = kind
        self.parent = parent
        self.element = element
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self.number: int | None = None  # of a list that counts its first number, of an item one that the page gives it
        self.step = 1  # from the number of an item in the list to that of the next
        self.label = ""  # of a note
        self.cells: list[Any] = []  # of a table
        self.implied = False  # whether the page left it out


class Place:
    """What an element passes on to the text below it."""

    def __init__(self, box: Box, form: int = BARE, level: int = 0, marks: int = 0, link: str = "") -> None:
        self.box = box
        self.form = form
        self.level = level  # of the heading round it
        self.marks = marks
        self.link = link
        self.code = 0  # the element whose text is kept as it is
        self.instead: Any = None  # what stands for the text
        # By its tag what an element passes on that stands here, where all of one tag pass on the same.
        self.below: dict[str, Place] | None = None


class Close(NamedTuple):
    """The last box that is open ends."""

    kind: int


CLOSES = [Close(kind) for kind in range(13)]


class Ranges(NamedTuple):
    """The leaves that some spans of a page's text reach into."""

    pieces: list[tuple[int, int, bool]]  # of each span its first leaf, the one after its last, whether it is simple
    kept: bytearray  # of each leaf whether it is in one of the spans
    linked: list[int]  # the leaves in them that can be clicked and are short


def ranges(
    spans: list[tuple[int, int]],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    parted: NDArray[np.uint8],
    state: NDArray[np.uint8],
    short: int,
) -> Ranges:
    """Find the leaves of spans that lie in order; simple is one that is a block-level run of whole collapsed leaves."""
    count = len(starts)
    pieces = []
    kept = bytearray(count)
    linked = []
    leaf, previous = 0, -1
    for start, end in spans:
        while leaf < count and ends[leaf] <= start:
            leaf += 1
        stop = leaf
        simple = leaf < count and starts[leaf] == start
        while stop < count and starts[stop] < end:
            if state[stop] & KEPT_AS_IT_IS or (stop > leaf and parted[stop] == NEW_BLOCK):
                simple = False
            if state[stop] & LINKED and ends[stop] - starts[stop] <= short:
                linked.append(stop)
            kept[stop] = 1
            stop += 1
        if stop > leaf:
            fresh = previous < 0
            while previous < leaf and not fresh:
                previous += 1
                fresh = parted[previous] == NEW_BLOCK
            pieces.append((leaf, stop, simple and fresh and ends[stop - 1] == end))
            previous = stop - 1
            leaf = stop - 1 if ends[stop - 1] > end else stop
        else:
            pieces.append((leaf, leaf, False))
    return Ranges(pieces, kept, linked)


class Places:
    """The places of a page's elements; each element is looked at once, when it is first asked for."""

    def __init__(
        self,
        tags: list[str],
        parents: NDArray[np.int32],
        telling: frozenset[str],
        boxes: dict[str, int],
        forms: dict[str, int],
        marks: dict[str, int],
        deepest: int,
    ) -> None:
        self.tags = tags
        self.parents = parents
        self.telling = telling  # the tags of elements that pass on something of their own
        self.boxes = boxes  # what such tags are
        self.forms = forms
        self.marks = marks
        self.deepest = deepest  # boxes in which every sort of box may stand
        self.special: set[int] = set()  # other elements that do
        self.root = Box(ROOT, None)
        self.known: list[Place | None] = [None] * len(tags)
        self.known[0] = Place(self.root)

    def at(self, index: int) -> Place:
        """Return the place of the text in an element."""
        place = self.known[index]
        if place is not None:
            return place
        chain = []
        while place is None:
            chain.append(index)
            index = self.parents[index]
            place = self.known[index]
        while chain:
            index = chain.pop()
            tag = self.tags[index]
            if tag in self.telling or (self.special and index in self.special):
                place = self.below(place, index, tag)
            self.known[index] = place
        return place

    def below(self, place: Place, index: int, tag: str) -> Place:  # noqa: PLR0911  (one a sort of element)
        """Return what an element passes on, given what it was passed."""
        if place.instead is not None or place.code:
            return place
        if self.special and index in self.special:
            return self.special_place(place, index, tag)
        if place.below is not None and tag in place.below:
            return place.below[tag]
        if tag in self.boxes:
            kind = self.boxes[tag]
            if self.is_common(place.box, kind, tag):
                return Place(Box(kind, place.box, index), BARE, 0, place.marks, place.link)
            return self.boxed(place, kind, index, tag)
        if tag == "a":
            return Place(place.box, place.form, place.level, place.marks, self.address(index) or place.link)
        if tag in self.marks:
            new = Place(place.box, place.form, place.level, place.marks | self.marks[tag], place.link)
        else:
            new = self.formed(place, self.forms[tag], index, tag)
        if not new.code and not self.special:
            if place.below is None:
                place.below = {}
            place.below[tag] = new
        return new

    def is_common(self, box: Box, kind: int, tag: str) -> bool:
        """Tell whether a box is what most are, and needs no care: an item, a list without numbers, a cell."""
        if kind == ITEM:
            return box.kind == LIST and box.number is None
        if box.depth > self.deepest:
            return False
        return box.kind == TABLE if kind == CELL else tag == "ul" and box.kind in (ROOT, ITEM)

    def formed(self, place: Place, form: int, index: int, tag: str) -> Place:
        """Return what a paragraph, a heading or code passes on."""
        box = place.box
        if box.kind in FLAT:
            if form != CODE:
                return place
            return Place(box, place.form, place.level, place.marks | VERBATIM, place.link)
        if form == PARAGRAPH:
            return place if place.form == HEADING else Place(box, form, 0, place.marks, place.link)
        new = Place(box, form, int(tag[1]) if form == HEADING else 0, place.marks, place.link)
        new.code = index if form == CODE else 0
        return new

    def special_place(self, place: Place, index: int, tag: str) -> Place:
        """Return the place in an element that something stands for, or that is a note."""
        raise NotImplementedError

    def boxed(self, place: Place, kind: int, index: int, tag: str) -> Place:
        """Return the place in an element that is a box."""
        raise NotImplementedError

    def address(self, index: int) -> str:
        """Return where a link leads, or ""."""
        raise NotImplementedError


class Trunk:
    """The events of an outline so far, and the boxes that are open."""

    def __init__(
        self,
        places: Places,
        text: str,
        starts: NDArray[np.int32],
        ends: NDArray[np.int32],
        owners: NDArray[np.int32],
    ) -> None:
        self.places = places
        self.text = text
        self.starts = starts
        self.ends = ends
        self.owners = owners  # the elements that the leaves stand in
        self.events: list[Any] = []
        self.stack: list[Box] = []
        self.box = places.root  # the last that was written to
        self.kind = ROOT  # the kind of the box that was in use for it
        self.opened = False  # whether a box has been opened since the last leaf

    def take_while(self, pieces: list[tuple[int, int, bool]], marks: list[Any], number: int) -> int:
        """Write pieces from `number` on as long as they are simple; return the first that needs care.

        `marks` has one a piece, or is empty.
        """
        count = len(pieces)
        while number < count:
            piece = pieces[number]
            leaf, stop = piece[0], piece[1]
            if leaf < stop and not (piece[2] and self.take(leaf, stop, marks[number] if marks else None)):
                break
            number += 1
        return number

    def take(self, leaf: int, stop: int, mark: Any) -> bool:
        """Write the leaves from `leaf` up to `stop` as one, unless one of them needs care."""
        text = self.text
        first = self.places.at(self.owners[leaf])
        place = first
        left = self.starts[leaf]
        gap = ""
        runs = None
        for index in range(leaf + 1, stop):
            other = self.places.at(self.owners[index])
            if other is not place:
                if other.instead is not None:
                    return False
                if other.marks != place.marks or other.link != place.link:
                    right = self.ends[index - 1]
                    if runs is None:
                        runs = []
                    runs.append((gap, text[left:right], place.marks, place.link))
                    left = self.starts[index]
                    gap = text[right:left]
                place = other
        words = text[left : self.ends[stop - 1]]
        if first.instead is not None or (place.marks & VERBATIM and "\n" in words):
            return False
        if runs is None and not place.marks and not place.link:
            self.write((first.form, words, first.level, "", mark), first.box)
        else:
            runs = [] if runs is None else runs
            runs.append((gap, words, place.marks, place.link))
            self.write((first.form, runs, first.level, "", mark), first.box)
        return True

    def write(self, leaf: tuple[Any, ...], box: Box) -> None:
        """Put a leaf into its box."""
        if box is not self.box:
            self.box = box
            if box.kind in CHOOSY:
                box = self.round_text(box)
            self.kind = box.kind
            self.move(box)
        if not self.opened and self.kind in FLAT:
            self.events[-1] = self.joined(self.events[-1], leaf)
        elif leaf[0] == BARE and not (self.opened and self.kind in HOLD_TEXT):
            self.events.append((PARAGRAPH, leaf[1], leaf[2], leaf[3], leaf[4]))
        else:
            self.events.append(leaf)
        self.opened = False

    def move(self, target: Box) -> None:
        """Close the boxes that end here and open those that begin."""
        stack = self.stack
        opening = []
        box = target
        while box.depth > len(stack) or (box.depth and stack[box.depth - 1] is not box):
            opening.append(box)
            box = box.parent  # type: ignore[assignment]
        while len(stack) > box.depth:
            last = stack.pop()
            self.events.append(CLOSES[last.kind])
        for box in reversed(opening):
            # What stands in a list outside of its items goes on with the item before it.
            if box.implied and box.kind in (ITEM, MEANING) and self.ends_with(CLOSES[box.kind]):
                self.events.pop()
            else:
                self.events.append(box)
                self.opened = True
            stack.append(box)

    def ends_with(self, event: Any) -> bool:
        """Tell whether an event is the last so far."""
        return bool(self.events) and self.events[-1] is event

    def round_text(self, box: Box) -> Box:
        """Return the box for text that stands directly in one that holds only boxes."""
        raise NotImplementedError

    def joined(self, first: Any, second: Any) -> Any:
        """Return two leaves as the lines of one."""
        raise NotImplementedError
