"""Tuning: the few numbers chosen after training, on predictions for pages that the model had not seen."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from dehusk.errors import InputError
from dehusk.methods.kernel.decision import Tuning
from dehusk.methods.kernel.fast_scoring import expected_f1
from dehusk.training.columns import Bools, Doubles, Floats
from dehusk.training.kernel.packed import KernelPacked
from dehusk.training.kernel.predictions import Predictions

# Of the cuts that the folds cannot tell apart, the steepest: corpora and kinds of pages that were left out of training
# gain by it (research/kernel/README.md).
CUT: Final = (-0.2, 0.75)
# So few pages have no main text (23 of 2,559) that the mean F1 with 0.2 or 0.3 is within 0.0004 of this: chance would
# choose.
LEAST: Final = 0.1
UNTUNED: Final = Tuning(scale=1.0, offset=0.0, cut=CUT, least=LEAST, confidence=(0.0, 1.0))
STEPS: Final = 30  # of Newton's method, which needs about six
# Pulls scale and offset towards 1 and 0, noticeably only if there are few pages.
PULL: Final = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class PredictedPage:
    """A page with its predictions and labels."""

    logits: Floats
    words: Floats
    labels: Doubles  # NaN if unknown

    def f1(self, kept: Bools) -> float:
        """Return the F1 of keeping some blocks, counted in words; 1 if nothing is gold and nothing is kept."""
        gold = self.words * np.nan_to_num(self.labels)
        taken, total = float(self.words[kept].sum()), float(gold.sum())
        if not total:
            return float(not taken)
        return 2 * float(gold[kept].sum()) / (taken + total)


def scores(tuning: Tuning, logits: Floats, words: Floats) -> Doubles:
    """Return what a kernel of this tuning makes of logits: blocks above 0.5 are kept."""
    likely = tuning.likely(logits)
    return tuning.decide(likely, expected_f1(likely, words))


def with_labels(packed: KernelPacked, predictions: Predictions) -> list[PredictedPage]:
    """Return the predicted pages with their labels; pages whose gold was not found are left out."""
    indices = {(packed.info[index].corpus, packed.info[index].id): index for index in packed.plain()}
    start, labels, pages = packed.start, packed.labels, []
    for name, logits in predictions:
        if name not in indices or packed.size[indices[name]] != len(logits):
            raise InputError(f"{name} was predicted from other features; remove the predictions to rebuild them")
        index = indices[name]
        if packed.info[index].usable:
            blocks = slice(start[index], start[index + 1])
            pages.append(PredictedPage(logits.astype(np.float32), packed.words[blocks], labels[blocks]))
    return pages


def tuned(pages: Sequence[PredictedPage]) -> Tuning:
    """Return the numbers that fit some pages, which all have the same weight."""
    if not pages:
        raise InputError("there is no page to tune on; expected predictions for pages whose gold was found")
    scale, offset = platt(pages)
    tuning = replace(UNTUNED, scale=scale, offset=offset)
    return replace(tuning, confidence=_confidence(pages, tuning))


def tuned_on_others(packed: KernelPacked, folds: Mapping[int, Predictions]) -> dict[int, Tuning]:
    """Return for each fold the tuning chosen on the other folds, so that it is independent of the fold."""
    pages = {fold: with_labels(packed, predictions) for fold, predictions in folds.items()}
    return {fold: tuned([page for other in folds if other != fold for page in pages[other]]) for fold in folds}


def figures(packed: KernelPacked, folds: Mapping[int, Predictions]) -> dict[str, float]:
    """Return the cross-validated mean F1 of each set, counted in the words of blocks rather than of the output."""
    tunings, f1 = tuned_on_others(packed, folds), defaultdict[str, list[float]](list)
    for fold, predictions in folds.items():
        for corpus in dict.fromkeys(predictions.corpus):
            chosen = Predictions.of(page for page in predictions if page[0][0] == corpus)
            for page in with_labels(packed, chosen):
                f1[corpus].append(page.f1(scores(tunings[fold], page.logits, page.words) > 0.5))
    return {corpus: round(float(np.mean(values)), 4) for corpus, values in f1.items()}


def platt(pages: Sequence[PredictedPage]) -> tuple[float, float]:
    """Return scale and offset that turn logits into probabilities: logistic regression by Newton's method.

    All pages have the same weight, and blocks are weighted by the root of their words.
    """
    logits, labels, weights = (np.concatenate(column) for column in zip(*map(_weighted, pages), strict=True))
    inputs = np.stack([logits, np.ones_like(logits)])
    start = np.array([1.0, 0.0])
    chosen = start.copy()
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(chosen @ inputs, -30, 30)))
        slope = inputs @ (weights * (likely - labels)) + PULL * (chosen - start)
        curve = (inputs * (weights * likely * (1 - likely))) @ inputs.T + PULL * np.eye(2)
        # Steps are at most 1, so that a bad start does not diverge.
        step = np.linalg.solve(curve, slope)
        chosen -= step / max(1.0, float(np.abs(step).max()))
    return float(chosen[0]), float(chosen[1])


def _weighted(page: PredictedPage) -> tuple[Doubles, Doubles, Doubles]:
    """Return logits, labels and weights of the blocks that have labels; the weights sum to 1."""
    known = ~np.isnan(page.labels)
    weights = np.sqrt(page.words[known].astype(np.float64))
    return page.logits[known].astype(np.float64), page.labels[known], weights / max(float(weights.sum()), 1e-9)


def _confidence(pages: Sequence[PredictedPage], tuning: Tuning) -> tuple[float, float]:
    """Return the line that best predicts the measured F1 from the expected one, over pages with any text kept."""
    expected, measured = [], []
    for page in pages:
        likely = tuning.likely(page.logits)
        f1 = expected_f1(likely, page.words)
        kept = tuning.decide(likely, f1) > 0.5
        if kept.any():
            expected.append(f1)
            measured.append(page.f1(kept))
    # A line needs two different points; with fewer the expected F1 is used as it is.
    if len(set(expected)) < 2:
        return UNTUNED.confidence
    columns = np.stack([np.ones(len(expected)), np.array(expected)], axis=1)
    constant, factor = np.linalg.lstsq(columns, np.array(measured), rcond=None)[0].tolist()
    return constant, factor
