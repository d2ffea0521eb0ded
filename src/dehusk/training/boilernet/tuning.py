"""Tuning: the threshold, and figures of scores by leaf and by word."""

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.training.boilernet.packed import Packed

THRESHOLDS: Final = np.arange(0.1, 0.951, 0.01)
SHARE: Final = 10  # one page in so many is checked on
# The sets with pages of every kind. The others are mostly news, whose gold leaves out every list.
EVERY_KIND: Final = ("wcxb-dev", "cleaneval")
ENOUGH: Final = 20  # pages of those sets to choose by

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]


def leaf_f1(labels: Floats, dropped: Bools) -> tuple[float, float]:
    """Return the F1 of boilerplate and of content among labelled leaves.

    >>> leaf_f1(np.array([1, 1, 0, np.nan]), np.array([True, False, False, True]))
    (0.6666666666666666, 0.6666666666666666)
    """
    known = ~np.isnan(labels)
    wanted, said = labels[known] > 0.5, dropped[known]
    both, neither = int(np.sum(wanted & said)), int(np.sum(~wanted & ~said))
    wrong = int(np.sum(wanted != said))
    return 2 * both / max(2 * both + wrong, 1), 2 * neither / max(2 * neither + wrong, 1)


def leaves_of(packed: Packed, pages: Sequence[int]) -> Longs:
    """Return the numbers of the leaves of some pages."""
    start = packed.start
    return np.concatenate([np.arange(start[page], start[page + 1]) for page in pages])


def pages_f1(packed: Packed, pages: Sequence[int], kept: Bools) -> Doubles:
    """Return the F1 of some pages, counted in words; 1 where nothing was wanted and nothing is kept.

    `kept` tells of the leaves of those pages, one page after the other.
    """
    leaves, count = leaves_of(packed, pages), len(pages)
    page, words = np.repeat(np.arange(count), packed.size[list(pages)]), packed.sizes[leaves]
    wanted = words * (1 - np.nan_to_num(packed.labels[leaves], nan=1.0))
    found, taken, gold = (np.bincount(page, values, count) for values in (wanted * kept, words * kept, wanted))
    with np.errstate(invalid="ignore"):
        f1: Doubles = np.where(taken + gold > 0, 2 * found / (taken + gold), 1.0)
    return f1


def best_threshold(packed: Packed, pages: Sequence[int], said: Floats) -> float:
    """Return the score from which on leaves are best dropped, by the mean F1 of pages of every kind."""
    chosen = [page for page in pages if packed.about[page].corpus in EVERY_KIND]
    used = np.isin(pages, chosen if len(chosen) >= ENOUGH else pages)
    figures = [pages_f1(packed, pages, said < threshold)[used].mean() for threshold in THRESHOLDS]
    # A single place may be best by chance; of a few neighbours together that is less likely.
    smooth = np.convolve(np.pad(figures, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    return round(float(THRESHOLDS[int(np.argmax(smooth))]), 2)


def check_pages(packed: Packed) -> list[int]:
    """Return the pages that epochs and thresholds are chosen by, a tenth at least, and no site only in part.

    Which sites depends on their names alone. Where all pages are of one site, each page is taken for a site.
    """
    sites = [about.site for about in packed.about]
    if len(set(sites)) == 1:
        sites = [about.id for about in packed.about]
    chosen: list[int] = []
    order = sorted(set(sites), key=lambda site: hashlib.sha256(f"boilernet{site}".encode()).digest())
    for site in order[:-1]:  # of the last there is something to learn, however few sites there are
        if len(chosen) * SHARE >= len(sites):
            break
        chosen += [page for page, each in enumerate(sites) if each == site]
    return sorted(chosen)


def figures_by_set(packed: Packed, pages: Sequence[int], kept: Bools) -> dict[str, float]:
    """Return the mean F1 of some pages, by set."""
    f1, sets = pages_f1(packed, pages, kept), np.array([packed.about[page].corpus for page in pages])
    return {name: round(float(f1[sets == name].mean()), 4) for name in packed.licences if (sets == name).any()}
