"""Alignment: the share of each block's words that a page's gold text contains."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dehusk.gold.word_sequences import IntArray, Pairs, common_subsequence, numbered, words

Offsets: TypeAlias = npt.NDArray[np.integer[Any]]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

# If most of the gold is not on the page, its labels are wrong: the text came by script, or the gold from a meta tag. On
# wcxb-dev 11 of the 1,337 pages with gold fall below this.
FOUND_ENOUGH = 0.5
# Words match in runs of at least three, where the edge of a block or of a gold line counts as a word; single words
# match only between such runs. Boilerplate nodes taken for content in googletrends2017, canola and cleaneval: 119, 53
# and 871 with single words in one round, 109, 23 and 846 with runs of two, 94, 15 and 741 with runs of three; content
# nodes lost: 154, 159, 1463; 136, 157, 1429; 124, 156, 1459.
RUN = 3
# Each further round matches what the gold has in another order: F1 of the blocks kept on wcxb-dev was 0.9826 after one
# round, 0.9842 after two, 0.9843 from three on.
ROUNDS = 4
EDGE = 0


@dataclass(frozen=True, slots=True)
class Alignment:
    """For every span the share of its words that are gold, NaN for a span without words.

    `found` is the share of the gold's words that are on the page. A page with a `reason` should not be trained on.
    """

    shares: FloatArray
    found: float
    reason: str | None = None

    @property
    def usable(self) -> bool:
        """Whether enough of the gold was found to trust the shares."""
        return self.reason is None


def gold_shares(text: str, start: Offsets, end: Offsets, gold: str) -> Alignment:
    r"""Return for every span of `text` the share of its words that match the gold text, in runs rather than by chance.

    >>> gold_shares("Home News\nSnow fell today.", np.array([0, 10]), np.array([9, 26]), "Snow fell today. News!")
    Alignment(shares=array([0., 1.]), found=0.75, reason=None)
    """
    spans = zip(start.tolist(), end.tolist(), strict=True)
    sides = [words(text[first:last]) for first, last in spans], [words(line) for line in gold.splitlines()]
    numbers = numbered(*(chain.from_iterable(pieces) for pieces in sides))  # of both sides alike
    ours, theirs = (_edged(each, pieces) for each, pieces in zip(numbers, sides, strict=True))
    matches = _matches(ours.numbers, theirs.numbers)
    shares = _means(ours.owners, (matches >= 0).astype(np.float64), len(start))
    matched = int(np.count_nonzero(matches >= 0)) / max(1, theirs.size)
    reason = None
    if not theirs.size:
        reason = "the gold has no words"
    elif not ours.size:
        reason = "the page has no words"
    elif matched < FOUND_ENOUGH:
        reason = f"only {matched:.0%} of the gold's words were found in the page"
    return Alignment(shares, matched, reason)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two texts: its words as numbers with `EDGE` around every piece, and the piece each word belongs to."""

    numbers: IntArray
    owners: IntArray

    @property
    def size(self) -> int:
        """The number of words."""
        return int(np.count_nonzero(self.numbers))


def _edged(numbers: IntArray, pieces: Sequence[Sequence[str]]) -> _Side:
    """Return the side with an edge before each piece that has words, and one at the end."""
    sizes = np.array([len(piece) for piece in pieces], dtype=np.int64)
    borders = np.append((np.cumsum(sizes) - sizes)[sizes > 0], len(numbers))
    owners = np.repeat(np.arange(len(sizes)), sizes)
    return _Side(np.insert(numbers, borders, EDGE), np.insert(owners, borders, -1))


def _means(owners: IntArray, values: FloatArray, count: int) -> FloatArray:
    """Return the mean value of the words of each piece, NaN for a piece without any.

    >>> _means(np.array([-1, 0, 0, 2]), np.array([5.0, 1.0, 0.0, 1.0]), 3)
    array([0.5, nan, 1. ])
    """
    inside = owners >= 0
    sums = np.bincount(owners[inside], weights=values[inside], minlength=count)
    sizes = np.bincount(owners[inside], minlength=count)
    means = np.full(count, np.nan)
    means[sizes > 0] = sums[sizes > 0] / sizes[sizes > 0]
    return means


