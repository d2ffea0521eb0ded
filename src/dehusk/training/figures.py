"""Figures: folds by site, F1 in words, and the threshold that is best on pages a model has not seen."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.training.columns import Bools, Doubles, Longs
from dehusk.training.examples import PageInfo

FOLDS: Final = 5
# The sets with pages of every kind. The others are mostly news, whose gold leaves out every list.
EVERY_KIND: Final = ("wcxb-dev", "cleaneval")

Numbers = NDArray[np.floating[Any]]


def fold_of(site: str) -> int:
    """Return the fold of a site's pages: the same in every set, version and process.

    >>> fold_of("stackoverflow.com"), fold_of("wikipedia.org")
    (3, 2)
    """
    return int(hashlib.sha256(f"fold{site}".encode()).hexdigest(), 16) % FOLDS


def folds_by_site(pages: Sequence[PageInfo]) -> Longs:
    """Return the fold of each page: by its site, or by its id if all sites are in one fold."""
    folds = np.array([fold_of(page.site) for page in pages])
    return np.array([fold_of(page.id) for page in pages]) if (folds == folds[0]).all() else folds


def page_f1(page: NDArray[np.integer[Any]], words: Numbers, gold: Numbers, kept: Bools, pages: int) -> Doubles:
    """Return the F1 of each page, counted in words; 1 if nothing is gold and nothing is kept.

    Columns over blocks: the index of its page, its words, how many of them are gold, and whether it is kept.

    >>> page, words, gold = np.array([0, 0, 1]), np.array([5.0, 3.0, 4.0]), np.array([5.0, 0.0, 0.0])
    >>> page_f1(page, words, gold, np.array([True, True, False]), 2)
    array([0.76923077, 1.        ])
    """
    right, taken, total = (np.bincount(page, values, pages) for values in (gold * kept, words * kept, gold))
    with np.errstate(invalid="ignore"):
        f1: Doubles = np.where(taken + total > 0, 2 * right / (taken + total), 1.0)
    return f1


def best_threshold(thresholds: Doubles, mean_f1: Callable[[float], float]) -> float:
    """Return the threshold with the best mean F1, smoothed over five neighbours: a single one may be best by chance."""
    figures = [mean_f1(threshold) for threshold in thresholds]
    smooth = np.convolve(np.pad(figures, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    return round(float(thresholds[int(np.argmax(smooth))]), 2)


def figures_by_set(corpora: Sequence[str], f1: Doubles, sets: Sequence[str]) -> dict[str, float]:
    """Return the mean F1 of each set that has pages; `corpora` is the set of each page."""
    names = np.array(corpora)
    return {name: round(float(f1[names == name].mean()), 4) for name in sets if (names == name).any()}
