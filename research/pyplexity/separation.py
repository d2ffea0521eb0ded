"""Separation: how well perplexity distinguishes boilerplate from sentences, compared with length alone.

Boilerplate: the snippets of wcxb-dev that must not come out. Clean: the sentences of its gold text that end like one.
No model has seen either.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.gold.pages import GoldPage
from dehusk.lm.model import LanguageModel
from dehusk.lm.sentences import split

ENDS: Final = re.compile(r"""[.!?…]["'”’)\]]*$""")

Floats = NDArray[np.float64]


class Separation(NamedTuple):
    """How often boilerplate is on the right side of a clean sentence (AUC); 0.5 is chance."""

    snippets: int
    sentences: int
    length: float  # the shorter of the two is called boilerplate
    perplexity: float
    score: float  # what the method uses: perplexity with doubt about short sentences
    pairs: int
    matched: float  # by score, in pairs of the same length
    bare: float  # the same, without the final stops of both


def separation(pages: Iterable[GoldPage], model: LanguageModel) -> Separation:
    """Return how well a model separates the snippets and sentences of some pages."""
    dirty, clean = _texts(pages)
    long, short = model.sums(clean)[1], model.sums(dirty)[1]
    (bad, worse), (good, better) = model.measured(dirty), model.measured(clean)
    pairs = _pairs(short, long)
    return Separation(
        len(dirty),
        len(clean),
        auc(-short.astype(np.float64), -long.astype(np.float64)),
        auc(bad, good),
        auc(worse, better),
        len(pairs),
        _wins(worse, better, pairs),
        _matched(model, _bare(dirty), _bare(clean)),
    )


def _texts(pages: Iterable[GoldPage]) -> tuple[list[str], list[str]]:
    dirty, clean = [], []
    for page in pages:
        if page.language in (None, "en"):
            dirty += [snippet for snippet in page.unwanted if snippet.strip()]
            clean += [each for line in (page.gold or "").splitlines() for each in split(line) if ENDS.search(each)]
    return dirty, clean


def _bare(texts: Iterable[str]) -> list[str]:
    return [ENDS.sub("", text) or text for text in texts]


def auc(higher: Floats, lower: Floats) -> float:
    """Return how often a value of `higher` is above one of `lower`; a tie counts half.

    >>> auc(np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    0.875
    """
    below = np.sort(lower)
    wins = np.searchsorted(below, higher, "left") + np.searchsorted(below, higher, "right")
    return float(wins.mean()) / (2 * len(lower))


def _matched(model: LanguageModel, dirty: list[str], clean: list[str]) -> float:
    (_, worse), (_, better) = model.measured(dirty), model.measured(clean)
    return _wins(worse, better, _pairs(model.sums(dirty)[1], model.sums(clean)[1]))


def _pairs(short: NDArray[np.int64], long: NDArray[np.int64], seed: int = 0) -> NDArray[np.int64]:
    """Return random pairs of a snippet and a sentence with the same number of words, none of them in two pairs."""
    random = np.random.default_rng(seed)
    waiting: dict[int, list[int]] = {}
    for index in random.permutation(len(long)).tolist():
        waiting.setdefault(int(long[index]), []).append(index)
    order = random.permutation(len(short)).tolist()
    pairs = [(index, waiting[int(short[index])].pop()) for index in order if waiting.get(int(short[index]))]
    return np.array(pairs, np.int64).reshape(-1, 2)


def _wins(higher: Floats, lower: Floats, pairs: NDArray[np.int64]) -> float:
    left, right = higher[pairs[:, 0]], lower[pairs[:, 1]]
    return float(np.mean((left > right) + 0.5 * (left == right))) if len(pairs) else np.nan
