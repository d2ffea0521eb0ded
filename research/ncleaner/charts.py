"""Charts: the figures of NCleaner's paper, redrawn."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from research.ncleaner import paper
from research.ncleaner.entropy import QS
from research.ncleaner.runs import Runs
from research.plots import saved_figure

# Colours that colour-blind readers can distinguish, each with its own marker.
COLOURS: Final = ("#999999", "#56b4e9", "#0072b2", "#009e73", "#7a5195", "#d55e00", "#e69f00", "#000000")
MARKERS: Final = "xov^sDP*"


def draw(runs: Runs, folder: Path) -> None:
    """Write figure-2.png, figure-3.png and figure-4.png."""
    for number, draw_figure in ((2, _entropy), (3, _gains), (4, _curve)):
        with saved_figure(folder / f"figure-{number}.png", figsize=(8, 4.8)) as (_, axes):
            draw_figure(runs, axes)


def _entropy(runs: Runs, axes: Any) -> None:
    bits = runs.entropies()
    for order, row in enumerate(bits, 1):
        if order > 1:
            axes.plot(QS, row, color=COLOURS[order - 1], marker=MARKERS[order - 1], markersize=4, label=f"n = {order}")
    for q, printed in paper.ENTROPY.values():
        axes.plot([q], [printed], "x", color="#d55e00", markersize=10, markeredgewidth=2, label="the paper, n = 6")
    axes.set(xlabel="q", ylabel="bits per character", ylim=(float(bits[1:].min()) - 0.15, 4.2))
    axes.set_title("Cross-entropy of whole pages, ten folds by site")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def _gains(runs: Runs, axes: Any) -> None:
    base, full = (runs.internal(name) for name in ("Baseline", "NCleaner"))
    gains = [100 * (after.prf.precision - before.prf.precision) for before, after in zip(base, full, strict=True)]
    edges = np.arange(np.floor(min(gains) / 5) * 5, max(gains) + 5, 5)
    axes.hist(gains, edges, color="#0072b2", edgecolor="white")
    axes.axvline(0, color="#000000", linewidth=1)
    better = sum(gain > 0 for gain in gains)
    axes.set(xlabel="points of precision", ylabel="pages")
    axes.set_title(f"Precision of words, NCleaner minus baseline: better on {better} of {len(gains)} pages")


def _curve(runs: Runs, axes: Any) -> None:
    rows = runs.curve()
    words = [count for _, count, _ in rows]
    for name, label, colour, marker in (
        ("f1", "F-score", "#0072b2", "o"),
        ("precision", "precision", "#7a5195", "v"),
        ("recall", "recall", "#d55e00", "^"),
    ):
        axes.plot(words, [getattr(shares, name) for *_, shares in rows], color=colour, marker=marker, label=label)
    axes.set_xscale("log")
    axes.set(xlabel="clean words in training", ylabel="per cent", title="CleanEval's test pages by training pages")
    axes.legend(frameon=False)
