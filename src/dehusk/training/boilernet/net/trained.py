"""Trained: the two networks that are shipped, the large one and the small one that learns from it too."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError
from dehusk.training.boilernet.inputs import Inputs, choose, inputs
from dehusk.training.boilernet.net.batches import Store
from dehusk.training.boilernet.net.fit import Task, Told, finished, fit, scores
from dehusk.training.boilernet.net.narrow import Narrow
from dehusk.training.boilernet.net.network import Net
from dehusk.training.boilernet.packed import Packed
from dehusk.training.boilernet.recipe import Recipe
from dehusk.training.boilernet.tuning import check_pages, leaves_of, pages_f1

Floats = NDArray[np.float32]
# How much of what the small network learns is the large one's opinion; the rest is the gold.
OPINION = 0.5
# By how many pages a network is narrowed, and of how many leaves at most: about as many numbers as need no care.
ASKED = 100
SHORT = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What both networks are trained on: the vocabulary is that of the training pages, not of those to check on."""

    packed: Packed
    train: list[int]
    check: list[int]
    tags: tuple[str, ...]
    words: tuple[str, ...]
    data: Inputs

    @classmethod
    def of(cls, packed: Packed) -> "Ground":
        """Part the pages and choose the vocabulary."""
        check = check_pages(packed)
        if not check:
            raise InputError("one page is too little to train on; give pages to learn from and others to check on")
        train = sorted(set(range(len(packed.about))) - set(check))
        labels = packed.labels[leaves_of(packed, train)]
        if not (labels < 0.5).any() or not (labels > 0.5).any():
            raise InputError("the pages to learn from need text nodes of both kinds, main text and boilerplate")
        tags, words = choose(packed, train)
        return cls(packed, train, check, tags, words, inputs(packed, tags, words))

    def judge(self, said: Floats) -> float:
        """Return the mean F1 of the pages to check on, counted in words."""
        return float(pages_f1(self.packed, self.check, said < 0.5).mean())

    def fitted(self, recipe: Recipe, seed: int, told: Told, kept: Path) -> Net:
        """Return a network trained on the gold."""
        return fit(self._task(self.data.labels), recipe, seed, told, kept)

    def distilled(self, teacher: Net, recipe: Recipe, seed: int, told: Told, kept: Path) -> Net:
        """Return a network trained on the gold and on what another says of the same pages."""
        if finished(kept, recipe):  # asking the teacher takes longer than all else
            return self.fitted(recipe, seed, told, kept)
        leaves, wanted = leaves_of(self.packed, self.train), self.data.labels.copy()
        said, gold = self.said(teacher, self.train), wanted[leaves]
        wanted[leaves] = np.where(np.isnan(gold), said, OPINION * said + (1 - OPINION) * np.nan_to_num(gold))
        return fit(self._task(wanted), recipe, seed, told, kept)

    def narrowed(self, net: Net) -> Narrow:
        """Return a network of two layers with less between them, by what it makes of some of the training pages."""
        store, start = Store.of(self.data, "cpu"), self.data.start.tolist()
        pages = [page for page in self.train if self.data.size[page] <= SHORT]
        some = pages[:: -(-len(pages) // ASKED)] or self.train
        return Narrow.of(net.cpu(), (store.batch([(start[page], start[page + 1])]) for page in some))

    def _task(self, wanted: Floats) -> Task:
        return Task(self.data, wanted, self.train, self.check, self.judge)

    def said(self, net: Net, pages: Sequence[int]) -> Floats:
        """Return a network's scores of the leaves of some pages."""
        store = Store.of(self.data)
        return scores(net.to(store.device), store, self.data, pages)
