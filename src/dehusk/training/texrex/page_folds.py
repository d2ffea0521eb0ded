"""Folds of pages: vectors split so that no page is on both sides, and for how many epochs nets learn from them.

Vectors do not say which page they are from. But the fifth column, the page's share of text, is the same for all blocks
of a page, and hardly ever for blocks of two. With random folds, blocks of the same page are on both sides, and more
epochs always look better: nets learn the pages by heart (research/texrex/README.md).
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from dehusk.methods.texrex.features import NAMES
from dehusk.training.columns import Longs
from dehusk.training.progress import Tick
from dehusk.training.texrex.rprop import TexrexRecipe, epochs
from dehusk.training.texrex.vectors import Vectors

FOLDS: Final = 10
PAGE: Final = NAMES.index("DocMarkupProp")
EPOCHS: Final = (10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100, 120, 150, 200, 300)  # to choose from


def page_folds(vectors: Vectors, seed: int) -> Longs:
    """Return a fold for each vector, the same for all of a page; each page goes to the smallest fold so far.

    >>> inputs = np.zeros((6, 37), np.float32)
    >>> inputs[:, PAGE] = (1, 2, 1, 3, 3, 3)
    >>> folds = page_folds(Vectors(inputs, np.zeros(6, np.float32)), 0)
    >>> folds.tolist()
    [1, 2, 1, 0, 0, 0]
    """
    _, page, sizes = np.unique(vectors.inputs[:, PAGE], return_inverse=True, return_counts=True)
    fold_of_page, filled = np.empty(len(sizes), np.int64), np.zeros(FOLDS)
    shuffled = np.random.default_rng(seed).permutation(len(sizes))
    for index in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
        fold_of_page[index] = filled.argmin()
        filled[fold_of_page[index]] += sizes[index]
    return fold_of_page[page]


def errors_by_epochs(vectors: Vectors, recipe: TexrexRecipe, tick: Tick = lambda: None) -> dict[int, float]:
    """Return the mean squared error on pages that nets have not seen, for each number of epochs in `EPOCHS`."""
    folds, errors = page_folds(vectors, recipe.seed), {}
    weights = (folds[None, :] != np.arange(FOLDS)[:, None]).astype(np.float32)
    for count, nets in epochs(vectors.inputs, vectors.targets, weights, recipe, EPOCHS, tick):
        output = np.choose(folds, [net.run(vectors.inputs.T) for net in nets])
        errors[count] = float(np.mean((output - vectors.targets) ** 2))
    return errors


def best_epochs(vectors: Mapping[str, Vectors], recipe: TexrexRecipe, tick: Tick = lambda: None) -> int:
    """Return the number of epochs with the least error on unseen pages, as the mean of all languages.

    One number for all nets: there are too few pages of a language for one of its own.
    """
    languages = [errors_by_epochs(each, recipe, tick) for each in vectors.values()]
    return min(EPOCHS, key=lambda count: float(np.mean([errors[count] for errors in languages])))
