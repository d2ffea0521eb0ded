"""The parts of an outline that are never torn apart: leaf blocks, and whole tables and footnotes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.formats.markdown import next_number
from dehusk.outline import kinds
from dehusk.outline.fast_nodes import CONTAINER_ENDS, Container, ContainerEnd, LeafBlock
from dehusk.outline.nodes import Content, Event

WHOLE: Final = frozenset({kinds.TABLE, kinds.FOOTNOTE})
OBJECT: Final = "\ufffc"


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A container where it opens; a container that opens twice has two of these."""

    container: Container
    number: int | None  # of an item in an ordered list


@dataclass(slots=True, eq=False)
class OutlinePart:
    """A leaf block, table or footnote, and what is around it."""

    events: list[Event]
    path: tuple[Opened, ...]  # the containers around it, from the outside in
    words: int
    start: int  # its span in the page's text; -1 where that has nothing of it
    end: int
    level: int = 0  # of a heading
    title: str = ""  # of a heading
    headings: "tuple[OutlinePart, ...]" = field(default=(), repr=False)  # filled in by `section_tree`

    @property
    def introduces(self) -> bool:
        """Whether it belongs to what follows: a heading, the term of a definition, a line that ends in a colon."""
        if self.level or (self.path and self.path[-1].container.kind == kinds.TERM):
            return True
        leaf = self.events[0]
        if not isinstance(leaf, LeafBlock) or leaf.kind > kinds.PARAGRAPH:
            return False
        last = leaf.content if isinstance(leaf.content, str) else leaf.content[-1].content
        return isinstance(last, str) and last.endswith((":", "："))


def parts_of(events: Sequence[Event], totals: NDArray[np.int32]) -> list[OutlinePart]:
    """Return the parts of an outline; `totals` has the number of words before each character of the page's text.

    >>> from dehusk import extract
    >>> from dehusk.characters import word_totals
    >>> from dehusk.outline.build import outline
    >>> document = extract("<h2>To do</h2><ul><li>Peel<li>Fry it twice</ul>", method="alltext")
    >>> parts = parts_of(outline(document).events, word_totals(document.page.text))
    >>> [(part.words, part.level, len(part.path)) for part in parts]
    [(2, 2, 0), (1, 0, 2), (3, 0, 2)]
    """
    parts: list[OutlinePart] = []
    path: tuple[Opened, ...] = ()
    numbers: list[int] = []  # of the next item, for each open list
    index = 0
    while index < len(events):
        event = events[index]
        stop = index + 1
        if isinstance(event, ContainerEnd):
            if event.kind == kinds.LIST:
                numbers.pop()
            path = path[:-1]
        elif isinstance(event, LeafBlock) or event.kind in WHOLE:
            stop = _end(events, index)
            parts.append(_part(list(events[index:stop]), path, totals))
        else:
            path = (*path, _opened(event, numbers))
        index = stop
    return parts


def _end(events: Sequence[Event], index: int) -> int:
    """Return where the leaf block or container that begins at `index` ends."""
    depth = 0
    while True:
        event = events[index]
        depth += isinstance(event, Container) - isinstance(event, ContainerEnd)
        index += 1
        if depth == 0:
            return index


def _opened(container: Container, numbers: list[int]) -> Opened:
    if container.kind == kinds.LIST:
        numbers.append(container.number or 0)
    if container.kind != kinds.LIST_ITEM or container.parent is None or container.parent.number is None:
        return Opened(container, None)
    number = numbers[-1] if container.number is None else container.number
    numbers[-1] = next_number(number, container.parent.step)
    return Opened(container, number)


def _part(events: list[Event], path: tuple[Opened, ...], totals: NDArray[np.int32]) -> OutlinePart:
    leaves = [event for event in events if isinstance(event, LeafBlock) and event.start >= 0]
    start, end = (leaves[0].start, leaves[-1].end) if leaves else (-1, -1)
    words = int(totals[end] - totals[start]) if leaves else 1
    part, first = OutlinePart(events, path, words, start, end), events[0]
    if isinstance(first, LeafBlock) and first.kind == kinds.HEADING:
        part.level, part.title = first.level, " ".join(plain_text(first.content).split())
    return part


def reopened(parts: Sequence[OutlinePart]) -> list[Event]:
    """Return parts that follow each other as an outline of their own: lists and the like that were cut open again."""
    events: list[Event] = []
    before: tuple[Opened, ...] = ()
    for part in parts:
        path = part.path
        shared = shared_length(before, path)
        events += [CONTAINER_ENDS[opened.container.kind] for opened in reversed(before[shared:])]
        events += [_renumbered(path, depth) for depth in range(shared, len(path))]
        events += part.events
        before = path
    return events + [CONTAINER_ENDS[opened.container.kind] for opened in reversed(before)]


def shared_length(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items two paths have in common from their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (left, right) in pairs if left is not right), min(len(one), len(other)))


def _renumbered(path: tuple[Opened, ...], depth: int) -> Container:
    """Return the container at some depth; an ordered list begins with the number of the item that it is cut at."""
    container = path[depth].container
    number = path[depth + 1].number if depth + 1 < len(path) else None
    if container.kind != kinds.LIST or number is None or number == container.number:
        return container
    copy = Container(container.kind, container.parent, container.element)
    copy.number, copy.step, copy.implied = number, container.step, container.implied
    return copy


def plain_text(content: Content) -> str:
    """Return content without styles; an image, formula or footnote reference is one character.

    >>> from dehusk.outline.fast_nodes import InlineRun
    >>> plain_text([InlineRun("", "Fry it"), InlineRun(" ", "twice", 1)])
    'Fry it twice'
    """
    if isinstance(content, str):
        return content
    return "".join([run.gap + (run.content if isinstance(run.content, str) else OBJECT) for run in content])
