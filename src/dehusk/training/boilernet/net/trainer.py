"""Trainer: the two networks that are shipped, the large one and the small one that also learns from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dehusk.errors import InputError
from dehusk.training.boilernet.inputs import Inputs, choose_vocabulary, inputs
from dehusk.training.boilernet.net.batches import DeviceInputs
from dehusk.training.boilernet.net.fit import FitTask, OnEpoch, finished, fit, scores
from dehusk.training.boilernet.net.narrow import NarrowNet
from dehusk.training.boilernet.net.network import LeafNet
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.boilernet.recipe import BoilernetRecipe
from dehusk.training.boilernet.tuning import check_pages, leaves_of, pages_f1, repeated
from dehusk.training.columns import Floats

TEACHER = 0.5  # weight of the large network's scores in what the small one learns; the rest is the gold
# Pages that a network is narrowed by, and their most leaves: few enough that memory is no concern.
NARROWED_BY = 100
SHORT = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Trainer:
    """Trains networks on packed pages; the vocabulary is that of the training pages, not of the check pages."""

    packed: BoilernetPacked
    train: list[int]
    check: list[int]
    tags: tuple[str, ...]
    words: tuple[str, ...]
    data: Inputs

    @classmethod
    def of(cls, packed: BoilernetPacked) -> "Trainer":
        """Split the pages and choose the vocabulary."""
        check = check_pages(packed)
        if not check:
            raise InputError("one page is not enough to train on; expected some for training and others for validation")
        train = sorted(set(range(len(packed.info))) - set(check))
        labels = packed.labels[leaves_of(packed, train)]
        if not (labels < 0.5).any() or not (labels > 0.5).any():
            raise InputError("the training pages need text nodes of both kinds, main text and boilerplate")
        tags, words = choose_vocabulary(packed, train)
        return cls(packed, train, check, tags, words, inputs(packed, tags, words))

    def judge(self, scores_: Floats) -> float:
        """Return the mean F1 of the check pages, counted in words."""
        return float(pages_f1(self.packed, self.check, scores_ < 0.5).mean())

    def fit(self, recipe: BoilernetRecipe, seed: int, on_epoch: OnEpoch, checkpoint: Path) -> LeafNet:
        """Return a network trained on the gold."""
        return fit(self._task(self.data.labels, recipe), recipe, seed, on_epoch, checkpoint)

    def distil(
        self, teacher: LeafNet, recipe: BoilernetRecipe, seed: int, on_epoch: OnEpoch, checkpoint: Path
    ) -> LeafNet:
        """Return a network trained on the gold and on the scores of another."""
        if finished(checkpoint, recipe):  # the teacher's scores would take longest
            return self.fit(recipe, seed, on_epoch, checkpoint)
        leaves, targets = leaves_of(self.packed, self.train), self.data.labels.copy()
        taught, gold = self.scores(teacher, self.train), targets[leaves]
        targets[leaves] = np.where(np.isnan(gold), taught, TEACHER * taught + (1 - TEACHER) * np.nan_to_num(gold))
        return fit(self._task(targets, recipe), recipe, seed, on_epoch, checkpoint)

    def narrow(self, net: LeafNet) -> NarrowNet:
        """Return a network of two layers with fewer numbers between them, chosen on some of the training pages."""
        store, start = DeviceInputs.of(self.data, "cpu"), self.data.start.tolist()
        pages = [page for page in self.train if self.data.size[page] <= SHORT]
        some = pages[:: -(-len(pages) // NARROWED_BY)] or self.train
        return NarrowNet.of(net.cpu(), (store.batch([(start[page], start[page + 1])]) for page in some))

    def _task(self, targets: Floats, recipe: BoilernetRecipe) -> FitTask:
        train = repeated(self.train, [self.packed.info[page].corpus for page in self.train], recipe.least)
        return FitTask(self.data, targets, train, self.check, self.judge)

    def scores(self, net: LeafNet, pages: Sequence[int]) -> Floats:
        """Return a network's scores of the leaves of some pages."""
        store = DeviceInputs.of(self.data)
        return scores(net.to(store.device), store, self.data, pages)
