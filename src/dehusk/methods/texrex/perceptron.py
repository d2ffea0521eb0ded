"""Perceptron: one hidden layer and one output, as FANN computes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError

Array: TypeAlias = NDArray[np.floating[Any]]
Activation: TypeAlias = Callable[[Array], Array]

# By the names and numbers that FANN gives them; each takes the sum already multiplied by the steepness.
ACTIVATIONS: Final[Mapping[str, Activation]] = {
    "linear": lambda x: x,
    "sigmoid": lambda x: (np.tanh(x) + 1) / 2,
    "sigmoid symmetric": np.tanh,
    "gaussian": lambda x: np.exp(-x * x),
    "gaussian symmetric": lambda x: 2 * np.exp(-x * x) - 1,
    "linear piece": lambda x: np.clip(x, 0, 1),
    "linear piece symmetric": lambda x: np.clip(x, -1, 1),
}
FANN_NUMBERS: Final = {
    0: "linear",
    3: "sigmoid",
    5: "sigmoid symmetric",
    7: "gaussian",
    8: "gaussian symmetric",
    12: "linear piece",
    13: "linear piece symmetric",
}


@dataclass(frozen=True, slots=True, eq=False)
class Perceptron:
    """Weights with the bias last, what is done to each sum, and how steep it is.

    >>> net = Perceptron(np.array([[2.0], [0.0]]), np.array([2.0, 1.0]), "linear", "linear piece symmetric")
    >>> net.run(np.array([[0.1, 0.2, 3.0]]))
    array([0.6, 0.7, 1. ])
    """

    hidden: Array = field(repr=False)  # (inputs + 1, hidden)
    output: Array = field(repr=False)  # (hidden + 1,)
    activation: str
    last: str
    steepness: float = 0.5

    def __post_init__(self) -> None:
        unknown = {self.activation, self.last} - set(ACTIVATIONS)
        if unknown:
            raise ModelError(
                f"no activation is called {', '.join(sorted(unknown))}; there are {', '.join(ACTIVATIONS)}"
            )
        if self.hidden.ndim != 2 or self.output.shape != (self.hidden.shape[1] + 1,):
            raise ModelError(
                f"layers of {self.hidden.shape} and {self.output.shape} do not fit; expected (inputs + 1, n), (n + 1,)"
            )

    @property
    def inputs(self) -> int:
        """How many numbers it takes."""
        return int(self.hidden.shape[0]) - 1

    def run(self, matrix: Array) -> Array:
        """Return one number a column of `matrix`, which has a row an input."""
        inner = ACTIVATIONS[self.activation](self.steepness * (self.hidden[:-1].T @ matrix + self.hidden[-1][:, None]))
        return ACTIVATIONS[self.last](self.steepness * (self.output[:-1] @ inner + self.output[-1]))
