"""Metrics: scores of predictions as the paper counts them; boilerplate is the positive class."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.evaluation.metrics import accuracy, by_class

# The two-sided 95 % limit of Student's t with nine degrees of freedom.
T_LIMIT: Final = 2.262
THRESHOLDS: Final = np.arange(0, 101) / 100  # the paper moves the threshold in steps of 0.01

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Shares:
    """Precision, recall, F1 and accuracy."""

    precision: float
    recall: float
    f1: float
    correct: float


def shares(called: Bools, gold: Bools) -> Shares:
    """Return the scores of decisions.

    >>> shares(np.array([True, True, False]), np.array([True, False, False]))
    Shares(precision=0.5, recall=1.0, f1=0.6666666666666666, correct=0.6666666666666666)
    """
    prf = by_class(called, gold).boilerplate.prf
    return Shares(prf.precision, prf.recall, prf.f1, accuracy(called, gold))


def weighted_f1(called: Bools, gold: Bools) -> float:
    """Return the F1 of both classes, weighted by their sizes, as in Weka.

    >>> round(weighted_f1(np.array([True, True, False]), np.array([True, False, False])), 3)
    0.667
    """
    share = float(gold.mean())
    return share * shares(called, gold).f1 + (1 - share) * shares(~called, ~gold).f1


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Precision and recall at each of `THRESHOLDS`."""

    precision: Floats
    recall: Floats
    correct: Floats


def curve(output: Floats, gold: Bools) -> Curve:
    """Return the scores at every threshold; outputs above it are called boilerplate."""
    points = [shares(output > threshold, gold) for threshold in THRESHOLDS]
    return Curve(*(np.array([getattr(each, name) for each in points]) for name in ("precision", "recall", "correct")))


@dataclass(frozen=True, slots=True)
class Balance:
    """Where precision equals recall, or comes closest to it."""

    threshold: float
    f1: float
    correct: float


def balance(points: Curve) -> Balance:
    """Return the balance of a curve; of several thresholds that are equally close, the middle one."""
    gaps = np.where(points.recall > 0, np.abs(points.precision - points.recall), 1.0)
    closest = np.flatnonzero(gaps <= gaps.min() + 1e-12)
    best = int(closest[len(closest) // 2])
    f1 = 2 * points.precision[best] * points.recall[best] / (points.precision[best] + points.recall[best])
    return Balance(float(THRESHOLDS[best]), float(f1), float(points.correct[best]))


def precision_at(points: Curve, recall: float) -> float:
    """Return the best precision with at least this recall."""
    enough = points.recall >= recall
    return float(points.precision[enough].max()) if enough.any() else float("nan")


def differs(ours: Floats, theirs: Floats) -> int:
    """Return 1 if `theirs` is better than `ours` over ten folds, -1 if worse, 0 if the difference may be chance.

    This is the corrected t-test: the training sets of folds overlap, so that their figures vary less than on new data.

    >>> differs(np.full(10, 0.9) + np.arange(10) / 1000, np.full(10, 0.95)), differs(np.arange(10.0), np.arange(10.0))
    (1, 0)
    """
    gaps = theirs - ours
    spread = float(gaps.std(ddof=1)) * sqrt(1 / len(gaps) + 1 / (len(gaps) - 1))
    if spread == 0:
        return 0
    return int(np.sign(gaps.mean())) if abs(float(gaps.mean())) / spread > T_LIMIT else 0
