"""Cuts: what other numbers than those chosen would give, on the folds and on corpora left out of training."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from dehusk.methods.kernel.decision import Tuning
from dehusk.training.kernel.packed import KernelPacked
from dehusk.training.kernel.predictions import Predictions
from dehusk.training.kernel.tuning import CUT, PredictedPage, scores, with_labels
from research import Line, PaperTable

# Pairs of a constant and a factor: half of the expected F1, as in theory, then steeper and steeper.
CUTS: Final = ((0.0, 0.5), (-0.05, 0.6), (-0.1, 0.65), (-0.15, 0.7), CUT, (-0.25, 0.8), (-0.3, 0.85), (-0.4, 0.95))
HARDEST: Final = "wcxb-dev"  # the only corpus with other kinds of pages than articles
COLUMNS: Final = ("folds", "other corpora left out", f"{HARDEST} left out")

Judged = dict[str, list[tuple[PredictedPage, Tuning]]]  # by corpus


def cut_table(
    packed: KernelPacked, folds: Iterable[tuple[Predictions, Tuning]], left: Iterable[tuple[Predictions, Tuning]]
) -> PaperTable:
    """Return the F1 of each cut, counted in words of blocks; all corpora have the same weight."""
    known, unknown = by_corpus(packed, folds), by_corpus(packed, left)
    lines = []
    for cut in CUTS:
        f1 = {corpus: mean_f1(pages, cut) for corpus, pages in unknown.items()}
        hardest = f1.pop(HARDEST)
        on_folds = [mean_f1(pages, cut) for pages in known.values()]
        ours = 100 * float(np.mean(on_folds)), 100 * float(np.mean(list(f1.values()))), 100 * hardest
        lines.append(Line(f"{cut[0]:+} and {cut[1]}", (None,) * len(COLUMNS), ours))
    return PaperTable("Cuts, by words of blocks, mean over corpora, per cent", COLUMNS, tuple(lines))


def by_corpus(packed: KernelPacked, parts: Iterable[tuple[Predictions, Tuning]]) -> Judged:
    """Return all predicted pages of each corpus, with the tuning that is independent of them."""
    judged: Judged = defaultdict(list)
    for predictions, tuning in parts:
        for corpus in dict.fromkeys(predictions.corpus):
            pages = with_labels(packed, Predictions.of(page for page in predictions if page[0][0] == corpus))
            judged[corpus] += [(page, tuning) for page in pages]
    return judged


def mean_f1(pages: Iterable[tuple[PredictedPage, Tuning]], cut: tuple[float, float]) -> float:
    """Return the mean F1 of pages that are cut by a constant and a factor of the expected F1."""
    kept = ((page, scores(replace(tuning, cut=cut), page.logits, page.words) > 0.5) for page, tuning in pages)
    return float(np.mean([page.f1(blocks) for page, blocks in kept]))