def _matches(page: IntArray, gold: IntArray) -> IntArray:
    """Return for every word of `page` the index of its match in `gold`, -1 if it has none.

    Runs come first, then words between them, then what the gold has in another order. Edges match nothing.

    >>> _matches(np.array([0, 5, 0, 1, 2, 3, 4, 0]), np.array([0, 1, 2, 3, 0, 4, 0, 5, 0]))
    array([-1,  7, -1,  1,  2,  3,  5, -1])
    """
    matches = np.full(len(page), -1, dtype=np.int64)
    taken = gold == EDGE
    for round_ in range(ROUNDS):
        indices, partners = _run_pairs(page, gold, matches < 0, ~taken | (gold == EDGE))
        if not len(indices):
            break
        for step in range(RUN):
            _claim(matches, taken, indices + step, partners + step)
        if round_ == 0:
            _fill(matches, taken, page, gold)
    return matches


def _claim(matches: IntArray, taken: BoolArray, indices: IntArray, partners: IntArray) -> None:
    """Match words with their partners in the gold if both are still free."""
    free = (matches[indices] < 0) & ~taken[partners]
    matches[indices[free]] = partners[free]
    taken[partners[free]] = True


def _run_pairs(page: IntArray, gold: IntArray, page_free: BoolArray, gold_free: BoolArray) -> Pairs:
    """Return the starts of runs of `RUN` free numbers that both sides have in the same order."""
    left, right = _runs(page), _runs(gold)
    here = np.flatnonzero(_all_of_run(page_free))
    there = np.flatnonzero(_all_of_run(gold_free))
    indices, partners = common_subsequence(left[here], right[there])
    return here[indices], there[partners]


def _runs(numbers: IntArray) -> IntArray:
    """Return one number for each `RUN` neighbours, equal for equal runs."""
    count = max(0, len(numbers) - RUN + 1)
    runs = np.zeros(count, dtype=np.int64)
    for step in range(RUN):
        # 21 bits per word: three fill an int64, and no page has two million different words.
        runs = (runs << 21) | numbers[step : step + count]
    return runs


def _all_of_run(free: BoolArray) -> BoolArray:
    """Return for each run whether all of its numbers are free."""
    count = max(0, len(free) - RUN + 1)
    whole = np.ones(count, dtype=np.bool_)
    for step in range(RUN):
        whole &= free[step : step + count]
    return whole


def _fill(matches: IntArray, taken: BoolArray, page: IntArray, gold: IntArray) -> None:
    """Match the words between runs with the words between their partners, ignoring edges."""
    here, there = np.flatnonzero(page != EDGE), np.flatnonzero(gold != EDGE)
    rank = np.cumsum(gold != EDGE) - 1
    known = np.flatnonzero(matches[here] >= 0)
    left = np.concatenate([[-1], known, [len(here)]])
    right = np.concatenate([[-1], rank[matches[here[known]]], [len(there)]])
    for gap in np.flatnonzero((np.diff(left) > 1) & (np.diff(right) > 1)).tolist():
        inner = here[left[gap] + 1 : left[gap + 1]]
        partner_words = there[right[gap] + 1 : right[gap + 1]]
        indices, partners = common_subsequence(page[inner], gold[partner_words])
        sure = _supported(indices, partners, len(inner), len(partner_words))
        _claim(matches, taken, inner[indices[sure]], partner_words[partners[sure]])


def _supported(indices: IntArray, partners: IntArray, size: int, gold_size: int) -> BoolArray:
    """Return which matches in a gap have a neighbour that matches too, in the gap or at its ends; others are chance.

    >>> _supported(np.array([0, 3, 5, 6]), np.array([0, 1, 3, 4]), 9, 9)
    array([ True, False,  True,  True])
    """
    steps = np.diff(indices, prepend=-1, append=size) + np.diff(partners, prepend=-1, append=gold_size)
    # Each step is at least one, so a sum of two means that the neighbours are adjacent in both texts.
    close: BoolArray = steps == 2
    return close[:-1] | close[1:]
