"""Folds: the author's vectors split into ten at random, as in the paper; `page_folds` splits them by page."""

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.texrex.features import NAMES
from dehusk.training.texrex.page_folds import FOLDS
from dehusk.training.texrex.rprop import TexrexRecipe, fit
from dehusk.training.texrex.vectors import Vectors

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def random_folds(vectors: Vectors, seed: int) -> Ints:
    """Return a fold for each vector, all of the same size."""
    return np.random.default_rng(seed).permutation(len(vectors)) % FOLDS


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
    for index, net in enumerate(nets):
        inside = folds == index // count
        right[index % count] += ((net.run(vectors.inputs[inside].T) > 0.5) == vectors.targets[inside]).sum()
    share = float(vectors.targets.mean(dtype=np.float64))
    merit: Floats = right / len(vectors) - max(share, 1 - share)
    return merit
