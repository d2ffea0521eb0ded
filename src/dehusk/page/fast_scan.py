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


def related(nodes: Sequence[Element], wanted: Container[str]) -> dict[str, list[Element]]:
    """Return the elements by those words of their `rel` that are `wanted`, in lower case."""
    found: dict[str, list[Element]] = {}
    # Most links of a page say the same, and nothing that anybody asks for.
    known: dict[str, list[str]] = {}
    for node in nodes:
        said = node.attr("rel")
        if not said:
            continue
        words = known.get(said)
        if words is None:
            # Once each, however often a link says it.
            words = [word for word in set(said.lower().split()) if word in wanted]
            known[said] = words
        for word in words:
            if word in found:
                found[word].append(node)
            else:
                found[word] = [node]
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


def places_round(
    tags: Sequence[str], parents: Sequence[int], wanted: Container[str], element: int, high: int
) -> list[int]:
    """Return which elements have one of the `wanted` tags: an element, those round it, those after it up to `high`."""
    found: list[int] = places_of(tags, wanted, element + 1, high, high)
    while element >= 0:
        if tags[element] in wanted:
            found.append(element)
        element = parents[element]
    return found


def texts_below(
    text: str,
    places: Sequence[int],
    parents: Sequence[int],
    start: NDArray[np.int32],
    end: NDArray[np.int32],
    element: NDArray[np.int32],
    opened: NDArray[np.int32],
) -> list[tuple[str, int]]:
    """Return the text of each of some elements and the leaf that it begins with; those without text are left out."""
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
        if low < last:
            left, right = start[low], end[last - 1]
            found.append((text[left:right], low))
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


def dated(
    lines: Sequence[tuple[str, int, int, int]], every: bool, short: int
) -> list[tuple[tuple[str, int, int, int], str, int]]:
    """Return the lines that have a year, or `every` line: those below the title first, then those above it.

    Each with the line below the title that came before it, if that is `short`, and with how far below the title lines
    have been seen by then.
    """
    found = []
    label = ""
    reach = 0
    for sign in (1, -1):
        for near in lines:
            text, _, _, distance = near
            if distance * sign < 0:
                continue
            reach = max(reach, distance)
            if every or "20" in text or "19" in text:
                found.append((near, label, reach))
            label = text if distance > 0 and len(text) < short else ""
    return found


class Marks:
    """What the attributes of elements say about the text in them; each element is read once."""

    def __init__(
        self,
        nodes: Sequence[Node],
        parents: Sequence[int],
        holders: NDArray[np.int32],
        hints: tuple[str, ...],
        marks: tuple[str, ...],
        others: tuple[str, ...],
    ) -> None:
        """Take the elements, those that hold the leaves, and what they say.

        What marks a name, what marks something else, and the `hints` of which each mark holds one.
        """
        self.nodes = nodes
        self.parents = parents
        self.holders = holders
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
        if text and holds(text, self.hints) and holds(text, self.marks):
            self.marked.add(index)
        return text

    def owners(self, first: int, last: int) -> list[int] | None:
        """Return the nearest marked element above each of some leaves, or -1; None where no leaf has any."""
        found = []
        some = False
        for leaf in range(first, last):
            owner = self.nearest(self.holders[leaf])
            if owner >= 0:
                some = True
            found.append(owner)
        return found if some else None

    def next_named(
        self,
        lines: Sequence[tuple[str, int, int, int]],
        place: int,
        words: Container[str],
        glued: tuple[str, ...],
    ) -> tuple[int, list[int] | None, bool]:
        """Return the first line from `place` on that may name somebody, or as many as there are lines.

        With it the `owners` of its leaves, and whether it has one of some `words` or begins with what may be `glued`
        to a name.
        """
        count = len(lines)
        while place < count:
            text, first, last, _ = lines[place]
            owners = self.owners(first, last)
            says = _says(text, words) or text.startswith(glued)
            if owners is not None or says:
                return place, owners, says
            place += 1
        return count, None, False

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
                    return -1 if holds(below, self.others) or self.in_comment(index) else index
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


def holds(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of some words stands in a text."""
    for word in words:  # noqa: SIM110  (compiled, a loop costs nothing and a generator does)
        if word in text:
            return True
    return False


def _says(text: str, words: Container[str]) -> bool:
    """Whether one of the words of a text is among some, whatever its case; a colon ends a word."""
    text = text.lower()
    if ":" in text:
        text = text.replace(":", " ")
    for word in text.split():  # noqa: SIM110  (as above)
        if word in words:
            return True
    return False
