"""RPROP: perceptrons learn by the sign of each weight's gradient alone, many of them at once.

Riedmiller and Braun: A direct adaptive method for faster backpropagation learning: the RPROP algorithm. ICNN 1993. As
in FANN, steps grow by 1.2 and shrink by half, there is no step back, weights stay within 1,500, and errors near 1 weigh
more than they should (FANN's error function "tanh"). Nets that learn from the same rows are columns of one matrix, each
with its own weights for the rows: 0 for those that a fold holds out.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from dehusk.errors import UsageError
from dehusk.methods.texrex.fann import Perceptron
from dehusk.training.columns import Bools, Floats
from dehusk.training.progress import Tick

GROW: Final = 1.2
SHRINK: Final = 0.5
FIRST_STEP: Final = 0.1  # FANN's rprop_delta_zero
LONGEST_STEP: Final = 50.0
LARGEST: Final = 1500.0
STEEPNESS: Final = 0.5
ROWS: Final = 512  # per step, so that the data stays in the cache
# Those whose slope `_activated` knows.
HIDDEN: Final = ("gaussian symmetric", "sigmoid symmetric")


@dataclass(frozen=True, slots=True)
class TexrexRecipe:
    """How nets are trained."""

    activation: str = "sigmoid symmetric"
    hidden: int = 18
    epochs: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.hidden, self.epochs) < 1:
            raise UsageError(
                f"a net needs at least one hidden unit and one epoch, got {self.hidden} and {self.epochs}",
                setting="hidden" if self.hidden < 1 else "epochs",
            )
        if self.activation not in HIDDEN:
            raise UsageError(
                f"nets cannot be trained with {self.activation!r}; choose from {', '.join(HIDDEN)}",
                setting="activation",
            )


def fit(
    inputs: Floats,
    targets: Floats,
    weights: Floats,
    recipe: TexrexRecipe,
    tick: Tick = lambda: None,
    *,
    seen: Bools | None = None,
) -> list[Perceptron]:
    """Return one net per row of `weights`; rows of `inputs` are examples, and `targets` their labels, from 0 to 1.

    `seen` has one row per net with the inputs it sees, by default all. `tick` is called after every epoch.

    >>> inputs = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
    >>> targets, weights = np.array([0, 1, 1, 0], np.float32), np.ones((1, 4), np.float32)
    >>> fit(inputs, targets, weights, TexrexRecipe(epochs=100))[0].run(inputs.T).round(1) + 0.0
    array([0., 1., 1., 0.], dtype=float32)
    """
    *_, (_, nets) = epochs(inputs, targets, weights, recipe, (recipe.epochs,), tick, seen=seen)
    return nets


def epochs(
    inputs: Floats,
    targets: Floats,
    weights: Floats,
    recipe: TexrexRecipe,
    at: Collection[int],
    tick: Tick = lambda: None,
    *,
    seen: Bools | None = None,
) -> Iterator[tuple[int, list[Perceptron]]]:
    """Train as `fit` does, and yield the nets after each number of epochs in `at`, with that number."""
    rows = np.column_stack([inputs, np.ones(len(inputs))]).astype(np.float32)
    # A net without any row to learn from, as when all pages are of one site, keeps its initial weights.
    total = np.maximum(weights.sum(axis=1, keepdims=True), 1e-30)
    shares = np.ascontiguousarray((weights / total).T, np.float32)
    state = _RpropState.begin(rows.shape[1], len(weights), recipe)
    mask = _mask(seen, recipe.hidden) if seen is not None else None
    if mask is not None:
        state.hidden *= mask
    for epoch in range(1, max(at) + 1):
        by_hidden, by_output = _gradient(state, rows, targets.astype(np.float32), shares)
        if mask is not None:
            by_hidden *= mask
        state.step(by_hidden, by_output)
        tick()
        if epoch in at:
            yield epoch, state.nets()


def _mask(seen: Bools, hidden: int) -> Floats:
    """Return 1 for weights of the bias and of inputs that their net sees, else 0.

    >>> _mask(np.array([[True, False], [True, True]]), 1)
    array([[1., 1.],
           [0., 1.],
           [1., 1.]], dtype=float32)
    """
    return np.repeat(np.vstack([seen.T, np.ones(len(seen))]), hidden, axis=1).astype(np.float32)


@dataclass(slots=True, eq=False)
class _RpropState:
    """The weights of all nets, and the state of RPROP."""

    recipe: TexrexRecipe
    hidden: Floats  # (inputs + 1, nets × hidden)
    output: Floats  # (nets, hidden + 1)
    steps: tuple[Floats, Floats]
    before: tuple[Floats, Floats]

    @classmethod
    def begin(cls, inputs: int, nets: int, recipe: TexrexRecipe) -> "_RpropState":
        """Draw small random weights, the same for every net, so that folds differ only by their rows."""
        random = np.random.default_rng(recipe.seed)
        hidden = np.tile(random.uniform(-1, 1, (inputs, recipe.hidden)), nets).astype(np.float32)
        output = np.tile(random.uniform(-1, 1, recipe.hidden + 1), (nets, 1)).astype(np.float32)
        steps = np.full_like(hidden, FIRST_STEP), np.full_like(output, FIRST_STEP)
        return cls(recipe, hidden, output, steps, (np.zeros_like(hidden), np.zeros_like(output)))

    def step(self, *gradients: Floats) -> None:
        """Move every weight by its step against the sign of its gradient."""
        for weights, gradient, step, before in zip(
            (self.hidden, self.output), gradients, self.steps, self.before, strict=True
        ):
            agreed = gradient * before
            step[agreed > 0] *= GROW
            step[agreed < 0] *= SHRINK
            np.minimum(step, LONGEST_STEP, out=step)
            gradient[agreed < 0] = 0
            np.clip(weights - np.sign(gradient) * step, -LARGEST, LARGEST, out=weights)
            before[:] = gradient

    def nets(self) -> list[Perceptron]:
        """Return the nets in their present state."""
        layers = np.split(self.hidden.copy(), len(self.output), axis=1)
        return [
            Perceptron(hidden, output.copy(), self.recipe.activation, "linear piece symmetric", STEEPNESS)
            for hidden, output in zip(layers, self.output, strict=True)
        ]


def _gradient(state: _RpropState, rows: Floats, targets: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Return the gradient of the error by each weight, over all rows."""
    nets, width = state.output.shape[0], state.recipe.hidden
    by_hidden, by_output = np.zeros_like(state.hidden), np.zeros_like(state.output)
    for first in range(0, len(rows), ROWS):
        part = rows[first : first + ROWS]
        inner, slope = _activated(state.recipe.activation, np.float32(STEEPNESS) * (part @ state.hidden))
        inner = inner.reshape(-1, nets, width)
        output = np.einsum("rnw,nw->rn", inner, state.output[:, :-1]) + state.output[:, -1]
        error = np.clip(np.float32(STEEPNESS) * output, -1, 1) - targets[first : first + ROWS, None]
        # FANN's error function, whose slope at 1 is infinite.
        error = 2 * np.arctanh(np.clip(error, -0.9999999, 0.9999999))
        error *= np.float32(STEEPNESS) * shares[first : first + ROWS]
        by_output[:, :-1] += np.einsum("rn,rnw->nw", error, inner)
        by_output[:, -1] += error.sum(axis=0)
        back = (error[:, :, None] * state.output[None, :, :-1]).reshape(len(part), -1) * slope
        by_hidden += part.T @ back
    return by_hidden, by_output


def _activated(name: str, sums: Floats) -> tuple[Floats, Floats]:
    """Return the activation of sums, already multiplied by the steepness, and its slope."""
    if name == "sigmoid symmetric":
        inner = np.tanh(sums)
        return inner, np.float32(STEEPNESS) * (1 - inner * inner)
    bell = 2 * np.exp(-sums * sums)
    return bell - 1, np.float32(-2 * STEEPNESS) * sums * bell
