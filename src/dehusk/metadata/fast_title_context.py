# cython: wraparound=False
"""The lines near the title, where readers look for author and date: which have a year, which may name an author.

Compiled with the C types in fast_title_context.pxd; as plain Python it returns the same.
"""

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.page.walk_flags import NEW_LINE

if TYPE_CHECKING:
    from dehusk.page.leaves import Leaves

LINES_ABOVE = 6  # what is further up belongs to the site
LINES_BELOW = 15
MAX_LINE_LENGTH = 200  # characters; longer lines are running text
# One below, one above, two below, two above…
DISTANCES = sorted({*range(-LINES_ABOVE, LINES_BELOW + 1)} - {0}, key=lambda distance: (abs(distance), -distance))
LEAVES_PER_LINE = 12  # on average at most; hardly any line has more
MARK_LEVELS = 4  # ancestors of a text whose attributes are read

# Attribute values that mark an author's name, in lower case with a blank at both ends.
MARKS = (
    "author", "byline", " by-", "writer", "auteur", " autor ", "autor-", "-autor", "autor_", "_autor", "username",
    "user-name", "creator", "postedby", "posted-by", "writtenby", "written-by", "p-name",
)  # fmt: skip
# Each mark contains one of these, so most elements are ruled out by a few comparisons.
MARK_HINTS = ("by", "aut", "user", "writ", "creat", "p-name")
# Values that mark something about the author, or another person.
NOT_THE_AUTHOR = (
    "bio", "desc", "avatar", "image", "social", "comment", "related", "count", "job", "role", "position", "company",
    "authority", "reviewer", "editor",
)  # fmt: skip


class TitleLine(NamedTuple):
    """A line near the title: its text, first leaf, one past its last leaf, and distance (negative: above the title)."""

    text: str
    first: int
    last: int
    distance: int


class DatedLine(NamedTuple):
    """A line that may show a date, the short line above it or "", and the largest distance seen so far."""

    line: TitleLine
    label: str
    reach: int


def lines_near(text: str, leaves: "Leaves", leaf: int) -> list[TitleLine]:
    """Return the lines near a leaf of a page's text, nearest first; at equal distance the one below comes first.

    >>> from dehusk.page import Page
    >>> page = Page.from_html("<p>News<h1>Title</h1><p>By Ann<p>Text")
    >>> [(line.text, line.distance) for line in lines_near(page.text, page.leaves, 1)]
    [('By Ann', 1), ('News', -1), ('Text', 2)]
    """
    lines: list[TitleLine] = []
    if not 0 <= leaf < len(leaves):
        return lines
    edges, own = line_edges(leaves.gap, leaf, LINES_ABOVE, LINES_BELOW)
    start, end, longest = leaves.start, leaves.end, MAX_LINE_LENGTH
    count = len(edges) - 1
    for distance in DISTANCES:
        index = own + distance
        if 0 <= index < count:
            first, last = edges[index], edges[index + 1]
            left, right = start[first], end[last - 1]
            if right - left <= longest:
                lines.append(TitleLine(text[left:right], first, last, distance))
    return lines


def line_edges(parted: NDArray[np.uint8], leaf: int, above: int, below: int) -> tuple[list[int], int]:
    """Return the first leaf of each line near a leaf, then the end of the last line; and the index of the leaf's line.

    At most `above` lines before it and `below` after it; `parted` says what separates each leaf from the previous one.
    """
    low, high = leaf - LEAVES_PER_LINE * above, leaf + LEAVES_PER_LINE * below
    low = max(low, 0)
    high = min(high, len(parted))
    own = leaf
    while own > low and parted[own] < NEW_LINE:
        own -= 1
    edges = [own]
    index, before = own, 0
    while index > low and before < above:
        index -= 1
        if parted[index] >= NEW_LINE:
            edges.append(index)
            before += 1
    edges.reverse()
    index, after = leaf + 1, 0
    while index < high and after <= below:
        if parted[index] >= NEW_LINE:
            edges.append(index)
            after += 1
        index += 1
    if after <= below:
        edges.append(high)
    return edges, before


