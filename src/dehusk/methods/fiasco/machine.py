"""The support vector machine as plain arrays: scaled features, an RBF kernel, a sigmoid that gives probabilities."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

ROWS: Final = 2048  # that are compared with all support vectors at once, to bound the memory


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """Maps the range of each feature in training to -1..1; what lies beyond is cut off."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, matrix: NDArray[np.floating]) -> Self:
        """Return the scaling of training examples, one row each."""
        return cls(matrix.min(axis=0).astype(np.float32), matrix.max(axis=0).astype(np.float32))

    def scaled(self, matrix: NDArray[np.floating]) -> Floats:
        """Return features between -1 and 1; one that never varied is 0.

        >>> Scaling.of(np.array([[0.0, 5.0], [4.0, 5.0]])).scaled(np.array([[1.0, 5.0], [9.0, 7.0]]))
        array([[-0.5,  0. ],
               [ 1. ,  0. ]], dtype=float32)
        """
        width = self.high - self.low
        ratio = np.clip((matrix - self.low) / np.where(width > 0, width, 1), 0, 1)
        return np.where(width > 0, 2 * ratio - 1, 0).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A machine that has learnt; its decision is above 0 for boilerplate."""

    scaling: Scaling
    vectors: Floats  # support vectors, or those that stand for all of them
    weights: Floats
    offset: float
    gamma: float
    slope: float = 1.0  # of the sigmoid
    shift: float = 0.0
    threshold: float = 0.5  # the probability above which a target is boilerplate

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[np.generic]], about: Mapping[str, float]) -> Self:
        """Return the machine of a model's arrays and numbers."""
        vectors, weights = arrays["vectors"].astype(np.float32), arrays["weights"].astype(np.float32)
        scaling = Scaling(arrays["low"].astype(np.float32), arrays["high"].astype(np.float32))
        if vectors.shape != (len(weights), len(scaling.low)):
            raise ModelError(f"a machine has {vectors.shape} vectors and {len(weights)} weights; retrain it")
        names = ("offset", "gamma", "slope", "shift", "threshold")
        return cls(scaling, vectors, weights, *(float(about[name]) for name in names))

    def decisions(self, matrix: NDArray[np.floating]) -> Doubles:
        """Return the decision on each row."""
        rows = self.scaling.scaled(matrix)
        decisions: Doubles = np.empty(len(rows))
        for first in range(0, len(rows), ROWS):
            part = slice(first, first + ROWS)
            decisions[part] = rbf(rows[part], self.vectors, self.gamma) @ self.weights
        return decisions + self.offset

    def probabilities(self, decisions: Doubles) -> Doubles:
        """Return how likely targets are boilerplate."""
        likely: Doubles = 1 / (1 + np.exp(-np.clip(self.slope * decisions + self.shift, -500, 500)))
        return likely

    def scores(self, matrix: NDArray[np.floating]) -> Doubles:
        """Return the probabilities that rows are boilerplate, moved so that the best threshold is 0.5."""
        likely = self.probabilities(self.decisions(matrix))
        scores: Doubles = np.interp(likely, (0, self.threshold, 1), (0, 0.5, 1))
        return scores


def rbf(rows: Floats, vectors: Floats, gamma: float) -> Floats:
    """Return exp(-gamma d²) for the distances d of all rows to all vectors.

    >>> rbf(np.zeros((1, 2), np.float32), np.array([[0, 0], [1, 1]], np.float32), 0.5).round(3)
    array([[1.   , 0.368]], dtype=float32)
    """
    product: Floats = rows @ vectors.T
    product *= 2
    product -= np.einsum("ij,ij->i", rows, rows)[:, None]
    product -= np.einsum("ij,ij->i", vectors, vectors)
    product *= np.float32(gamma)
    np.exp(product, out=product)
    return product
