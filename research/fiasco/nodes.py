"""Nodes: the targets of an experiment's pages, classified by machines trained on the other folds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.gold.yardstick import stable_hash
from dehusk.methods.fiasco.machine import Scaling
from dehusk.training.columns import Bools, Floats
from dehusk.training.fiasco import keywords
from dehusk.training.fiasco.examples import FiascoPacked
from dehusk.training.fiasco.keywords import General
from dehusk.training.fiasco.svm import SvmRecipe, matrix_with, support_vectors

FOLDS: Final = 10
DRAWN: Final = 4000  # targets, in all rows
MANY: Final = 10_000  # in one row, which takes minutes
ROUNDS: Final = 2000

Ints = NDArray[np.integer[Any]]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What machines of the other folds say about each target: whether it is dirty; with its label and page."""

    dirty: Bools
    gold: Bools
    page: Ints

    @property
    def right(self) -> Bools:
        """Which targets are judged rightly."""
        right: Bools = self.dirty == self.gold
        return right

    def figures(self) -> tuple[float, float, float, float]:
        """Return accuracy in per cent, and precision, recall and F of clean targets."""
        return clean_figures(~self.dirty, ~self.gold)

    def error_reduction(self) -> float:
        """Return by how much of its error this is better than the commoner class for all."""
        return _reduction(self.right, self.gold)

    def interval(self, seed: int = 0) -> tuple[float, float]:
        """Return the 95 % interval of the reduction of error, by resampling pages."""
        right, gold, total = (np.bincount(self.page, each) for each in (self.right, self.gold, np.ones(len(self.gold))))
        chosen = np.random.default_rng(seed).integers(0, len(total), (ROUNDS, len(total)))
        sums = [each[chosen].sum(axis=1) for each in (right, gold, total)]
        error = 1 - sums[0] / sums[2]
        # At least one target, since a sample of pages may have none of one class.
        majority = np.maximum(np.minimum(sums[1], sums[2] - sums[1]), 1) / sums[2]
        low, high = np.quantile(1 - error / majority, (0.025, 0.975)).tolist()
        return low, high


def clean_figures(called: Bools, gold: Bools) -> tuple[float, float, float, float]:
    """Return accuracy in per cent, and precision, recall and F of clean targets.

    >>> clean_figures(np.array([True, True, False, False]), np.array([True, False, True, False]))
    (50.0, 0.5, 0.5, 0.5)
    """
    both, kept, total = int((called & gold).sum()), int(called.sum()), int(gold.sum())
    f = 2 * both / max(1, kept + total)
    return 100 * float((called == gold).mean()), both / max(1, kept), both / max(1, total), f


def _reduction(right: Bools, gold: Bools) -> float:
    share = float(gold.mean())
    return 1 - (1 - float(right.mean())) / min(share, 1 - share)


def gain(ours: Judged, theirs: Judged, seed: int = 0) -> tuple[float, float, float]:
    """Return by how many points of accuracy one is better than the other, with its interval over pages."""
    difference = ours.right.astype(np.float64) - theirs.right
    sums, sizes = np.bincount(ours.page, difference), np.bincount(ours.page)
    chosen = np.random.default_rng(seed).integers(0, len(sizes), (ROUNDS, len(sizes)))
    resampled = 100 * sums[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)
    low, high = np.quantile(resampled, (0.025, 0.975)).tolist()
    return 100 * float(difference.mean()), low, high


def drawn(packed: FiascoPacked, pages: Bools, count: int = DRAWN, seed: int = 0) -> NDArray[np.intp]:
    """Draw targets of some pages, each as likely as the other."""
    known = np.flatnonzero(~np.isnan(packed.shares) & pages[packed.page])
    return np.sort(np.random.default_rng(seed).permutation(known)[:count])


def folds_of(packed: FiascoPacked, rows: NDArray[np.intp], *, by_site: bool, folds: int = FOLDS) -> Ints:
    """Return the fold of each target: at random, as in the paper, or by the site of its page."""
    if not by_site:
        return np.random.default_rng(0).permutation(len(rows)) % folds
    of_page = np.array([stable_hash(f"fiasco:{info.site}") % folds for info in packed.info])
    return of_page[packed.page[rows]]


def judged(
    packed: FiascoPacked,
    rows: NDArray[np.intp],
    folds: Ints,
    families: Sequence[str],
    general: General,
    recipe: SvmRecipe,
) -> Judged:
    """Judge targets by machines trained on the other folds, with keywords of those folds."""
    gold = packed.shares[rows] < 0.5
    dirty = np.zeros(len(rows), np.bool_)
    for fold in np.unique(folds).tolist():
        train = folds != fold
        inside = np.zeros(len(packed.page), np.bool_)
        inside[rows[train]] = True
        chosen = keywords.choose(packed, inside, general, recipe.keywords)
        matrix = matrix_with(packed, chosen, tuple(families))[rows]
        scaling = Scaling.of(matrix[train])
        machine = support_vectors(scaling.scaled(matrix[train]), gold[train], recipe)
        dirty[~train] = machine.predict(scaling.scaled(matrix[~train]))
    return Judged(dirty, gold, packed.page[rows])


def other_classifiers(matrix: Floats, dirty: Bools, folds: Ints) -> dict[str, float]:
    """Return the accuracy in per cent of the best polynomial kernel and of boosted decision trees."""
    from sklearn.ensemble import AdaBoostClassifier  # noqa: PLC0415  (an extra)
    from sklearn.svm import SVC  # noqa: PLC0415
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    polynomial = max(
        accuracy(
            SVC(C=cost, kernel="poly", degree=degree, gamma=gamma, coef0=1.0, max_iter=200_000), matrix, dirty, folds
        )
        for cost in (0.5, 2.0, 8.0)
        for gamma in (0.03125, 0.125)
        for degree in (2, 3)
    )
    trees = accuracy(AdaBoostClassifier(DecisionTreeClassifier(max_depth=4), random_state=0), matrix, dirty, folds)
    tree = accuracy(DecisionTreeClassifier(random_state=0), matrix, dirty, folds)
    return {"polynomial kernel, best": polynomial, "decision tree, boosted": trees, "decision tree": tree}


def accuracy(classifier: Any, matrix: Floats, dirty: Bools, folds: Ints) -> float:
    """Return the share of examples in per cent that a classifier trained on the other folds gets right."""
    right = 0
    for fold in np.unique(folds).tolist():
        train = folds != fold
        scaling = Scaling.of(matrix[train])
        classifier.fit(scaling.scaled(matrix[train]), dirty[train])
        right += int((classifier.predict(scaling.scaled(matrix[~train])) == dirty[~train]).sum())
    return 100 * right / len(dirty)
