"""Sections: the parts of an outline under their headings, and how they are packed into chunks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from dehusk.chunks.parts import Opened, OutlinePart

# An introduction of at most one in so many of the requested words is of little use as a chunk of its own.
SHORT: Final = 4


@dataclass(slots=True, eq=False)
class Section:
    """A heading, what is directly below it, and its subsections, in order. The outermost section has no heading."""

    level: int = 0
    path: tuple[Opened, ...] = ()  # the containers around the heading
    headings: tuple[OutlinePart, ...] = ()
    content: "list[OutlinePart | Section]" = field(default_factory=list)
    words: int = 0

    def parts(self) -> Iterator[OutlinePart]:
        """Yield all parts, those of subsections included."""
        for each in self.content:
            if isinstance(each, OutlinePart):
                yield each
            else:
                yield from each.parts()


def section_tree(parts: list[OutlinePart]) -> Section:
    """Return the outermost section; each part gets its headings.

    >>> from dehusk import extract
    >>> from dehusk.chunks.parts import parts_of
    >>> from dehusk.characters import word_totals
    >>> from dehusk.outline.build import outline
    >>> document = extract("<h1>A</h1><ul><li><h2>B</h2>c</ul>d", method="alltext")
    >>> tree = section_tree(parts_of(outline(document).events, word_totals(document.page.text)))
    >>> [[heading.title for heading in part.headings] for part in tree.parts()]
    [['A'], ['A', 'B'], ['A', 'B'], ['A']]
    """
    opened = [Section()]
    for part in parts:
        while not _is_inside(part.path, opened[-1].path) or 0 < part.level <= opened[-1].level:
            opened.pop()
        if part.level:
            section = Section(part.level, part.path, (*opened[-1].headings, part))
            opened[-1].content.append(section)
            opened.append(section)
        part.headings = opened[-1].headings
        opened[-1].content.append(part)
        for section in opened:
            section.words += part.words
    return opened[0]


def _is_inside(path: tuple[Opened, ...], around: tuple[Opened, ...]) -> bool:
    return not around or (len(path) >= len(around) and path[len(around) - 1] is around[-1])


def packed(
    section: Section, target: int, pieces: Callable[[OutlinePart], list[OutlinePart]]
) -> list[list[OutlinePart]]:
    """Return the parts of a section in groups of up to `target` words; `pieces` cuts a part that is too long."""
    packer = _Packer(target, pieces)
    packer.add_section(section)
    return packer.groups + [packer.group] * bool(packer.group)


class _Packer:
    def __init__(self, target: int, pieces: Callable[[OutlinePart], list[OutlinePart]]) -> None:
        self._target, self._pieces = target, pieces
        self.groups: list[list[OutlinePart]] = []
        self.group: list[OutlinePart] = []
        self._words = 0  # of the group in progress, without the headings before its text
        self._has_text = False

    def add_section(self, section: Section) -> None:
        """Add a section: whole if that is possible, else piece by piece."""
        fits = section.words <= self._target
        if self._words + section.words > self._target and (fits or self._words * SHORT > self._target):
            self._cut_before()
        if fits:
            self._add(list(section.parts()))
        else:
            for is_part, run in groupby(section.content, lambda each: isinstance(each, OutlinePart)):
                if is_part:
                    for unit in self._units([part for part in run if isinstance(part, OutlinePart)], 0):
                        if self._words + sum(part.words for part in unit) > self._target:
                            self._cut_before()
                        self._add(unit)
                else:
                    for each in run:
                        assert isinstance(each, Section)
                        self.add_section(each)
        self._cut()

    def _units(self, parts: list[OutlinePart], depth: int) -> Iterator[list[OutlinePart]]:
        """Yield what is to stay together: the content of a container at some depth if it is short, else less."""
        for container, group in groupby(parts, lambda part: part.path[depth] if len(part.path) > depth else None):
            unit = list(group)
            if container is None:
                for part in unit:
                    yield from ([each] for each in (self._pieces(part) if part.words > self._target else [part]))
            elif sum(part.words for part in unit) <= self._target:
                yield unit
            else:
                yield from self._units(unit, depth + 1)

    def _add(self, parts: list[OutlinePart]) -> None:
        for part in parts:
            self.group.append(part)
            self._has_text = self._has_text or not part.level
            self._words += part.words if self._has_text else 0
        # A page may be nothing but headings.
        if not self._has_text and sum(part.words for part in self.group) > self._target:
            self.groups.append(self.group)
            self.group = []

    def _cut_before(self) -> None:
        """End the group in progress, except for what introduces the next part."""
        end = len(self.group)
        while end and self.group[end - 1].introduces:
            end -= 1
        rest = self.group[end:] if end else []
        del self.group[len(self.group) - len(rest) :]
        self._cut()
        self._add(rest)

    def _cut(self) -> None:
        """End the group in progress, unless it is nothing but headings: these go with what follows."""
        if self._has_text:
            self.groups.append(self.group)
            self.group, self._words, self._has_text = [], 0, False
