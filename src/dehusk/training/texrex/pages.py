"""Pages: nets from pages with gold, for each language that has enough of them, for the Germanic ones and for all.

A block's target is the share of its words that are boilerplate. A block is weighted by the square root of its words,
and a page by the square root of the sum of its blocks.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from dehusk.methods.texrex import GERMANIC, OTHERWISE
from dehusk.methods.texrex.fann import Perceptron
from dehusk.training.columns import Bools, Floats, Ints
from dehusk.training.figures import FOLDS, folds_by_site
from dehusk.training.progress import Tick
from dehusk.training.texrex.examples import TexrexPacked
from dehusk.training.texrex.rprop import TexrexRecipe, fit
from dehusk.training.texrex.vectors import POOLED, Vectors

# Swept on one fold of five by site: research/texrex/README.md.
RECIPE: Final = TexrexRecipe("sigmoid symmetric", epochs=300)
ENOUGH: Final = 50  # pages for a net of its own
OWN: Final = 10  # weight of a net's own pages, beside 1 for the others, which make up for their small number
# Blocks that are drawn to be trained on. Two and four times as many make nets no better, only slower.
DRAWN: Final = 150_000
THRESHOLDS: Final = np.arange(0.3, 0.8, 0.01)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnBlocks:
    """The blocks that are trained on, with their weights."""

    inputs: Floats
    targets: Floats
    weights: Floats
    page: Ints


def draw_blocks(packed: TexrexPacked, seed: int) -> DrawnBlocks:
    """Draw the blocks to train on, in proportion to their weights."""
    known = np.flatnonzero(~np.isnan(packed.shares))
    drawn = np.random.default_rng(seed).choice(known, DRAWN, p=packed.probabilities(known))
    chosen, times = np.unique(drawn, return_counts=True)
    return DrawnBlocks(packed.matrix[chosen], 1 - packed.shares[chosen], times.astype(np.float32), packed.page[chosen])


def page_groups(packed: TexrexPacked) -> dict[str, Bools]:
    """Return for each net which pages are its own; the one for all languages has those that no other net is for."""
    languages = np.array([info.language for info in packed.info])
    many = sorted(name for name, count in Counter(languages.tolist()).items() if name and count >= ENOUGH)
    groups = {name: languages == name for name in many}
    if sum(name in GERMANIC for name in many) > 1:
        groups[POOLED] = np.isin(languages, GERMANIC)
    rest = ~np.any([*groups.values()], axis=0) if groups else np.ones(len(languages), np.bool_)
    return {**groups, OTHERWISE: rest if rest.any() else ~rest}


def page_nets(packed: TexrexPacked, recipe: TexrexRecipe = RECIPE, tick: Tick = lambda: None) -> dict[str, Perceptron]:
    """Return a net for each group; `tick` is called after every epoch."""
    data, groups = draw_blocks(packed, recipe.seed), page_groups(packed)
    table = np.stack([np.where(own, OWN, 1)[data.page] * data.weights for own in groups.values()])
    return dict(zip(groups, fit(data.inputs, data.targets, table.astype(np.float32), recipe, tick), strict=True))


def held_out(packed: TexrexPacked, own: Bools, recipe: TexrexRecipe = RECIPE, tick: Tick = lambda: None) -> Floats:
    """Return the scores of blocks by nets that have not seen their site, with these pages as their own: five folds."""
    data, weights = draw_blocks(packed, recipe.seed), np.where(own, OWN, 1)
    folds = folds_by_site(packed.info)
    table = np.stack([((folds != fold) * weights)[data.page] * data.weights for fold in range(FOLDS)])
    output = np.empty(len(packed.page), np.float32)
    for fold, net in enumerate(fit(data.inputs, data.targets, table.astype(np.float32), recipe, tick)):
        inside = folds[packed.page] == fold
        output[inside] = net.run(packed.matrix[inside].T)
    return output


def page_vectors(packed: TexrexPacked) -> dict[str, Vectors]:
    """Return the blocks of each language that has a net as vectors, those of the others under "iso"."""
    vectors = {}
    for name, own in page_groups(packed).items():
        if name != POOLED:
            rows = own[packed.page] & ~np.isnan(packed.shares)
            targets = (packed.shares[rows] < 0.5).astype(np.float32)
            vectors["iso" if name == OTHERWISE else name] = Vectors(packed.matrix[rows], targets)
    return vectors
