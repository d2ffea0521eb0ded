"""Judged pages: the bits of each sentence of a gold page under a model, ready to be cut at any perplexity."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dehusk.config import Limits
from dehusk.evaluation.metrics import MatchCounts, edit_similarity, tokenise
from dehusk.gold.pages import GoldPage
from dehusk.lm.model import MOST_BITS, LanguageModel
from dehusk.methods.pyplexity.sentences import cut_sentences
from dehusk.page import Page, as_page
from dehusk.page.leaves import BoolArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def parsed(page: GoldPage) -> Page:
    """Return a page with gold as a page."""
    return as_page(page.html, url=None, charset=None, limits=Limits())


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPage:
    """One page: its sentences with their bits, and the words of sentences and gold as numbers."""

    site: str
    gold: str
    sentences: Sequence[str]
    bits: Floats
    lengths: Ints
    word: Ints  # of all sentences, in order
    sentence: Ints  # that contains each of these words
    gold_counts: Ints  # how often the gold has each word

    @classmethod
    def of(cls, page: GoldPage, model: LanguageModel) -> Self:
        """Split a page into sentences and score each with the model."""
        sentences, gold = cut_sentences(parsed(page)).strings(), page.gold or ""
        indices: dict[str, int] = {}
        gold_counts = [indices.setdefault(word, len(indices)) for word in tokenise(gold)]
        pairs = [
            (indices.setdefault(word, len(indices)), index)
            for index, sentence in enumerate(sentences)
            for word in tokenise(sentence)
        ]
        columns = np.array(pairs, np.int64).reshape(-1, 2)
        counts = np.bincount(np.array(gold_counts, np.int64), minlength=len(indices))
        return cls(page.site, gold, sentences, *model.sums(sentences), columns[:, 0], columns[:, 1], counts)

    @property
    def everything(self) -> BoolArray:
        """The choice that keeps all sentences."""
        return np.ones(len(self.sentences), np.bool_)

    def below(self, cutoff: float, doubt: float = 0.0) -> BoolArray:
        """Return which sentences are kept at a cut-off."""
        mean_bits = (self.bits + doubt * MOST_BITS) / (self.lengths + doubt)
        kept: BoolArray = mean_bits < np.log2(cutoff)
        return kept

    def f1(self, kept: BoolArray) -> float:
        """Return the bag-of-words F1 of the kept sentences."""
        came = np.bincount(self.word[kept[self.sentence]], minlength=len(self.gold_counts))
        both = int(np.minimum(came, self.gold_counts).sum())
        return MatchCounts(both, int(came.sum()) - both, int(self.gold_counts.sum()) - both).prf.f1

    def text(self, kept: BoolArray) -> str:
        """Return the text of the kept sentences."""
        return " ".join(compress(self.sentences, kept.tolist()))

    def similarity(self, kept: BoolArray) -> float:
        """Return the similarity of the kept text and the gold, in per cent."""
        return edit_similarity(self.text(kept), self.gold)
