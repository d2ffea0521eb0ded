"""Charts: the surface of the grid search."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk.training.fiasco.grid import COSTS, GAMMAS, Cells
from research.fiasco import paper
from research.fiasco.runs import Runs
from research.plots import saved_figure

LIBSVM: Final = 2.0**3  # the largest gamma of LIBSVM's grid


def draw(runs: Runs, folder: Path) -> None:
    """Write grid.png."""
    with saved_figure(folder / "grid.png", 1, 2, figsize=(11, 4.6), sharey=True) as (figure, axes):
        for each, by_site in zip(axes, (False, True), strict=True):
            image = _surface(each, runs.grid(by_site=by_site))
            each.set_title(f"Folds by {'site' if by_site else 'node, as in the paper'}")
        axes[0].set_ylabel("cost C, powers of 2")
        figure.colorbar(image, ax=axes, label="accuracy, per cent")
        figure.suptitle("Accuracy for each cost and gamma, three folds, all features", x=0.01, ha="left")


def _surface(axes: Any, cells: Cells) -> Any:
    values = np.array([[100 * cells[cost, gamma] for gamma in GAMMAS] for cost in COSTS])
    image = axes.imshow(values, origin="lower", cmap="viridis", vmin=74, vmax=94, aspect="auto")
    axes.set_xticks(range(len(GAMMAS)), [f"{np.log2(gamma):.0f}" for gamma in GAMMAS])
    axes.set_yticks(range(len(COSTS)), [f"{np.log2(cost):.0f}" for cost in COSTS])
    axes.set_xlabel("gamma, powers of 2; LIBSVM's grid ends at the dashed line")
    axes.axvline(GAMMAS.index(LIBSVM) + 0.5, color="white", linestyle="--", linewidth=1)
    row, column = np.unravel_index(int(values.argmax()), values.shape)
    axes.plot(column, row, "o", color="white", markersize=8, markerfacecolor="none", markeredgewidth=2)
    axes.annotate(f"{values.max():.1f}", (column, row), (8, 8), textcoords="offset points", color="white")
    axes.plot(GAMMAS.index(paper.GAMMA), COSTS.index(paper.COST), "x", color="white", markersize=9, markeredgewidth=2)
    return image
