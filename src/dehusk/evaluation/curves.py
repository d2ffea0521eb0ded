"""Curves: precision and recall at every threshold, and how well scores are calibrated."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Scores: TypeAlias = npt.NDArray[np.floating[Any]]
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Curve:
    """Precision and recall of boilerplate if every score from the threshold up is called so, one row per threshold."""

    thresholds: FloatArray
    precision: FloatArray
    recall: FloatArray


@dataclass(frozen=True, slots=True)
class Balance:
    """The point on a curve where precision and recall are closest."""

    threshold: float
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """For each non-empty bin of scores: their mean, the share that is boilerplate, and their number."""

    score: FloatArray
    share: FloatArray
    count: IntArray


def precision_recall_curve(scores: Scores, gold: BoolArray) -> Curve:
    """Return precision and recall at every score that occurs, the lowest first; True in `gold` is boilerplate.

    >>> precision_recall_curve(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, True, False, True])).precision
    array([0.5       , 0.66666667, 1.        ])
    """
    order = np.argsort(scores, kind="stable")
    thresholds, first = np.unique(scores[order].astype(np.float64), return_index=True)
    called = len(scores) - first
    # True positives from each index on: all of them less those before it.
    hits = gold.sum() - np.concatenate([[0], np.cumsum(gold[order])])[first]
    return Curve(thresholds, hits / called, hits / max(1, gold.sum()))


def balanced_threshold(curve: Curve) -> Balance:
    """Return where precision equals recall, as in texrex's table 3, or comes closest to it.

    >>> curve = precision_recall_curve(np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True]))
    >>> balanced_threshold(curve)
    Balance(threshold=0.6, precision=0.5, recall=0.5)
    """
    gaps = np.abs(curve.precision - curve.recall)
    # Where both are 0 they are equal too, but nobody looks for that balance.
    best = int(np.lexsort((-curve.precision, gaps))[0]) if len(gaps) else -1
    if best < 0:
        return Balance(np.nan, np.nan, np.nan)
    return Balance(float(curve.thresholds[best]), float(curve.precision[best]), float(curve.recall[best]))


def reliability_curve(scores: Scores, gold: BoolArray, bins: int = 10) -> Reliability:
    """Return mean score and share of boilerplate in equal bins of 0..1; on the diagonal, 0.8 means 8 of 10.

    >>> reliability_curve(np.array([0.1, 0.1, 0.9, 1.0]), np.array([False, True, True, True]), bins=2)
    Reliability(score=array([0.1 , 0.95]), share=array([0.5, 1. ]), count=array([2, 2]))
    """
    bin_of = np.clip((scores * bins).astype(np.int64), 0, bins - 1)
    count = np.bincount(bin_of, minlength=bins)
    full = count > 0
    score = np.bincount(bin_of, weights=scores, minlength=bins)[full] / count[full]
    share = np.bincount(bin_of, weights=gold, minlength=bins)[full] / count[full]
    return Reliability(score, share, count[full])


def calibration_error(reliability: Reliability) -> float:
    """Return the expected calibration error: the mean distance of score and share, bins weighted by their counts.

    >>> round(calibration_error(Reliability(np.array([0.1, 0.95]), np.array([0.5, 1.0]), np.array([2, 2]))), 3)
    0.225
    """
    if not len(reliability.count):
        return np.nan
    return float(np.average(np.abs(reliability.score - reliability.share), weights=reliability.count))


def brier_score(scores: Scores, gold: BoolArray) -> float:
    """Return the mean squared distance of the scores from the truth: 0 is perfect, 0.25 is what a constant 0.5 gets.

    >>> brier_score(np.array([0.5, 1.0]), np.array([True, True]))
    0.125
    """
    return float(np.mean((scores - gold) ** 2)) if len(gold) else np.nan
