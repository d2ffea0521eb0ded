"""Folds by site: decisions on pages that a machine has not seen, and the threshold that is best on them."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.fiasco.machine import Machine
from dehusk.training.fiasco import keywords
from dehusk.training.fiasco.examples import FiascoPacked
from dehusk.training.fiasco.grid import FOLDS as GRID_FOLDS
from dehusk.training.fiasco.keywords import General
from dehusk.training.fiasco.svm import Bools, Doubles, Floats, SvmRecipe, drawn, fit, matrix_with
from dehusk.training.figures import EVERY_KIND, FOLDS, best_threshold, fold_of, page_f1
from dehusk.training.progress import Tick

THRESHOLDS: Final = np.arange(0.2, 0.95, 0.01)
ENOUGH: Final = 50  # pages to choose a threshold on
GRID_EXAMPLES: Final = 3000

Ints = NDArray[np.integer]


def page_folds(packed: FiascoPacked) -> Ints:
    """Return the fold of each page: by its site, or by its id if all sites are in one fold."""
    folds = np.array([fold_of(info.site) for info in packed.info])
    if (folds == folds[0]).all():
        return np.array([fold_of(info.id) for info in packed.info])
    return folds


def held_out(packed: FiascoPacked, general: General, recipe: SvmRecipe, tick: Tick = lambda: None) -> Doubles:
    """Return the decisions on all targets, each by a machine that has not seen its site; keywords included."""
    folds = page_folds(packed)[packed.page]
    decisions: Doubles = np.zeros(len(packed.page))
    for fold in range(FOLDS):
        inside = folds == fold
        if inside.any() and not inside.all():
            fitted = fit(packed, ~inside, general, recipe)
            matrix = matrix_with(packed, fitted.keywords, recipe.families)
            decisions[inside] = fitted.machine.decisions(matrix[inside])
        tick()
    return decisions


def grid_examples(packed: FiascoPacked, general: General, recipe: SvmRecipe) -> tuple[Floats, Bools, Ints]:
    """Return the features, labels and folds of the targets that cost and gamma are chosen on."""
    everywhere = np.ones(len(packed.page), np.bool_)
    chosen = keywords.choose(packed, everywhere & ~np.isnan(packed.shares), general, recipe.keywords)
    rows = drawn(packed, everywhere, GRID_EXAMPLES, recipe.seed)
    folds = np.array([fold_of("grid" + info.site) % GRID_FOLDS for info in packed.info])
    return matrix_with(packed, chosen, recipe.families)[rows], packed.shares[rows] < 0.5, folds[packed.page[rows]]


def f1_of_pages(packed: FiascoPacked, kept: Bools) -> Doubles:
    """Return the F1 of each page if these targets are kept, counted in words."""
    wanted = packed.words * np.nan_to_num(packed.shares)
    return page_f1(packed.page, packed.words, wanted, kept, len(packed.info))


def choose_threshold(packed: FiascoPacked, machine: Machine, decisions: Doubles) -> float:
    """Return the probability with the best mean F1, on the sets of `EVERY_KIND` if they have enough pages."""
    mixed = np.array([info.corpus in EVERY_KIND for info in packed.info])
    pages = mixed if mixed.sum() >= ENOUGH else np.ones_like(mixed)
    scores = machine.probabilities(decisions)
    return best_threshold(THRESHOLDS, lambda threshold: f1_of_pages(packed, scores < threshold)[pages].mean())
