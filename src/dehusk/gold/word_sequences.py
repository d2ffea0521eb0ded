"""Word sequences: texts as lists of words, and the longest subsequence that two of them share."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from dehusk.characters import UNSPACED

IntArray: TypeAlias = npt.NDArray[np.int64]
Pairs: TypeAlias = tuple[IntArray, IntArray]

# Soft hyphen, zero-width characters, direction marks and variation selectors change how a word looks, not what it is.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
# The apostrophe that Unicode counts as a letter would join "don" and "t" in one text and not in the other.
LETTER_APOSTROPHE = str.maketrans("\u02bc\u02bb", "''")
SINGLE = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
WORD = re.compile(rf"[{SINGLE}]|[^\W{SINGLE}]+")
# rapidfuzz keeps one bit per cell to trace the alignment: this many cells take 125 MB and about 0.3 s. Beyond that,
# forty pages of wcxb-dev joined into one (105,566 words against 76,441) lost 6 of 75,021 matches; two others none.
CELLS = 1_000_000_000


def words(text: str) -> list[str]:
    """Return the folded words of `text`; in scripts without spaces between words every character is one.

    Folding removes what differs between copies of one text: Unicode form, case, invisible characters.

    >>> words("Don\u2019t co\u00adoperate, 東京\uff12\uff10!")
    ['don', 't', 'cooperate', '東', '京', '20']
    """
    if not text.isascii():
        text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(LETTER_APOSTROPHE)
    return WORD.findall(text.casefold())


def numbered(*texts: Iterable[str]) -> tuple[IntArray, ...]:
    """Return each text with its words replaced by numbers starting at 1, equal words by equal numbers.

    >>> numbered(["a", "b", "a"], ["b", "c"])
    (array([1, 2, 1]), array([2, 3]))
    """
    seen: dict[str, int] = {}
    return tuple(np.fromiter((seen.setdefault(word, len(seen) + 1) for word in text), dtype=np.int64) for text in texts)


def common_subsequence(first: IntArray, second: IntArray) -> Pairs:
    """Return the indexes of a longest common subsequence in `first` and in `second`.

    It is exact up to `CELLS`. Longer texts are cut into pieces (see `_pieces`) so that no page takes more than about a
    second; a few matches may be missed.

    >>> common_subsequence(np.array([1, 2, 3, 4]), np.array([9, 2, 4, 1]))
    (array([1, 3]), array([1, 2]))
    """
    # A number that the other side lacks can never match; leaving it out only saves time.
    here = np.flatnonzero(np.isin(first, second))
    there = np.flatnonzero(np.isin(second, first))
    pairs = [_matched(*piece) for piece in _pieces(here, there, first[here], second[there])]
    return np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])


def _matched(here: IntArray, there: IntArray, first: IntArray, second: IntArray) -> Pairs:
    """Return the entries of `here` and `there` where `first` and `second` have their common subsequence."""
    runs = [op for op in LCSseq.opcodes(first.tolist(), second.tolist()) if op.tag == "equal"]
    left = np.concatenate([here[:0], *(here[run.src_start : run.src_end] for run in runs)])
    right = np.concatenate([there[:0], *(there[run.dest_start : run.dest_end] for run in runs)])
    return left, right


def _pieces(
    here: IntArray, there: IntArray, first: IntArray, second: IntArray
) -> Iterator[tuple[IntArray, IntArray, IntArray, IntArray]]:
    """Yield the parts to align one by one: everything at once unless that exceeds `CELLS`.

    A longer pair is cut before each word that occurs once on either side; if that is not enough, every part is cut
    into equal parts on both sides.
    """
    cuts = [(0, 0), (len(first), len(second))]
    if len(first) * len(second) > CELLS:
        cuts[1:1] = _anchors(first, second)
    cells = sum((b - a) * (d - c) for (a, c), (b, d) in pairwise(cuts))
    parts = max(1, ceil(cells / CELLS))
    for (a, c), (b, d) in pairwise(cuts):
        lefts, rights = _ends(a, b, parts), _ends(c, d, parts)
        for i, j, k, m in zip(lefts, lefts[1:], rights, rights[1:], strict=False):
            yield here[i:j], there[k:m], first[i:j], second[k:m]


def _ends(start: int, stop: int, parts: int) -> list[int]:
    """Return where `parts` equal parts of a range begin and end."""
    return [start + (stop - start) * part // parts for part in range(parts + 1)]


def _anchors(first: IntArray, second: IntArray) -> list[tuple[int, int]]:
    """Return the indexes of numbers that occur once on either side, as many as are in the same order.

    >>> _anchors(np.array([1, 2, 5, 5, 3]), np.array([3, 1, 5, 2]))
    [(0, 1), (1, 3)]
    """
    once_first, once_second = _once(first), _once(second)
    shared = sorted(once_first.keys() & once_second.keys(), key=once_first.__getitem__)
    indices = [once_second[number] for number in shared]
    return [(once_first[shared[i]], indices[i]) for i in _increasing(indices)]


def _once(numbers: IntArray) -> dict[int, int]:
    """Return the numbers that occur once, with their indexes."""
    values, indices, counts = np.unique(numbers, return_index=True, return_counts=True)
    alone = counts == 1
    return dict(zip(values[alone].tolist(), indices[alone].tolist(), strict=True))


def _increasing(values: Sequence[int]) -> list[int]:
    """Return the indexes of a longest increasing subsequence of distinct `values` (patience sorting).

    >>> _increasing([5, 1, 4, 2, 3])
    [1, 3, 4]
    """
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        height = bisect_left(tops, value)
        before.append(ends[height - 1] if height else -1)
        tops[height : height + 1] = [value]
        ends[height : height + 1] = [index]
    path: list[int] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        path.append(index)
        index = before[index]
    return path[::-1]
