"""Block charts: precision and recall of boilerplate blocks, and the calibration of their scores."""

from collections.abc import Sequence
from math import nan
from typing import Final

import numpy as np
from markupsafe import Markup

from dehusk.evaluation import charts
from dehusk.evaluation.charts import Series
from dehusk.evaluation.curves import (
    balanced_threshold,
    brier_score,
    calibration_error,
    precision_recall_curve,
    reliability_curve,
)
from dehusk.evaluation.metrics import by_class
from dehusk.evaluation.run import BlockScores

CURVE_POINTS: Final = 200


def recall_chart(methods: Sequence[BlockScores]) -> Markup:
    """Return precision against recall; the guide is what calling everything boilerplate reaches."""
    rate = float(np.concatenate([blocks.boilerplate for blocks in methods]).mean())
    titles = ("recall of boilerplate", "precision of boilerplate")
    series = [_recall_series(blocks) for blocks in methods]
    return charts.curves("Precision and recall of boilerplate blocks", series, titles, ((0, rate), (1, rate)))


def reliability_chart(methods: Sequence[BlockScores]) -> Markup:
    """Return the share of boilerplate against the mean score; the guide is perfect calibration."""
    titles = ("mean score", "share that is boilerplate")
    series = [_reliability_series(blocks) for blocks in methods]
    return charts.curves("Reliability of block scores", series, titles, ((0, 0), (1, 1)))


def curve_figures(blocks: BlockScores) -> tuple[float, ...]:
    """Return share of boilerplate, P and R at 0.5, the threshold where they are equal and their value, Brier, ECE."""
    scores, gold = blocks.scores, blocks.boilerplate
    at_half = by_class(scores >= 0.5, gold).boilerplate
    balance = balanced_threshold(precision_recall_curve(scores, gold))
    # If a method only says yes or no, precision equals recall at none of its thresholds.
    threshold, level = (balance.threshold, balance.precision) if _is_graded(blocks) else (nan, nan)
    return (
        float(gold.mean()),
        at_half.prf.precision if at_half.tp + at_half.fp else nan,
        at_half.prf.recall if at_half.tp + at_half.fn else nan,
        threshold,
        level,
        brier_score(scores, gold),
        calibration_error(reliability_curve(scores, gold)),
    )


def _is_graded(blocks: BlockScores) -> bool:
    """Return whether the scores are more than a yes and a no with a few blocks that were cut in between."""
    _, counts = np.unique(blocks.scores, return_counts=True)
    return bool(np.sort(counts)[:-2].sum() > 0.02 * len(blocks.scores))


def _recall_series(blocks: BlockScores) -> Series:
    curve = precision_recall_curve(blocks.scores, blocks.boilerplate)
    default = int(np.searchsorted(curve.thresholds, 0.5))
    graded = _is_graded(blocks)
    picked = np.unique(np.linspace(0, len(curve.recall) - 1, CURVE_POINTS).astype(int))
    picked = np.union1d(picked, [min(default, len(curve.recall) - 1)])
    # A yes and a no have two points: the threshold between them, and everything called boilerplate.
    small = 0.0 if graded else 4.0
    radius = [{0: small, default: 6.5}.get(index, 0.0) for index in picked.tolist()]
    return Series(blocks.system, curve.recall[picked].tolist(), curve.precision[picked].tolist(), graded, radius)


def _reliability_series(blocks: BlockScores) -> Series:
    curve = reliability_curve(blocks.scores, blocks.boilerplate)
    radius = (2.0 + 7.0 * np.sqrt(curve.count / curve.count.sum())).round(1)
    return Series(blocks.system, curve.score.tolist(), curve.share.tolist(), _is_graded(blocks), radius.tolist())
