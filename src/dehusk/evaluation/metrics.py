"""Metrics: how close extracted text, or predicted labels, are to the gold, as counts and as shares.

Every comparison of one page gives `MatchCounts`; `micro` pools them over pages, `macro` averages each page's shares.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from difflib import SequenceMatcher
from math import ceil
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from dehusk.gold.word_sequences import INVISIBLE, Pairs, common_subsequence, numbered

BoolArray: TypeAlias = npt.NDArray[np.bool_]
Split: TypeAlias = Callable[[str], Sequence[str]]
Aligner: TypeAlias = Callable[[Sequence[str], Sequence[str]], Pairs]

TOKEN = re.compile(r"\w+")
ADDRESS_LINE = re.compile(r"^[^\S\n]*URL.*$", re.MULTILINE)
MARK = re.compile(r"<[phl]>", re.IGNORECASE)
# rapidfuzz compares about this many pairs of units in half a second.
EDIT_CELLS = 5_000_000_000


@dataclass(frozen=True, slots=True)
class PRF:
    """Precision, recall and their harmonic mean, each within 0..1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many units are right (`tp`), wrong (`fp`) or missed (`fn`); counts of pages add up.

    >>> MatchCounts(3, 1, 0) + MatchCounts(0, 0, 2)
    MatchCounts(tp=3, fp=1, fn=2)
    """

    tp: int
    fp: int
    fn: int

    def __add__(self, other: "MatchCounts") -> "MatchCounts":
        return MatchCounts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def prf(self) -> PRF:
        """The shares: 1 if nothing was wanted and nothing came out (WCXB's convention), otherwise 0 for 0 / 0.

        >>> MatchCounts(3, 1, 3).prf
        PRF(precision=0.75, recall=0.5, f1=0.6)
        >>> MatchCounts(0, 0, 0).prf.f1, MatchCounts(0, 5, 0).prf.f1
        (1.0, 0.0)
        """
        if not (self.tp or self.fp or self.fn):
            return PRF(1.0, 1.0, 1.0)
        return PRF(
            self.tp / max(1, self.tp + self.fp),
            self.tp / max(1, self.tp + self.fn),
            2 * self.tp / (2 * self.tp + self.fp + self.fn),
        )


@dataclass(frozen=True, slots=True)
class Macro:
    """Mean and standard deviation of the shares of pages."""

    mean: PRF
    sd: PRF


def micro(counts: Iterable[MatchCounts]) -> PRF:
    """Return the shares of all pages pooled, so that a long page weighs more.

    >>> micro([MatchCounts(8, 2, 0), MatchCounts(0, 0, 6)])
    PRF(precision=0.8, recall=0.5714285714285714, f1=0.6666666666666666)
    """
    return sum(counts, MatchCounts(0, 0, 0)).prf


def macro(pages: Iterable[PRF]) -> Macro:
    """Return the mean of the pages' shares and their sample standard deviation (n - 1, as in cleaneval.py).

    >>> macro([PRF(1.0, 0.5, 0.6), PRF(0.5, 0.5, 0.5)]).mean
    PRF(precision=0.75, recall=0.5, f1=0.55)
    """
    table = np.array([astuple(page) for page in pages], dtype=np.float64).reshape(-1, 3)
    if not len(table):
        return Macro(PRF(np.nan, np.nan, np.nan), PRF(np.nan, np.nan, np.nan))
    # One page says nothing about the spread; 0 reads better in a table than NaN with a warning.
    sd = table.std(axis=0, ddof=1) if len(table) > 1 else np.zeros(3)
    return Macro(PRF(*table.mean(axis=0).tolist()), PRF(*sd.tolist()))


def tokenise(text: str) -> list[str]:
    r"""Return the lower-cased runs of `\w`, the units of WCXB's bag of words.

    For languages written without spaces use `dehusk.gold.word_sequences.words`, which cuts them into characters.

    >>> tokenise("Don't PANIC: 42 東京")
    ['don', 't', 'panic', '42', '東京']
    """
    return TOKEN.findall(text.lower())


def bag_of_words(output: str, gold: str, split: Split = tokenise) -> MatchCounts:
    """Return how many words both texts share, in any order: WCXB's metric.

    A word counts as often as both texts have it.

    >>> bag_of_words("a rose is a flower", "A rose is a rose is a rose")
    MatchCounts(tp=4, fp=1, fn=4)
    """
    extracted, expected = Counter(split(output)), Counter(split(gold))
    both = (extracted & expected).total()
    return MatchCounts(both, extracted.total() - both, expected.total() - both)


def lcs_pairs(output: Sequence[str], gold: Sequence[str]) -> Pairs:
    """Return the indices of a longest common subsequence in both lists of words.

    >>> lcs_pairs(["a", "x", "b"], ["a", "b", "c"])
    (array([0, 2]), array([0, 1]))
    """
    return common_subsequence(*numbered(output, gold))


def difflib_pairs(output: Sequence[str], gold: Sequence[str], autojunk: bool = True) -> Pairs:
    """Return the indices of the words that difflib aligns: longest block first, not always the most words.

    The papers used a Python version in which a word that makes up more than 1 % of a gold of 200 words or more never
    begins a match and only extends one: `autojunk=True`. Without it the time grows fast, and has no limit.

    >>> difflib_pairs(["a", "x", "b"], ["a", "b", "c"])
    (array([0, 2]), array([0, 1]))
    """
    blocks = SequenceMatcher(None, output, gold, autojunk=autojunk).get_matching_blocks()
    indices = [np.arange(block.a, block.a + block.size, dtype=np.int64) for block in blocks]
    partners = [np.arange(block.b, block.b + block.size, dtype=np.int64) for block in blocks]
    return np.concatenate(indices), np.concatenate(partners)


@dataclass(frozen=True, slots=True)
class Aligned:
    """Counts of the words, marks among them, and of the marks `<p> <h> <l>` alone."""

    words: MatchCounts
    marks: MatchCounts


def marked_words(text: str, labelled: bool = True) -> list[str]:
    """Return the words between white space, with marks as words, as in cleaneval.py: case and punctuation kept.

    Lines that begin with URL are left out. Unless `labelled`, each mark becomes `<p>`.

    >>> marked_words("<h>A title<p>Body text.", labelled=False)
    ['<p>', 'A', 'title', '<p>', 'Body', 'text.']
    """
    return MARK.sub(r" \g<0> " if labelled else " <p> ", ADDRESS_LINE.sub("", text)).split()


def aligned(output: str, gold: str, pairs: Aligner = lcs_pairs, split: Split = marked_words) -> Aligned:
    """Return the word counts and the segmentation counts of CleanEval, NCleaner and FIASCO from one alignment.

    As in cleaneval.py, a mark is a word: text without marks misses one word for each mark in the gold. Use gold without
    marks to count plain words.

    >>> aligned("<p>Rain <p>It rains", "<h>Rain <p>It rains again")
    Aligned(words=MatchCounts(tp=4, fp=1, fn=2), marks=MatchCounts(tp=1, fp=1, fn=1))
    """
    extracted, expected = split(output), split(gold)
    indices, _ = pairs(extracted, expected)
    marks = sum(_is_mark(extracted[index]) for index in indices.tolist())
    return Aligned(
        MatchCounts(len(indices), len(extracted) - len(indices), len(expected) - len(indices)),
        MatchCounts(marks, sum(map(_is_mark, extracted)) - marks, sum(map(_is_mark, expected)) - marks),
    )


def _is_mark(word: str) -> bool:
    """Return whether the word is one of the three marks."""
    return MARK.fullmatch(word) is not None


def edit_similarity(output: str, gold: str, split: Split = str.split) -> float:
    """Return 100 per cent minus the Levenshtein distance over the longer length, as in PyPlexity's table 7.

    Units are words, or characters with `split=str`. Texts beyond `EDIT_CELLS` are compared in equal parts, which can
    only lower the result.

    >>> edit_similarity("the cat sat", "the cat sat down")
    75.0
    """
    extracted, expected = split(output), split(gold)
    longer = max(len(extracted), len(expected))
    parts = max(1, ceil(len(extracted) * len(expected) / EDIT_CELLS))
    distance = sum(
        Levenshtein.distance(
            extracted[len(extracted) * part // parts : len(extracted) * (part + 1) // parts],
            expected[len(expected) * part // parts : len(expected) * (part + 1) // parts],
        )
        for part in range(parts)
    )
    return 100.0 * (1 - distance / longer) if longer else 100.0


def snippets(output: str, wanted: Iterable[str], unwanted: Iterable[str]) -> MatchCounts:
    """Return how many `wanted` snippets came out (`tp`) or not (`fn`), and how many `unwanted` ones did (`fp`).

    White space, invisible characters and Unicode form make no difference; case does.

    >>> snippets("Cafe\u0301 menu", ["Café  menu", "Open daily"], ["menu", "Cookies"])
    MatchCounts(tp=1, fp=1, fn=1)
    """
    text = _bare(output)
    present = [_bare(snippet) in text for snippet in wanted]
    return MatchCounts(sum(present), sum(_bare(snippet) in text for snippet in unwanted), len(present) - sum(present))


def _bare(text: str) -> str:
    """Return the text in one Unicode form and without white space, since tools break lines in different places."""
    return "".join(INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


@dataclass(frozen=True, slots=True)
class ByClass:
    """Counts for both classes."""

    boilerplate: MatchCounts
    content: MatchCounts


def by_class(predicted: BoolArray, gold: BoolArray, weights: npt.NDArray[np.integer[Any]] | None = None) -> ByClass:
    """Return the counts of blocks, or of nodes, for both classes; True is boilerplate, `weights` can count words.

    BoilerNet's "negative class" is boilerplate, its "positive class" content.

    >>> by_class(np.array([True, True, False]), np.array([True, False, False]))
    ByClass(boilerplate=MatchCounts(tp=1, fp=1, fn=0), content=MatchCounts(tp=1, fp=0, fn=1))
    """
    size = np.ones(len(gold), dtype=np.int64) if weights is None else weights
    both, neither = int(size[predicted & gold].sum()), int(size[~predicted & ~gold].sum())
    dropped, left = int(size[predicted & ~gold].sum()), int(size[~predicted & gold].sum())
    return ByClass(MatchCounts(both, dropped, left), MatchCounts(neither, left, dropped))


def accuracy(predicted: BoolArray, gold: BoolArray) -> float:
    """Return the share of decisions that are right, NaN if there are none.

    >>> accuracy(np.array([True, True, False, False]), np.array([True, False, False, False]))
    0.75
    """
    return float(np.mean(predicted == gold)) if len(gold) else np.nan


def error_reduction(correct: float, baseline: float) -> float:
    """Return the share of the baseline's errors that are gone: texrex's PRE, 0 if the baseline makes no errors.

    >>> round(error_reduction(0.976, 0.910), 3)  # English in texrex's table 4
    0.733
    """
    return (correct - baseline) / (1 - baseline) if baseline < 1 else 0.0