def dated_lines(lines: Sequence[TitleLine], every: bool, max_label: int) -> list[DatedLine]:
    """Return the lines with a year, or `every` line: first those below the title, then those above it.

    Each comes with the line before it as its label, if that is below the title and shorter than `max_label`.
    """
    dated = []
    label = ""
    reach = 0
    for sign in (1, -1):
        for line in lines:
            text, _, _, distance = line
            if distance * sign < 0:
                continue
            reach = max(reach, distance)
            if every or "20" in text or "19" in text:
                dated.append(DatedLine(line, label, reach))
            label = text if distance > 0 and len(text) < max_label else ""
    return dated


class AuthorMarks:
    """Finds text whose elements are marked as an author's name; the attributes of each element are read once."""

    def __init__(self, nodes: Sequence[Any], parents: Sequence[int], holders: NDArray[np.int32]) -> None:
        """Take the page's elements, the parent of each, and the element that holds each leaf."""
        self.nodes = nodes
        self.parents = parents
        self.holders = holders
        self.known: dict[int, str] = {}
        self.marked: set[int] = set()

    def attributes(self, element: int) -> str:
        """Return `class`, `itemprop` and `rel` of an element, in lower case with a blank at both ends, or ""."""
        known = self.known.get(element)
        if known is not None:
            return known
        node = self.nodes[element]
        value, role, relation = node.attr("class"), node.attr("itemprop"), node.attr("rel")
        if role or relation:
            value = " ".join([part for part in (value, role, relation) if part])
        text = f" {value.lower()} " if value else ""
        self.known[element] = text
        if text and contains_any(text, MARK_HINTS) and contains_any(text, MARKS):
            self.marked.add(element)
        return text

    def marked_elements(self, first: int, last: int) -> list[int] | None:
        """Return the nearest marked element above each leaf, or -1; None where no leaf has one."""
        owners = []
        some = False
        for leaf in range(first, last):
            owner = self.nearest_marked(self.holders[leaf])
            if owner >= 0:
                some = True
            owners.append(owner)
        return owners if some else None

    def next_candidate(
        self, lines: Sequence[TitleLine], index: int, words: Container[str], prefixes: tuple[str, ...]
    ) -> tuple[int, list[int] | None, bool]:
        """Return the index of the first line from `index` on that may name an author, or the number of lines.

        With it come the `marked_elements` of its leaves, and whether it contains one of the `words` or starts with one
        of the `prefixes`.
        """
        count = len(lines)
        while index < count:
            text, first, last, _ = lines[index]
            owners = self.marked_elements(first, last)
            has_word = _has_word(text, words) or text.startswith(prefixes)
            if owners is not None or has_word:
                return index, owners, has_word
            index += 1
        return count, None, False

    def nearest_marked(self, element: int) -> int:
        """Return the nearest element, from this one upwards, that is marked as an author's name.

        -1 if there is none, or if it is about the author or in a comment.
        """
        below = ""
        for _ in range(MARK_LEVELS):
            if element <= 0:
                break
            own = self.attributes(element)
            if own:
                below = below + own
                if element in self.marked:
                    return -1 if contains_any(below, NOT_THE_AUTHOR) or self.in_comment(element) else element
            element = self.parents[element]
        return -1

    def in_comment(self, element: int) -> bool:
        """Return whether an ancestor of an element is marked as a comment."""
        for _ in range(MARK_LEVELS):
            element = self.parents[element]
            if element <= 0:
                return False
            if "comment" in self.attributes(element):
                return True
        return False


def contains_any(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a text contains one of the words."""
    for word in words:  # noqa: SIM110  (compiled, a loop is faster than a generator)
        if word in text:
            return True
    return False


def _has_word(text: str, words: Container[str]) -> bool:
    """Return whether one of the words is a word of a text, whatever its case; a colon ends a word."""
    text = text.lower()
    if ":" in text:
        text = text.replace(":", " ")
    for word in text.split():  # noqa: SIM110  (as above)
        if word in words:
            return True
    return False
