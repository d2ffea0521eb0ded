"""The same text twice: copies for other screens, print layers, posts and sentences that are quoted. One is kept."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import REPEATED_WORDS, Blocks, Kind
from dehusk.page.leaves import BoolArray
from dehusk.page.walk_flags import BLOCK, ROLES

FIXED: Final = frozenset({int(Kind.CELL), int(Kind.CODE)})  # in tables and code, the same text again says something
# How many elements up two copies are compared; entries of a list are not deeper, and a hostile page costs no more.
HIGHEST: Final = 30
NEAR: Final = 5  # blocks
# Of a page, those that are looked for elsewhere, and how often, which bounds the cost of hostile pages.
MOST_QUOTES: Final = 100
MOST_PLACES: Final = 5
QUOTABLE: Final = frozenset({int(Kind.PARAGRAPH), int(Kind.ITEM)})


def without_repeats(blocks: Blocks, kept: BoolArray) -> BoolArray:
    """Return what is kept, where several blocks have the same text only one of them: the first that is in sight.

    Short blocks next to a copy that repeat what is next to the original go with it. Refrains stay, and so does what
    the entries of a list have in common.

    >>> from dehusk.blocks import cut
    >>> from dehusk.page import Page
    >>> post = "<p>The first hay was late this year, since June was wet.</p>"
    >>> blocks = cut(Page.from_html(f"<div>{post}</div><div><blockquote>{post}</blockquote><p>Here too.</div>"))
    >>> without_repeats(blocks, np.array([True, True, True]))
    array([ True, False,  True])
    """
    kept = without_quotes(blocks, kept)
    first = blocks.repeats(among=kept)
    if not len(first) or first.max() < 0:
        return kept
    indexes = np.flatnonzero(kept)
    ranks = np.cumsum(kept) - 1  # of each block that is kept, among those
    groups: dict[int, list[int]] = {}
    for copy, original in zip(ranks[first >= 0].tolist(), ranks[first[first >= 0]].tolist(), strict=True):
        groups.setdefault(original, [original]).append(copy)
    copies = _Copies(blocks, indexes, groups)
    for group in groups.values():
        copies.keep_one(group)
    result = kept.copy()
    result[indexes[~copies.kept]] = False
    return result


def without_quotes(blocks: Blocks, kept: BoolArray) -> BoolArray:
    """Return what is kept without quotes of eight words or more from another block that is kept and is no quote.

    >>> from dehusk.blocks import cut
    >>> from dehusk.page import Page
    >>> quote = "The first hay was late this year, since June was wet."
    >>> blocks = cut(Page.from_html(f"<p>Well. {quote} We waited.<blockquote>{quote}</blockquote><p>Here too."))
    >>> without_quotes(blocks, np.array([True, True, True]))
    array([ True, False,  True])
    """
    if "blockquote" not in blocks.elements.tag:
        return kept
    indexes = np.flatnonzero(kept).tolist()
    codes = dict(zip(indexes, blocks.codes(indexes), strict=True))
    result = kept.copy()
    for index in [index for index in indexes if codes[index] & 0xFF == Kind.QUOTE][:MOST_QUOTES]:
        quote = blocks.text[blocks.start[index] : blocks.end[index]]
        if len(quote.split()) >= REPEATED_WORDS:
            result[index] = not any(codes.get(other, -1) & 0xFF in QUOTABLE for other in _blocks_with(blocks, quote))
    return result


def _blocks_with(blocks: Blocks, text: str) -> Iterator[int]:
    """Yield the indexes of blocks that have a text in them, where it first occurs in the page."""
    offset = -1
    for _ in range(MOST_PLACES):
        offset = blocks.text.find(text, offset + 1)
        if offset < 0:
            return
        index = int(blocks.end.searchsorted(offset, "right"))
        if index < len(blocks) and blocks.start[index] <= offset and offset + len(text) <= blocks.end[index]:
            yield index


class _Copies:
    """The blocks that are kept, by their rank among each other, and groups of them that have the same text."""

    def __init__(self, blocks: Blocks, indexes: NDArray[np.intp], groups: dict[int, list[int]]) -> None:
        self._text = blocks.text
        self._start, self._end = blocks.start[indexes].tolist(), blocks.end[indexes].tolist()
        self._owners, self._hidden = blocks.owner[indexes].tolist(), blocks.hidden[indexes].tolist()
        self._tags, self._parents = blocks.elements.tag, blocks.elements.parent
        originals = list(groups)
        codes = blocks.codes(indexes[originals].tolist())
        self._fixed = {rank for rank, code in zip(originals, codes, strict=True) if code & 0xFF in FIXED}
        # A long heading names one thing: an entry that is listed again, or the thread above each of its posts.
        self._headings = {rank for rank, code in zip(originals, codes, strict=True) if code & 0xFF == Kind.HEADING}
        self._grouped = {rank for group in groups.values() for rank in group}
        self.kept = np.ones(len(indexes), np.bool_)

    def keep_one(self, group: list[int]) -> None:
        """Drop all blocks of a group but one, unless the text is meant to be there several times."""
        if group[0] in self._fixed:
            return
        best = next((rank for rank in group if not self._hidden[rank]), group[0])
        is_heading = group[0] in self._headings
        for before, rank in pairwise([group[0], *group]):
            if rank != best and (is_heading or not self._is_refrain(best, before, rank)):
                self.kept[rank] = False
                self._drop_neighbours(best, rank, -1)
                self._drop_neighbours(best, rank, 1)

    def _drop_neighbours(self, best: int, rank: int, step: int) -> None:
        """Drop what comes before or after a copy as long as it is the same as with the original."""
        best, rank = best + step, rank + step
        while self._same_text(best, rank) and not {best, rank} & self._grouped and self.kept[best]:
            self.kept[rank] = False
            best, rank = best + step, rank + step

    def _is_refrain(self, best: int, before: int, rank: int) -> bool:
        """Return whether a copy, and the one before it, come in the course of a text or of a list of entries."""
        one, other = self._ancestors(best), self._ancestors(rank)
        if one[0] == other[0] or one[1:2] == other[1:2]:
            return rank - before > 1
        steps = _steps_to_common(one, other)
        tags = [[self._tags[element] for element in ancestors[:steps]] for ancestors in (one, other)]
        if not steps or tags[0] != tags[1]:
            return False
        if self._goes_on(best, rank, -1) or self._goes_on(best, rank, 1):
            return False
        # Entries differ in what is next to the text they share, copies of one entry do not.
        entry = other[steps - 1]
        around = ((best + step, rank + step) for step in (-1, 1))
        return any(self._is_in(near, entry) and not self._same_text(original, near) for original, near in around)

    def _goes_on(self, best: int, rank: int, step: int) -> bool:
        """Return whether another long text that is a copy too comes next, after a few short ones at most."""
        for _ in range(NEAR):
            best, rank = best + step, rank + step
            if not self._same_text(best, rank):
                return False
            if rank in self._grouped:
                return True
        return False

    def _same_text(self, one: int, other: int) -> bool:
        count = len(self._start)
        if not (0 <= one < count and 0 <= other < count):
            return False
        first, second = (self._start[one], self._end[one]), (self._start[other], self._end[other])
        return first[1] - first[0] == second[1] - second[0] and self._text[slice(*first)] == self._text[slice(*second)]

    def _is_in(self, rank: int, element: int) -> bool:
        return 0 <= rank < len(self._owners) and element in self._ancestors(rank)

    def _ancestors(self, rank: int) -> list[int]:
        """Return the block-level element that holds a block, and those above it."""
        ancestors, element = list[int](), self._owners[rank]
        for _ in range(HIGHEST):
            if ancestors or element == 0 or ROLES.get(self._tags[element], 0) & BLOCK:
                ancestors.append(element)
            if element == 0:
                break
            element = self._parents[element]
        return ancestors or [element]


def _steps_to_common(one: list[int], other: list[int]) -> int:
    """Return after how many steps two chains of ancestors meet, 0 unless both take the same number.

    >>> _steps_to_common([9, 5, 2, 1], [7, 6, 2, 1]), _steps_to_common([9, 2, 1], [7, 6, 2, 1])
    (2, 0)
    """
    return next((step for step, pair in enumerate(zip(one, other, strict=False)) if pair[0] == pair[1]), 0)
