"""Support vector machines: examples are drawn, a machine is fitted, and a few vectors stand for all that support it."""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.fiasco.features import FAMILIES, KEYWORDS, WITHOUT_VISUAL, columns
from dehusk.methods.fiasco.machine import Machine, Scaling, rbf
from dehusk.training.columns import Bools, Doubles, Floats
from dehusk.training.fiasco import keywords
from dehusk.training.fiasco.examples import FiascoPacked
from dehusk.training.fiasco.keywords import General, Keywords
from dehusk.training.figures import FOLDS, folds_by_site
from dehusk.training.progress import Tick

RIDGE: Final = 1e-3  # keeps the weights of vectors small that are close to each other

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class SvmRecipe:
    """What a machine is made with: research/fiasco/README.md has what was tried."""

    cost: float = 4.0
    gamma: float = 0.125
    examples: int = 12_000
    vectors: int = 400  # that stand for all support vectors
    families: tuple[str, ...] = WITHOUT_VISUAL
    keywords: int = keywords.COUNT
    seed: int = 0


def draw(packed: FiascoPacked, among: Bools, count: int, seed: int) -> Rows:
    """Draw targets to train on, in proportion to the root of their words; a page counts by the root of its targets."""
    known = np.flatnonzero(among & ~np.isnan(packed.shares))
    probabilities = packed.probabilities(known)
    size = min(count, int(np.count_nonzero(probabilities)))
    rows: Rows = np.random.default_rng(seed).choice(known, size, replace=False, p=probabilities)
    return rows


def matrix_with(packed: FiascoPacked, chosen: Keywords, families: tuple[str, ...]) -> Floats:
    """Return the features of some families, with the columns of the keywords filled in."""
    names = columns(FAMILIES)
    matrix = packed.matrix.copy()
    matrix[:, [names.index(name) for name in KEYWORDS]] = keywords.columns(packed, chosen)
    return matrix[:, [names.index(name) for name in columns(families)]]


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A machine with all support vectors, and the machine of few vectors that stands for it."""

    whole: Any  # scikit-learn's
    scaling: Scaling
    machine: Machine
    keywords: Keywords


def fit(packed: FiascoPacked, among: Bools, general: General, recipe: SvmRecipe) -> Fitted:
    """Fit a machine to some targets; keywords and the scale are theirs alone."""
    chosen = keywords.choose(packed, among & ~np.isnan(packed.shares), general, recipe.keywords)
    rows = draw(packed, among, recipe.examples, recipe.seed)
    matrix = matrix_with(packed, chosen, recipe.families)[rows]
    scaling = Scaling.of(matrix)
    scaled = scaling.scaled(matrix)
    whole = support_vectors(scaled, packed.shares[rows] < 0.5, recipe)
    return Fitted(whole, scaling, reduced(whole, scaling, scaled, recipe), chosen)


def held_out(packed: FiascoPacked, general: General, recipe: SvmRecipe, tick: Tick = lambda: None) -> Doubles:
    """Return the decisions on all targets, each by a machine that has not seen its site; keywords included."""
    folds = folds_by_site(packed.info)[packed.page]
    decisions: Doubles = np.zeros(len(packed.page))
    for fold in range(FOLDS):
        inside = folds == fold
        if inside.any() and not inside.all():
            fitted = fit(packed, ~inside, general, recipe)
            matrix = matrix_with(packed, fitted.keywords, recipe.families)
            decisions[inside] = fitted.machine.decisions(matrix[inside])
        tick()
    return decisions


def support_vectors(scaled: Floats, dirty: Bools, recipe: SvmRecipe) -> Any:
    """Fit scikit-learn's machine, which is LIBSVM."""
    from sklearn.svm import SVC  # noqa: PLC0415  (an extra)

    return SVC(C=recipe.cost, gamma=recipe.gamma, cache_size=400).fit(scaled, dirty)


def reduced(whole: Any, scaling: Scaling, scaled: Floats, recipe: SvmRecipe) -> Machine:
    """Return a machine of a few support vectors, weighted so that it decides like the whole one on the examples."""
    vectors, offset = np.asarray(whole.support_vectors_, np.float32), float(whole.intercept_[0])
    if len(vectors) <= recipe.vectors:
        return Machine(scaling, vectors, whole.dual_coef_[0].astype(np.float32), offset, recipe.gamma)
    from sklearn.cluster import kmeans_plusplus  # noqa: PLC0415

    spread, _ = kmeans_plusplus(vectors, recipe.vectors, random_state=recipe.seed)
    kernel = rbf(scaled, spread.astype(np.float32), recipe.gamma).astype(np.float64)
    decisions = np.asarray(whole.decision_function(scaled)) - offset
    gram = kernel.T @ kernel + RIDGE * np.eye(len(spread))
    weights = np.linalg.solve(gram, kernel.T @ decisions)
    return Machine(scaling, spread.astype(np.float32), weights.astype(np.float32), offset, recipe.gamma)


def calibrated(machine: Machine, decisions: Doubles, dirty: Bools) -> Machine:
    """Return the machine with Platt's sigmoid, fitted to decisions on targets that it has not seen.

    >>> scaling = Scaling(np.zeros(1, np.float32), np.ones(1, np.float32))
    >>> machine = Machine(scaling, np.zeros((1, 1), np.float32), np.ones(1, np.float32), 0.0, 1.0)
    >>> fitted = calibrated(machine, np.array([-2.0, -1.0, 1.0, 2.0] * 9), np.array([False, False, True, True] * 9))
    >>> fitted.slope > 0, abs(fitted.shift) < 0.1
    (True, True)
    """
    # His targets: not quite 0 and 1, so that a perfect separation does not make the slope infinite.
    positive, negative = np.count_nonzero(dirty), np.count_nonzero(~dirty)
    labels = np.where(dirty, (positive + 1) / (positive + 2), 1 / (negative + 2))
    slope, shift = 1.0, 0.0
    for _ in range(50):  # Newton's method: the logarithm of the likelihood is concave
        likely = 1 / (1 + np.exp(-(slope * decisions + shift)))
        spread = likely * (1 - likely) + 1e-12
        error = likely - labels
        gradient = np.array([error @ decisions, error.sum()])
        curvature = np.array(
            [[spread @ decisions**2 + 1e-9, spread @ decisions], [spread @ decisions, spread.sum() + 1e-9]]
        )
        step = np.linalg.solve(curvature, gradient)
        slope, shift = slope - float(step[0]), shift - float(step[1])
        if np.abs(step).max() < 1e-9:
            break
    return replace(machine, slope=slope, shift=shift)
