"""bte: body text extraction, the one stretch of a page with most words and fewest tags.

Finn, Kushmerick and Smyth: Fact or fiction: content classification for digital libraries. DELOS workshop, Dublin 2001.
A page is a sequence of tags and words; the stretch is chosen so that the words inside it plus the tags outside of it
are as many as possible. The paper tries all pairs of borders; since the tags outside are all tags less those inside,
the best stretch is the one with the largest sum of words minus tags, which one pass finds.
"""

from dataclasses import dataclass

import numpy as np

from dehusk.blocks import Blocks, cut
from dehusk.page import Page
from dehusk.page.leaves import IntArray
from dehusk.scores import Scores
from dehusk.word_boundaries import word_totals


@dataclass(frozen=True, slots=True)
class BodyText:
    """Scores a block by the share of its text that lies outside of the stretch."""

    name: str = "bte"

    def segment(self, page: Page) -> Blocks:
        """Cut the page at its block-level elements."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score 0 inside the stretch, 1 outside, and in between for the blocks at its borders."""
        first, last = stretch(page)
        if first == last:
            return Scores(blocks, np.ones(len(blocks)), self.name)
        start, end = page.leaves.start[first], page.leaves.end[last - 1]
        inside = np.minimum(blocks.end, end) - np.maximum(blocks.start, start)
        return Scores(blocks, 1.0 - np.clip(inside, 0, None) / (blocks.end - blocks.start), self.name)


def stretch(page: Page) -> tuple[int, int]:
    """Return the first leaf of the body text and the one after its last.

    >>> page = Page.from_html("<ul><li>Home<li>News</ul><p>The text that <b>people</b> came for.</p><hr><i>Top</i>")
    >>> first, last = stretch(page)
    >>> page.text[page.leaves.start[first] : page.leaves.end[last - 1]]
    'The text that people came for.'
    """
    leaves = page.leaves
    if not len(leaves):
        return 0, 0
    totals = word_totals(page.text)
    words = totals[leaves.end] - totals[leaves.start]
    # Before leaf i stands what the tags in front of it cost, so a stretch that begins with i does not pay for them.
    gain = np.cumsum(words) - np.cumsum(_tags_before(page))
    before = gain - words
    lowest = np.minimum.accumulate(before)
    last = int(np.argmax(gain - lowest))
    return int(np.argmin(before[: last + 1])), last + 1


def _tags_before(page: Page) -> IntArray:
    """Return how many tags, opening and closing, stand between each leaf and the one before it."""
    leaves = page.leaves
    opened = np.diff(leaves.opened, prepend=np.int32(1))
    depth = _depths(page.elements.parent)[leaves.element]
    # Whatever was opened and did not add to the depth has been closed again.
    closed = opened - np.diff(depth, prepend=np.int32(0))
    tags: IntArray = opened + closed
    return tags


def _depths(parents: list[int]) -> IntArray:
    depths = [0] * len(parents)
    for index in range(1, len(parents)):
        depths[index] = depths[parents[index]] + 1
    return np.array(depths, np.int32)
