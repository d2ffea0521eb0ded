"""Summary: figures with intervals by corpus, page kind and language; timings; the comparison of two runs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from math import isnan
from typing import Final

import numpy as np

from dehusk.evaluation.bootstrap import Difference, bootstrap_interval, paired_bootstrap
from dehusk.evaluation.metrics import PRF, MatchCounts, macro, micro
from dehusk.evaluation.run import Row

REFERENCE: Final = "resiliparse"  # times are given as ratios to its time


@dataclass(frozen=True, slots=True)
class Figure:
    """The scores of a system on a group of pages."""

    corpus: str
    group: str  # "all", "kind=forum", "language=de"
    system: str
    pages: int
    f1: float  # mean over pages
    low: float  # 95 % interval of that mean
    high: float
    precision: float
    recall: float
    sd: float
    micro_precision: float
    micro_recall: float
    micro_f1: float
    f1_with_gold: float  # mean over the pages whose gold is not empty
    errors: int


@dataclass(frozen=True, slots=True)
class Timing:
    """The cost of a system on the pages of a run."""

    system: str
    mean: float  # CPU milliseconds per page
    median: float
    p95: float
    ratio: float  # to resiliparse: sum over sum; NaN without it
    megabytes_a_second: float
    errors: int
    peak_memory: float  # MB, of a separate process; NaN if not measured


def summarise(rows: Iterable[Row]) -> list[Figure]:
    """Return the figures of each system on each corpus: over all pages, by kind, by language; the best first."""
    rows = list(rows)
    figures: list[Figure] = []
    for corpus in dict.fromkeys(row.corpus for row in rows):
        inside = [row for row in rows if row.corpus == corpus]
        for name, group in _groups(inside).items():
            unsorted = [_figure(corpus, name, system, mine) for system, mine in _by_system(group).items()]
            figures += sorted(unsorted, key=lambda figure: -figure.f1)
    return figures


def means(figures: Iterable[Figure]) -> dict[str, float]:
    """Return the mean of each system's F1 over all corpora, which count alike; the best first.

    A system without a figure for one of the corpora has no mean; a single corpus needs none.
    """
    whole = [figure for figure in figures if figure.group == "all"]
    corpora = {figure.corpus for figure in whole}
    by_system: dict[str, list[float]] = {}
    for figure in whole:
        by_system.setdefault(figure.system, []).append(figure.f1)
    complete = {name: sum(f1) / len(f1) for name, f1 in by_system.items() if len(f1) == len(corpora) > 1}
    return dict(sorted(complete.items(), key=lambda item: -item[1]))


def _by_system(rows: Iterable[Row]) -> dict[str, list[Row]]:
    systems: dict[str, list[Row]] = {}
    for row in rows:
        systems.setdefault(row.system, []).append(row)
    return systems


def _groups(rows: list[Row]) -> dict[str, list[Row]]:
    """Return the rows of a corpus: all together, and by kind and language if it has several."""
    groups = {"all": rows}
    for attribute in ("kind", "language"):
        values = sorted({getattr(row, attribute) for row in rows} - {""})
        if len(values) > 1:
            for value in values:
                groups[f"{attribute}={value}"] = [row for row in rows if getattr(row, attribute) == value]
    return groups


def _figure(corpus: str, group: str, system: str, rows: list[Row]) -> Figure:
    interval = bootstrap_interval(np.array([row.f1 for row in rows]))
    spread = macro(PRF(row.precision, row.recall, row.f1) for row in rows)
    counts = [MatchCounts(row.tp, row.fp, row.fn) for row in rows]
    # Metrics without counts, such as similarity, have nothing to pool.
    pooled = micro(counts) if any(astuple(count) != (0, 0, 0) for count in counts) else PRF(*[float("nan")] * 3)
    with_gold = [row.f1 for row in rows if not row.empty_gold]
    return Figure(
        corpus=corpus,
        group=group,
        system=system,
        pages=len(rows),
        f1=interval.mean,
        low=interval.low,
        high=interval.high,
        precision=spread.mean.precision,
        recall=spread.mean.recall,
        sd=spread.sd.f1,
        micro_precision=pooled.precision,
        micro_recall=pooled.recall,
        micro_f1=pooled.f1,
        f1_with_gold=float(np.mean(with_gold)) if with_gold else float("nan"),
        errors=sum(bool(row.error) for row in rows),
    )


def timings(rows: Sequence[Row], memory: Callable[[str], float] | None = None) -> list[Timing]:
    """Return the cost of each system, the fastest first; `memory` measures the peak of one system."""
    systems = _by_system(rows)
    reference = sum(row.milliseconds for row in systems.get(REFERENCE, []) if not isnan(row.milliseconds))
    costs = []
    for system, mine in systems.items():
        # A page that killed its worker has no time.
        timed = [row for row in mine if not isnan(row.milliseconds)]
        spent = np.array([row.milliseconds for row in timed] or [float("nan")])
        size = sum(row.size for row in timed) / 1e6
        costs.append(
            Timing(
                system=system,
                mean=float(spent.mean()),
                median=float(np.median(spent)),
                p95=float(np.percentile(spent, 95)),
                ratio=float(spent.sum()) / reference if reference else float("nan"),
                megabytes_a_second=size / max(float(spent.sum()) / 1000, 1e-9),
                errors=sum(bool(row.error) for row in mine),
                peak_memory=memory(system) if memory else float("nan"),
            )
        )
    return sorted(costs, key=lambda timing: timing.mean)


@dataclass(frozen=True, slots=True)
class Change:
    """How a system does on a corpus compared with an earlier run, on the pages that both have."""

    corpus: str
    system: str
    pages: int
    difference: Difference
    better: list[tuple[str, float]]  # page and gain, the largest first
    worse: list[tuple[str, float]]


def compare_runs(new: Sequence[Row], old: Sequence[Row]) -> list[Change]:
    """Return a paired comparison of each system and corpus that two runs share."""
    before = {(row.corpus, row.system, row.page): row.f1 for row in old}
    changes = []
    for corpus, system in dict.fromkeys((row.corpus, row.system) for row in new):
        pairs = {
            row.page: (row.f1, before[corpus, system, row.page])
            for row in new
            if (row.corpus, row.system) == (corpus, system) and (corpus, system, row.page) in before
        }
        if pairs:
            gains = sorted(((page, now - then) for page, (now, then) in pairs.items()), key=lambda gain: gain[1])
            better = [gain for gain in reversed(gains) if gain[1] > 0]
            worse = [gain for gain in gains if gain[1] < 0]
            difference = paired_bootstrap(*np.array(list(pairs.values())).T)
            changes.append(Change(corpus, system, len(pairs), difference, better, worse))
    return changes
