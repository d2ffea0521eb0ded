"""Pages: nets from pages with gold, one for each language that has enough of them, for the Germanic ones and for all.

A block's target is the share of its words that are boilerplate. It counts by the square root of its words, and so does
a page by the sum of its blocks: somewhere between a figure by blocks and one by pages, which did best.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.texrex import GERMANIC, OTHERWISE
from dehusk.methods.texrex.perceptron import Perceptron
from dehusk.training.texrex.examples import Packed
from dehusk.training.texrex.rprop import Recipe, Tick, fit
from dehusk.training.texrex.vectors import POOLED

# Swept on one fold of five by site: research/texrex/README.md.
RECIPE: Final = Recipe("sigmoid symmetric", epochs=300)
ENOUGH: Final = 50  # pages for a net of one's own
OWN: Final = 10  # times that a net's own pages count more than others, from which it learns what they are too few for
# Blocks that are drawn to be trained on. Twice and four times as many make no better nets, only slower ones.
DRAWN: Final = 150_000
FOLDS: Final = 5
THRESHOLDS: Final = np.arange(0.3, 0.8, 0.01)
# The sets with pages of every kind. The others are mostly news, whose gold leaves out every list.
EVERY_KIND: Final = ("wcxb-dev", "cleaneval")

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The blocks that are trained on, and what each counts."""

    inputs: Floats
    targets: Floats
    weights: Floats
    page: NDArray[np.int32]


def rows(packed: Packed, seed: int) -> Rows:
    """Draw the blocks to train on, each as often as it counts."""
    known = np.flatnonzero(~np.isnan(packed.shares))
    counted = np.sqrt(packed.words[known].astype(np.float64))
    counted /= np.sqrt(np.bincount(packed.page[known], counted, len(packed.about)))[packed.page[known]]
    drawn = np.random.default_rng(seed).choice(len(known), DRAWN, p=counted / counted.sum())
    chosen, times = np.unique(known[drawn], return_counts=True)
    return Rows(packed.matrix[chosen], 1 - packed.shares[chosen], times.astype(np.float32), packed.page[chosen])


def page_groups(packed: Packed) -> dict[str, Bools]:
    """Return for each net which pages are its own; those of the one for all languages are what no other net is for."""
    languages = np.array([about.language for about in packed.about])
    many = sorted(name for name, count in Counter(languages.tolist()).items() if name and count >= ENOUGH)
    groups = {name: languages == name for name in many}
    if sum(name in GERMANIC for name in many) > 1:
        groups[POOLED] = np.isin(languages, GERMANIC)
    rest = ~np.any([*groups.values()], axis=0) if groups else np.ones(len(languages), np.bool_)
    return {**groups, OTHERWISE: rest if rest.any() else ~rest}


def page_nets(packed: Packed, recipe: Recipe = RECIPE, tick: Tick = lambda: None) -> dict[str, Perceptron]:
    """Return a net for each group; `tick` is called after every epoch."""
    data, groups = rows(packed, recipe.seed), page_groups(packed)
    table = np.stack([np.where(own, OWN, 1)[data.page] * data.weights for own in groups.values()])
    return dict(zip(groups, fit(data.inputs, data.targets, table.astype(np.float32), recipe, tick), strict=True))


def held_out(packed: Packed, own: Bools, recipe: Recipe = RECIPE, tick: Tick = lambda: None) -> Floats:
    """Return what nets with these pages as their own say of sites that they have not seen: five folds, side by side."""
    data, weights = rows(packed, recipe.seed), np.where(own, OWN, 1)
    folds = page_folds(packed)
    table = np.stack([((folds != fold) * weights)[data.page] * data.weights for fold in range(FOLDS)])
    output = np.empty(len(packed.page), np.float32)
    for fold, net in enumerate(fit(data.inputs, data.targets, table.astype(np.float32), recipe, tick)):
        inside = folds[packed.page] == fold
        output[inside] = net.run(packed.matrix[inside].T)
    return output


def page_folds(packed: Packed) -> NDArray[np.int64]:
    """Return the fold of each page: by its site, or where all sites are in one fold by itself."""
    folds = np.array([fold_of(about.site) for about in packed.about])
    if (folds == folds[0]).all():
        return np.array([fold_of(about.id) for about in packed.about])
    return folds


def fold_of(site: str) -> int:
    """Return the fold of a site's pages: the same in every set, version and process.

    >>> fold_of("stackoverflow.com"), fold_of("wikipedia.org")
    (3, 2)
    """
    return int(hashlib.sha256(f"fold{site}".encode()).hexdigest(), 16) % FOLDS


def page_f1(packed: Packed, kept: Bools) -> Doubles:
    """Return the F1 of each page, counted in words; 1 where nothing was wanted and nothing is kept."""
    count = len(packed.about)
    wanted = packed.words * np.nan_to_num(packed.shares)
    found, all_kept, gold = (
        np.bincount(packed.page, values, count) for values in (wanted * kept, packed.words * kept, wanted)
    )
    with np.errstate(invalid="ignore"):
        f1: Doubles = np.where(all_kept + gold > 0, 2 * found / (all_kept + gold), 1.0)
    return f1


def best_threshold(packed: Packed, output: Floats, own: Bools) -> float:
    """Return the threshold with the best mean F1 of a net's own pages, those of `EVERY_KIND` where they are enough."""
    mixed = own & np.array([about.corpus in EVERY_KIND for about in packed.about])
    pages = mixed if mixed.sum() >= ENOUGH else own
    figures = [page_f1(packed, output < threshold)[pages].mean() for threshold in THRESHOLDS]
    # A single place may be best by chance; of a few neighbours together that is less likely.
    smooth = np.convolve(np.pad(figures, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    return round(float(THRESHOLDS[int(np.argmax(smooth))]), 2)


def figures_by_set(packed: Packed, f1: Doubles) -> dict[str, float]:
    """Return the mean F1 of each set's pages."""
    sets = np.array([about.corpus for about in packed.about])
    return {name: round(float(f1[sets == name].mean()), 4) for name in packed.licences if (sets == name).any()}
