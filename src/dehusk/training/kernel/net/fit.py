"""Fit: train a network on some pages, and predict others."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from dehusk.errors import InputError
from dehusk.methods.kernel.network import mean_logit
from dehusk.training.columns import Floats, Longs
from dehusk.training.kernel.bins import bins_of
from dehusk.training.kernel.examples import EMPTIED, PLAIN
from dehusk.training.kernel.net.batches import DeviceExamples, batch
from dehusk.training.kernel.net.losses import loss
from dehusk.training.kernel.net.network import KernelNet, new_net, run
from dehusk.training.kernel.packed import KernelPacked
from dehusk.training.kernel.recipe import KernelRecipe
from dehusk.training.progress import Tick

PREDICTED = 64  # examples at a time
SMOOTHEST = 0.999  # decay of the moving average of weights; at the beginning it is faster
LAST_RATE = 0.01  # as a share of the first


def fit_all(
    store: DeviceExamples, pages: Sequence[int], recipe: KernelRecipe, tick: Tick = lambda: None
) -> list[KernelNet]:
    """Return a network for each of the recipe's seeds."""
    return [fit(store, pages, recipe, seed, tick) for seed in recipe.seeds]


def predict_all(store: DeviceExamples, nets: Sequence[KernelNet], examples: Sequence[int]) -> list[Floats]:
    """Return as `predict` the logits of the mean probabilities of several networks."""
    return [mean_logit(each) for each in zip(*(predict(store, net, examples) for net in nets), strict=True)]


def fit(
    store: DeviceExamples, pages: Sequence[int], recipe: KernelRecipe, seed: int, tick: Tick = lambda: None
) -> KernelNet:
    """Return a network trained on `pages` (indices of examples), randomly replaced by their variants.

    `tick` is called after every epoch.
    """
    if not pages:
        raise InputError("no page is left to train on; expected pages of other sites or sets than those held out")
    torch.manual_seed(seed)
    torch.set_float32_matmul_precision("high")
    net = new_net(store, recipe.shape, bins_of(store.packed, pages, recipe.shape.bins))
    smooth = net.copy()
    sampler = _Sampler.of(store.packed, pages, recipe, seed)
    optimiser = torch.optim.AdamW(net.weights.values(), lr=recipe.rate, weight_decay=recipe.decay)
    step, steps = 0, recipe.epochs * sampler.batches
    for _ in range(recipe.epochs):
        for examples in sampler.epoch():
            optimiser.param_groups[0]["lr"] = recipe.rate * _rate(step, steps, recipe.warmup)
            given = batch(store, examples.tolist(), net.gap, recipe.noise)
            total = loss(run(net, given, recipe.noise), given, recipe)
            optimiser.zero_grad()
            total.backward()
            torch.nn.utils.clip_grad_norm_(list(net.weights.values()), 1.0)
            optimiser.step()
            step += 1
            slowness = min(SMOOTHEST, (1 + step) / (10 + step))
            with torch.no_grad():  # the average of weights follows the present ones
                torch._foreach_lerp_(list(smooth.weights.values()), list(net.weights.values()), 1 - slowness)
        tick()
    return smooth


def predict(store: DeviceExamples, net: KernelNet, examples: Sequence[int]) -> list[Floats]:
    """Return the logits of main text of all blocks, one array per example."""
    predictions: list[Floats] = []
    with torch.no_grad():
        for first in range(0, len(examples), PREDICTED):
            some = examples[first : first + PREDICTED]
            logits = run(net, batch(store, some, net.gap)).blocks
            predictions += np.split(logits.cpu().numpy(), np.cumsum(store.packed.size[some])[:-1])
    return predictions


@dataclass(frozen=True, slots=True, eq=False)
class _Sampler:
    """Draws the examples of each epoch."""

    pages: Longs
    varied: list[list[int]]  # of each page
    emptied: Longs  # of all pages
    recipe: KernelRecipe
    random: np.random.Generator

    @classmethod
    def of(cls, packed: KernelPacked, pages: Sequence[int], recipe: KernelRecipe, seed: int) -> "_Sampler":
        variants = packed.variants(pages)
        emptied = [one for some in variants for one in some if packed.info[one].variant == EMPTIED]
        varied = [[one for one in some if packed.info[one].variant not in (PLAIN, EMPTIED)] for some in variants]
        return cls(np.array(pages), varied, np.array(emptied, np.int64), recipe, np.random.default_rng(seed))

    @property
    def added(self) -> int:
        """How many emptied pages an epoch has."""
        return int(len(self.pages) * self.recipe.emptied) if len(self.emptied) else 0

    @property
    def batches(self) -> int:
        """How many batches an epoch has."""
        return math.ceil((len(self.pages) + self.added) / self.recipe.batch)

    def epoch(self) -> Iterator[Longs]:
        """Yield the examples of each batch."""
        chosen = [
            int(self.random.choice(varied) if varied and self.random.random() < self.recipe.varied else page)
            for page, varied in zip(self.pages, self.varied, strict=True)
        ]
        if self.added:
            chosen += self.random.choice(self.emptied, self.added).tolist()
        order = self.random.permutation(np.array(chosen, np.int64))
        for first in range(0, len(order), self.recipe.batch):
            yield order[first : first + self.recipe.batch]


def _rate(step: int, steps: int, warmup: int) -> float:
    """Return the learning rate as a share of the highest: a linear warm-up, then half a cosine.

    >>> [round(_rate(step, 1000, 100), 2) for step in (0, 99, 500, 999)]
    [0.01, 0.99, 0.51, 0.01]
    """
    return min(1.0, (step + 1) / warmup) * (0.5 * (1 + math.cos(math.pi * step / steps)) + LAST_RATE)
