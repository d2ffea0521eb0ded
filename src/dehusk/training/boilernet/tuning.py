"""Tuning: the threshold, and figures of scores by leaf and by word."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from dehusk.training import figures
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.columns import Bools, Doubles, Floats, Longs
from dehusk.training.figures import EVERY_KIND, page_f1

THRESHOLDS: Final = np.arange(0.1, 0.951, 0.01)
SHARE: Final = 10  # one page in this many is checked on
ENOUGH: Final = 20  # pages of every kind to choose by


def leaf_f1(labels: Floats, dropped: Bools) -> tuple[float, float]:
    """Return the F1 of boilerplate and of content among labelled leaves.

    >>> leaf_f1(np.array([1, 1, 0, np.nan]), np.array([True, False, False, True]))
    (0.6666666666666666, 0.6666666666666666)
    """
    known = ~np.isnan(labels)
    boilerplate, predicted = labels[known] > 0.5, dropped[known]
    both, neither = int(np.sum(boilerplate & predicted)), int(np.sum(~boilerplate & ~predicted))
    wrong = int(np.sum(boilerplate != predicted))
    return 2 * both / max(2 * both + wrong, 1), 2 * neither / max(2 * neither + wrong, 1)


def leaves_of(packed: BoilernetPacked, pages: Sequence[int]) -> Longs:
    """Return the indices of the leaves of some pages."""
    start = packed.start
    return np.concatenate([np.arange(start[page], start[page + 1]) for page in pages])


def pages_f1(packed: BoilernetPacked, pages: Sequence[int], kept: Bools) -> Doubles:
    """Return the F1 of some pages, counted in words; `kept` has the leaves of those pages, one page after the other."""
    leaves, count = leaves_of(packed, pages), len(pages)
    page, words = np.repeat(np.arange(count), packed.size[list(pages)]), packed.sizes[leaves]
    gold = words * (1 - np.nan_to_num(packed.labels[leaves], nan=1.0))
    return page_f1(page, words, gold, kept, count)


def best_threshold(packed: BoilernetPacked, pages: Sequence[int], scores: Floats) -> float:
    """Return the score from which leaves are best dropped, by the mean F1 of pages of every kind if enough."""
    chosen = [page for page in pages if packed.info[page].corpus in EVERY_KIND]
    used = np.isin(pages, chosen if len(chosen) >= ENOUGH else pages)
    return figures.best_threshold(
        THRESHOLDS, lambda threshold: pages_f1(packed, pages, scores < threshold)[used].mean()
    )


def check_pages(packed: BoilernetPacked) -> list[int]:
    """Return the pages that epochs and thresholds are chosen by: all pages of some sites, at least a tenth of all.

    The choice depends only on the names of the sites. If all pages are of one site, each page counts as a site.
    """
    sites = [info.site for info in packed.info]
    if len(set(sites)) == 1:
        sites = [info.id for info in packed.info]
    chosen: list[int] = []
    order = sorted(set(sites), key=lambda site: hashlib.sha256(f"boilernet{site}".encode()).digest())
    for site in order[:-1]:  # the last is always left to learn from, however few sites there are
        if len(chosen) * SHARE >= len(sites):
            break
        chosen += [page for page, each in enumerate(sites) if each == site]
    return sorted(chosen)


def repeated(pages: Sequence[int], sets: Sequence[str], least: int) -> list[int]:
    """Return pages, those of sets that have fewer than `least` as often as it takes to have about as many.

    >>> repeated([3, 4, 5, 6], ["news", "news", "news", "forum"], 3)
    [3, 4, 5, 6, 6, 6]
    """
    sizes = Counter(sets)
    return [page for page, name in zip(pages, sets, strict=True) for _ in range(max(1, round(least / sizes[name])))]


def figures_by_set(packed: BoilernetPacked, pages: Sequence[int], kept: Bools) -> dict[str, float]:
    """Return the mean F1 of some pages, by set."""
    sets = [packed.info[page].corpus for page in pages]
    return figures.figures_by_set(sets, pages_f1(packed, pages, kept), list(packed.licences))
