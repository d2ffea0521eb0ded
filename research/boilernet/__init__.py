"""boilernet: the tables of its paper, and how much it learns from fewer pages.

Results that take long are kept in the folder `boilernet-work`, and the plot is written there. As in the paper, every
figure is about single text nodes, those that the corpora list.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.evaluation.metrics import ByClass
from research import Line, PaperTable, Progress, charts_of
from research.boilernet import paper
from research.boilernet.cross_validation import FOLDS, NETWORKS, CrossValidation
from research.boilernet.runs import Parts, Runs

PAPER: Final = (
    "Leonhardt, Anand, Khosla: Boilerplate Removal using a Neural Sequence Labeling Model. "
    "WWW 2020 Companion, tables 1 and 2"
)
WORK: Final = Path("boilernet-work")
SEEDS: Final = 5
FEWER: Final = (5, 10, 20, 30, 40)
FEWER_SEEDS: Final = 3
COLUMNS: Final = (
    "boilerplate precision", "boilerplate recall", "boilerplate F1",
    "content precision", "content recall", "content F1",
)  # fmt: skip
# The program in the paper, and what is measured: its port to Python, or itself, run by Node. Web2Text, which is written
# in Scala, is only quoted.
PEERS: Final = {"BoilerPipe": "boilerpy3", "Readability.js": "readability-js"}
SHIPPED: Final = {"cleaneval": "boilernet-paper-cleaneval", "googletrends2017": "boilernet-paper"}

Doubles = NDArray[np.float64]


def tables(progress: Progress) -> Iterator[PaperTable]:
    """Yield both tables, the shipped recipes and the learning curve, and draw the curve."""
    charts = charts_of("boilernet")
    runs = Runs.open(WORK, progress)
    yield _table(runs, "cleaneval", "Table 1: CleanEval", paper.CLEANEVAL)
    yield _table(runs, "googletrends2017", "Table 2: GoogleTrends-2017", paper.GOOGLETRENDS)
    yield _cross_validated(CrossValidation.open(WORK, progress))
    curve = _curve(runs)
    yield _curve_table(curve)
    progress(f"plot, in {WORK}")
    charts.draw(curve, WORK / "learning-curve.png")


def _row(counts: ByClass) -> tuple[float, ...]:
    return (*astuple(counts.boilerplate.prf), *astuple(counts.content.prf))


def _table(runs: Runs, name: str, title: str, printed: dict[str, paper.Row]) -> PaperTable:
    parts = runs.parts(name)
    lines: list[Line] = []
    ours = np.array([_row(runs.by_network(parts, seed)) for seed in range(SEEDS)])
    for system, row in printed.items():
        if system == "BoilerNet":
            lines.append(Line(f"BoilerNet, mean of {SEEDS} seeds", row, tuple(ours.mean(axis=0).tolist())))
            lines.append(Line("standard deviation", (None,) * len(row), tuple(ours.std(axis=0, ddof=1).tolist())))
            for shipped in (SHIPPED[name], *NETWORKS):
                lines.append(Line(f"{shipped}, as shipped", row, _row(runs.by_method(parts, shipped))))
            unweighted = np.array([_row(runs.by_network(parts, seed, balanced=False)) for seed in range(SEEDS)])
            lines.append(Line("class weight ignored, mean", row, tuple(unweighted.mean(axis=0).tolist())))
        elif system in PEERS:
            measured = _row(runs.by_peer(PEERS[system], name))
            lines.append(Line(f"{system}; ours: {PEERS[system]}", row, measured))
        else:
            lines.append(Line(f"{system}, as published", row, (None,) * len(row)))
    return PaperTable(f"{title}: {_sizes(parts)}", COLUMNS, tuple(lines), _by_seed(ours))


def _cross_validated(validation: CrossValidation) -> PaperTable:
    lines = tuple(Line(name, (None,) * len(COLUMNS), _row(validation.counts(name))) for name in NETWORKS)
    note = f"{FOLDS} folds by site; a network is scored on the pages of GoogleTrends-2017 whose sites it has not seen."
    return PaperTable("The shipped recipes, cross-validated", COLUMNS, lines, note)


def _by_seed(ours: Doubles) -> str:
    """Return both F1 with three digits, since two do not distinguish seeds.

    >>> _by_seed(np.array([[0, 0, 0.7934, 0, 0, 0.861], [0, 0, 0.7971, 0, 0, 0.865]]))
    'By seed: boilerplate F1 0.793 0.797, mean 0.795; content F1 0.861 0.865, mean 0.863'
    """
    each = {name: ours[:, COLUMNS.index(name)] for name in ("boilerplate F1", "content F1")}
    figures = (f"{name} {' '.join(f'{x:.3f}' for x in f1)}, mean {f1.mean():.3f}" for name, f1 in each.items())
    return f"By seed: {'; '.join(figures)}"


def _sizes(parts: Parts) -> str:
    return f"{len(parts.train)} training pages, {len(parts.check)} validation pages, {len(parts.test)} test pages"


def _curve(runs: Runs) -> dict[int, list[tuple[float, float]]]:
    """Return for each number of training pages the F1 of boilerplate and content, seed by seed."""
    parts = runs.parts("googletrends2017")
    curve = {
        count: [_f1(runs.by_network(runs.fewer(parts, count, seed), seed)) for seed in range(FEWER_SEEDS)]
        for count in FEWER
    }
    return {**curve, len(parts.train): [_f1(runs.by_network(parts, seed)) for seed in range(SEEDS)]}


def _f1(counts: ByClass) -> tuple[float, float]:
    return counts.boilerplate.prf.f1, counts.content.prf.f1


def _curve_table(curve: Mapping[int, Sequence[tuple[float, float]]]) -> PaperTable:
    lines = []
    for count, seeds in curve.items():
        values = np.array(seeds)
        mean, least = values.mean(axis=0), values.min(axis=0)
        row = (float(mean[0]), float(least[0]), float(mean[1]), float(least[1]))
        lines.append(Line(f"{count} pages, {len(seeds)} seeds", (None,) * 4, row))
    columns = ("boilerplate F1", "worst seed", "content F1", "worst seed")
    return PaperTable("Learning curve: GoogleTrends-2017 by number of training pages", columns, tuple(lines))
