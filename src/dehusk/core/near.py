"""Near the title: what `meta` elements say, where headings stand, the lines round them, and whom those are marked for.

Compiled by way of near.pxd, which gives the names below their C types; as plain Python it finds the same.
"""

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element, Node

LEVELS = 4  # elements above a text whose attributes speak of it


def told(nodes: Sequence[Element], known: Container[str], longest: int) -> dict[str, list[str]]:
    """Return what `meta` elements say under names that are `known`, in lower case, each at most so long."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        name = node.attr("property") or node.attr("name") or node.attr("itemprop") or node.attr("http-equiv")
        if not name:
            continue
        # Most elements tell of something that nobody asks for, and need not be read any further.
        if name not in known:
            name = name.strip().lower()
            if name not in known:
                continue
        content = node.attr("content")
        if content:
            if name in found:
                found[name].append(content[:longest])
            else:
                found[name] = [content[:longest]]
    return found


def places_of(tags: Sequence[str], wanted: Container[str], low: int, high: int, most: int) -> list[int]:
    """Return which elements from `low` up to `high` have one of the `wanted` tags, the first `most` of them."""
    found: list[int] = []
    for place in range(low, min(high, len(tags))):
        if len(found) == most:
            break
        if tags[place] in wanted:
            found.append(place)
    return found


def leaves_below(
    places: Sequence[int], parents: Sequence[int], element: NDArray[np.int32], opened: NDArray[np.int32]
) -> list[tuple[int, int]]:
    """Return the first leaf below each of some elements, and one past the last; equal where there are none."""
    found = []
    leaves = len(element)
    for place in places:
        low, high = 0, leaves
        while low < high:
            middle = (low + high) // 2
            if opened[middle] > place:
                high = middle
            else:
                low = middle + 1
        last = low
        while last < leaves:
            above = element[last]
            while above > place:
                above = parents[above]
            if above != place:
                break
            last += 1
        found.append((low, last))
    return found


def lines(
    text: str,
    start: NDArray[np.int32],
    end: NDArray[np.int32],
    edges: Sequence[int],
    here: int,
    distances: Sequence[int],
    longest: int,
) -> list[tuple[str, int, int, int]]:
    """Return the lines at some distances from line `here` that are not too long: text, first leaf, last leaf, distance.

    `edges` has the leaves that lines begin with, at last where the last one ends; a last leaf is one past it.
    """
    found = []
    count = len(edges) - 1
    for distance in distances:
        number = here + distance
        if 0 <= number < count:
            first, last = edges[number], edges[number + 1]
            left, right = start[first], end[last - 1]
            if right - left <= longest:
                found.append((text[left:right], first, last, distance))
    return found


class Marks:
    """What the attributes of elements say about the text in them; each element is read once."""

    def __init__(
        self,
        nodes: Sequence[Node],
        parents: Sequence[int],
        hints: tuple[str, ...],
        marks: tuple[str, ...],
        others: tuple[str, ...],
    ) -> None:
        """Take the elements, what marks a name, what marks something else, and the `hints` that each mark holds."""
        self.nodes = nodes
        self.parents = parents
        self.hints = hints
        self.marks = marks
        self.others = others
        self.known: dict[int, str] = {}
        self.marked: set[int] = set()

    def said(self, index: int) -> str:
        """Return the attributes of an element, in lower case with blanks round them."""
        known = self.known.get(index)
        if known is not None:
            return known
        node = self.nodes[index]
        said, role, relation = node.attr("class"), node.attr("itemprop"), node.attr("rel")  # type: ignore[attr-defined]
        if role or relation:
            said = " ".join([part for part in (said, role, relation) if part])
        text = f" {said.lower()} " if said else ""
        self.known[index] = text
        if text and _holds(text, self.hints) and _holds(text, self.marks):
            self.marked.add(index)
        return text

    def owners(self, holders: NDArray[np.int32], first: int, last: int) -> list[int] | None:
        """Return the nearest marked element above each of some leaves, or -1; None where no leaf has any."""
        found = []
        some = False
        for leaf in range(first, last):
            owner = self.nearest(holders[leaf])
            if owner >= 0:
                some = True
            found.append(owner)
        return found if some else None

    def nearest(self, index: int) -> int:
        """Return the nearest element above a text that is marked as a name, or -1: none, or that of another."""
        below = ""
        for _ in range(LEVELS):
            if index <= 0:
                break
            said = self.said(index)
            if said:
                below = below + said
                if index in self.marked:
                    return -1 if _holds(below, self.others) or self.in_comment(index) else index
            index = self.parents[index]
        return -1

    def in_comment(self, index: int) -> bool:
        """Whether an element stands in what is marked as a comment."""
        for _ in range(LEVELS):
            index = self.parents[index]
            if index <= 0:
                return False
            if "comment" in self.said(index):
                return True
        return False


def _holds(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of some words stands in a text."""
    for word in words:  # noqa: SIM110  (compiled, a loop costs nothing and a generator does)
        if word in text:
            return True
    return False
