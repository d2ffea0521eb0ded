"""Judged pages: what sentences of gold pages cost under a model, ready to be cut at any perplexity."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dehusk.config import Limits
from dehusk.evaluation.metrics import Counts, edit_similarity, tokenise
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
class Judged:
    """One page: its sentences, what they cost, and the words of sentences and gold as numbers."""

    site: str
    gold: str
    sentences: Sequence[str]
    costs: Floats
    lengths: Ints
    word: Ints  # of all sentences, one after the other
    sentence: Ints  # that each of these words is in
    wanted: Ints  # how often gold has each word

    @classmethod
    def of(cls, page: GoldPage, model: LanguageModel) -> Self:
        """Cut a page into sentences and ask the model about each."""
        sentences, gold = cut_sentences(parsed(page)).strings(), page.gold or ""
        numbers: dict[str, int] = {}
        wanted = [numbers.setdefault(word, len(numbers)) for word in tokenise(gold)]
        found = [
            (numbers.setdefault(word, len(numbers)), place)
            for place, sentence in enumerate(sentences)
            for word in tokenise(sentence)
        ]
        columns = np.array(found, np.int64).reshape(-1, 2)
        counts = np.bincount(np.array(wanted, np.int64), minlength=len(numbers))
        return cls(page.site, gold, sentences, *model.sums(sentences), columns[:, 0], columns[:, 1], counts)

    @property
    def everything(self) -> BoolArray:
        """Let all sentences stay."""
        return np.ones(len(self.sentences), np.bool_)

    def below(self, cutoff: float, doubt: float = 0.0) -> BoolArray:
        """Tell which sentences stay."""
        bits = (self.costs + doubt * MOST_BITS) / (self.lengths + doubt)
        kept: BoolArray = bits < np.log2(cutoff)
        return kept

    def f1(self, kept: BoolArray) -> float:
        """Return the F1 of the words that stay, in any order."""
        came = np.bincount(self.word[kept[self.sentence]], minlength=len(self.wanted))
        both = int(np.minimum(came, self.wanted).sum())
        return Counts(both, int(came.sum()) - both, int(self.wanted.sum()) - both).prf.f1

    def text(self, kept: BoolArray) -> str:
        """Return the sentences that stay."""
        return " ".join(sentence for sentence, stays in zip(self.sentences, kept.tolist(), strict=True) if stays)

    def similarity(self, kept: BoolArray) -> float:
        """Return how alike the text that stays and gold are, in per cent."""
        return edit_similarity(self.text(kept), self.gold)
