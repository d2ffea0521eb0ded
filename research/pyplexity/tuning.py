"""Tuning: the cut-off of a language's model, chosen on training pages and checked on folds it was not chosen on."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from dehusk.gold.corpora import SETS, open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.lm import shipped
from dehusk.training.lm.fit import DOUBT
from research.pyplexity.judged_pages import JudgedPage

FOLDS: Final = 5
BITS: Final = np.arange(12.0, 17.76, 0.25)
DOUBTS: Final = (0.0, 2.0, 4.0, 8.0, 12.0)


class Choice(NamedTuple):
    """The best cut-off on all pages, its F1 there, and the F1 on each fold with the cut-off of the others."""

    pages: int
    everything: float  # F1 of keeping all text
    cutoff: float
    best: float
    crossed: float


def chosen(pages: Sequence[JudgedPage], doubt: float = DOUBT) -> Choice:
    """Return the cut-off with the best mean F1; folds are by site."""
    table = np.array([[page.f1(page.below(2.0**bits, doubt)) for bits in BITS.tolist()] for page in pages])
    sites = sorted({page.site for page in pages})
    fold = np.array([sites.index(page.site) % FOLDS for page in pages])
    crossed = np.concatenate(
        [table[fold == held_out, table[fold != held_out].mean(axis=0).argmax()] for held_out in range(FOLDS)]
    )
    best = int(table.mean(axis=0).argmax())
    everything = float(np.mean([page.f1(page.everything) for page in pages]))
    return Choice(len(pages), everything, 2.0 ** float(BITS[best]), float(table[:, best].mean()), float(crossed.mean()))


def training_pages(language: str) -> Iterator[GoldPage]:
    """Yield the training pages of a language; for English those of corpora with pages of every kind."""
    names = ("wcxb-dev", "cleaneval") if language == "en" else [name for name, (_, splits) in SETS.items() if splits]
    for name in names:
        for page in open_corpus(name).pages("train"):
            if page.gold and (page.language or "en") == language:
                yield page


def judged_pages(language: str) -> list[JudgedPage]:
    """Return the training pages with the scores of the shipped model of their language."""
    model = shipped.model(language)
    return [JudgedPage.of(page, model) for page in training_pages(language)]
