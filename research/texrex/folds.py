"""Folds: the author's vectors split into ten, at random as in the paper, or so that no page is in two folds.

The vectors are in random order and nothing says which page they are from, but the fifth column, the page's share of
text, is the same for all blocks of a page, and hardly ever for blocks of two pages.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.texrex.features import NAMES
from dehusk.training.texrex.rprop import TexrexRecipe, fit
from dehusk.training.texrex.vectors import Vectors

FOLDS: Final = 10
PAGE: Final = NAMES.index("DocMarkupProp")

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def random_folds(vectors: Vectors, seed: int) -> Ints:
    """Return a fold for each vector, all of the same size."""
    return np.random.default_rng(seed).permutation(len(vectors)) % FOLDS


def page_folds(vectors: Vectors, seed: int) -> Ints:
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
    for number in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
        fold_of_page[number] = filled.argmin()
        filled[fold_of_page[number]] += sizes[number]
    return fold_of_page[page]


def held_out(vectors: Vectors, folds: Ints, recipe: TexrexRecipe) -> Floats:
    """Return the output for each vector of a network trained without its fold; all networks train together."""
    weights = (folds[None, :] != np.arange(FOLDS)[:, None]).astype(np.float32)
    output = np.empty(len(vectors))
    for fold, net in enumerate(fit(vectors.inputs, vectors.targets, weights, recipe)):
        output[folds == fold] = net.run(vectors.inputs[folds == fold].T)
    return output


def merits(vectors: Vectors, folds: Ints, recipe: TexrexRecipe) -> Floats:
    """Return the merit of each feature alone: the accuracy of networks that see nothing else, minus the baseline's."""
    count = len(NAMES)
    weights = np.repeat(folds[None, :] != np.arange(FOLDS)[:, None], count, axis=0).astype(np.float32)
    seen = np.tile(np.eye(count, dtype=np.bool_), (FOLDS, 1))
    nets = fit(vectors.inputs, vectors.targets, weights, recipe, seen=seen)
    right = np.zeros(count)
    for number, net in enumerate(nets):
        inside = folds == number // count
        right[number % count] += ((net.run(vectors.inputs[inside].T) > 0.5) == vectors.targets[inside]).sum()
    share = float(vectors.targets.mean(dtype=np.float64))
    merit: Floats = right / len(vectors) - max(share, 1 - share)
    return merit
