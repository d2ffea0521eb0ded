"""bte: body text extraction, the stretch of a page with most words and fewest tags.

Finn, Kushmerick and Smyth: Fact or fiction: content classification for digital libraries. DELOS workshop, Dublin 2001.
A page is a sequence of tags and words; the stretch maximises the number of words inside it plus that of tags outside of
it. The paper tries all pairs of borders; since the tags outside are all tags minus those inside, the best stretch is
the one with the largest sum of words minus tags, which one pass finds.
"""

from dataclasses import dataclass

import numpy as np

from dehusk.blocks import Blocks, cut
from dehusk.characters import word_totals
from dehusk.page import Page
from dehusk.page.leaves import IntArray
from dehusk.scores import Scores


@dataclass(frozen=True, slots=True)
class BodyText:
    """Scores a block by the share of its text outside of the stretch."""

    name: str = "bte"

    def segment(self, page: Page) -> Blocks:
        """Cut the page at its block-level elements."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score 0 inside the stretch, 1 outside, and in between for the blocks at its borders."""
        first, last = body_text(page)
        if first == last:
            return Scores(blocks, np.ones(len(blocks)), self.name)
        start, end = page.leaves.start[first], page.leaves.end[last - 1]
        inside = np.minimum(blocks.end, end) - np.maximum(blocks.start, start)
        return Scores(blocks, 1.0 - np.clip(inside, 0, None) / (blocks.end - blocks.start), self.name)


def body_text(page: Page) -> tuple[int, int]:
    """Return the first leaf of the stretch and the one after its last.

    >>> page = Page.from_html("<ul><li>Home<li>News</ul><p>The text that <b>people</b> came for.</p><hr><i>Top</i>")
    >>> first, last = body_text(page)
    >>> page.text[page.leaves.start[first] : page.leaves.end[last - 1]]
    'The text that people came for.'
    """
    leaves = page.leaves
    if not len(leaves):
        return 0, 0
    totals = word_totals(page.text)
    words = totals[leaves.end] - totals[leaves.start]
    # A stretch that begins with a leaf does not include the tags before it.
    gain = np.cumsum(words) - np.cumsum(_tags_before(page))
    before = gain - words
    lowest = np.minimum.accumulate(before)
    last = int(np.argmax(gain - lowest))
    return int(np.argmin(before[: last + 1])), last + 1


def _tags_before(page: Page) -> IntArray:
    """Return how many tags, opening and closing, are between each leaf and the one before it."""
    leaves, parents = page.leaves, page.elements.parent
    depths = [0] * len(parents)
    for index in range(1, len(parents)):
        depths[index] = depths[parents[index]] + 1
    opened = np.diff(leaves.opened, prepend=np.int32(1))
    depth = np.array(depths, np.int32)[leaves.element]
    # Elements that were opened without adding to the depth have been closed again.
    closed = opened - np.diff(depth, prepend=np.int32(0))
    tags: IntArray = opened + closed
    return tags
