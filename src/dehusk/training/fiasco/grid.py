"""Grid search: the accuracy of a machine for each cost and gamma, by three folds; every cell is kept as it is done.

LIBSVM's grid goes from 2^-5 to 2^15 and from 2^-15 to 2^3 in steps of 4. The paper's best, 32 and 8, lies at the edge
of it, so the grid for gamma is longer here.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.fiasco.machine import Scaling
from dehusk.training.columns import Bools, Floats
from dehusk.training.fiasco import keywords
from dehusk.training.fiasco.examples import FiascoPacked
from dehusk.training.fiasco.svm import SvmRecipe, draw, matrix_with, support_vectors
from dehusk.training.figures import fold_of
from dehusk.training.progress import SILENT, Reporter
from dehusk.whole_files import write_atomically

COSTS: Final = tuple(2.0**power for power in range(-5, 16, 2))
GAMMAS: Final = tuple(2.0**power for power in range(-15, 10, 2))
FOLDS: Final = 3
EXAMPLES: Final = 3000

Cells = dict[tuple[float, float], float]
FoldIndices = NDArray[np.integer]


def grid_examples(
    packed: FiascoPacked, general: keywords.General, recipe: SvmRecipe
) -> tuple[Floats, Bools, FoldIndices]:
    """Return the features, labels and folds of the targets that cost and gamma are chosen on."""
    everywhere = np.ones(len(packed.page), np.bool_)
    chosen = keywords.choose(packed, everywhere & ~np.isnan(packed.shares), general, recipe.keywords)
    rows = draw(packed, everywhere, EXAMPLES, recipe.seed)
    folds = np.array([fold_of("grid" + info.site) % FOLDS for info in packed.info])
    return matrix_with(packed, chosen, recipe.families)[rows], packed.shares[rows] < 0.5, folds[packed.page[rows]]


def search(
    matrix: Floats,
    dirty: Bools,
    folds: FoldIndices,
    path: Path,
    reporter: Reporter = SILENT,
    costs: Sequence[float] = COSTS,
    gammas: Sequence[float] = GAMMAS,
) -> Cells:
    """Return the accuracy in each cell of the grid; cells that the file at `path` has are not computed again."""
    digest = hashlib.sha256(matrix.tobytes() + dirty.tobytes() + folds.tobytes()).hexdigest()[:16]
    done = _read(path, digest)
    with reporter.steps(len(costs) * len(gammas), "cells of the grid") as tick:
        for cost in costs:
            for gamma in gammas:
                if (cost, gamma) not in done:
                    done[cost, gamma] = accuracy(matrix, dirty, folds, SvmRecipe(cost, gamma))
                    _write(path, digest, done)
                tick()
    return {(cost, gamma): done[cost, gamma] for cost in costs for gamma in gammas}


def accuracy(matrix: Floats, dirty: Bools, folds: FoldIndices, recipe: SvmRecipe) -> float:
    """Return the share of examples that machines trained on the other folds decide rightly."""
    right = 0
    for fold in np.unique(folds).tolist():
        train = folds != fold
        scaling = Scaling.of(matrix[train])
        machine = support_vectors(scaling.scaled(matrix[train]), dirty[train], recipe)
        right += int(np.count_nonzero(machine.predict(scaling.scaled(matrix[~train])) == dirty[~train]))
    return right / len(dirty)


def best(cells: Cells, recipe: SvmRecipe) -> SvmRecipe:
    """Return the recipe with the best cost and gamma; of equal ones the smaller, which separate more smoothly."""
    cost, gamma = max(sorted(cells), key=lambda cell: cells[cell])
    return replace(recipe, cost=cost, gamma=gamma)


def _read(path: Path, digest: str) -> Cells:
    """Return the cells that a file has of the same examples; none if it is missing, damaged or of others."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["examples"] != digest:
            return {}
        return {(float(cost), float(gamma)): float(value) for cost, gamma, value in kept["cells"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _write(path: Path, digest: str, cells: Cells) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [[cost, gamma, value] for (cost, gamma), value in sorted(cells.items())]
    with write_atomically(path) as part:
        part.write_text(json.dumps({"examples": digest, "cells": rows}), encoding="utf-8")
