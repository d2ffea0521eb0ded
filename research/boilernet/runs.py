"""Runs: predictions of networks and other programs on the test pages, each kept in a file of the work folder.

Files computed on another machine, say one with a GPU, can be copied there; missing ones are computed.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError, UsageError
from dehusk.evaluation.metrics import ByClass, by_class
from dehusk.evaluation.peers import find_peer
from dehusk.extras import install_command
from dehusk.gold.corpora import Corpus, open_corpus
from dehusk.gold.pages import DEFECTS, TWICE, GoldPage
from dehusk.models import registry
from dehusk.pool import Pool
from dehusk.reasons import Reason
from dehusk.training.boilernet.examples import pack_pages
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.boilernet.paper import PaperPages, digest, own_split
from dehusk.training.boilernet.recipe import PAPER, BoilernetRecipe
from dehusk.training.examples import LIMITS, parse
from dehusk.training.packed import licences_of
from research import Progress
from research.boilernet.node_counts import leaf_counts, node_counts
from research.cache import file_name, write_atomically

SETS: Final = ("googletrends2017", "cleaneval")
EPOCHS_PER_MESSAGE: Final = 10

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Parts:
    """The pages of a corpus for training, for choosing the epoch, and for testing."""

    name: str
    train: Sequence[int]
    check: Sequence[int]
    test: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The text nodes of both corpora, and the folder that holds the results."""

    packed: BoilernetPacked
    work: Path
    progress: Progress

    @classmethod
    def open(cls, work: Path, progress: Progress) -> Self:
        """Read both corpora from a packed file, which is written first if it is missing."""
        path = work / "pages.npz"
        if not path.exists():
            progress("pages")
            corpora = [open_corpus(name) for name in SETS]
            pages = (page for corpus in corpora for page in corpus.pages() if page.labels)
            pack_pages(pages, licences_of(corpora), os.cpu_count() or 1).save(path)
        return cls(BoilernetPacked.load(path), work, progress)

    def parts(self, name: str) -> Parts:
        """Return the paper's split of a corpus; of cleaneval as close to it as the available pages allow."""
        if name == "googletrends2017":
            return Parts(name, *(self._pages(name, split) for split in ("train", "dev", "test")))
        # Defects of some gold texts leave the labels of their nodes usable: a list of links has no content.
        usable = [page for page in self._pages(name, "dev") if DEFECTS[name].get(self.packed.info[page].id) != TWICE]
        return Parts(name, *own_split(self.packed, usable), self._pages(name, "test"))

    def fewer(self, parts: Parts, count: int, seed: int) -> Parts:
        """Return the split with fewer training pages, chosen by the seed."""
        shuffled = sorted(parts.train, key=lambda page: digest(f"{seed}:{self.packed.info[page].id}"))
        return Parts(parts.name, sorted(shuffled[:count]), parts.check, parts.test)

    def by_network(self, parts: Parts, seed: int, *, balanced: bool = True) -> ByClass:
        """Return the counts of a network, trained as in the paper, on the test pages.

        Keras ignores a class weight that is not a dictionary; without `balanced` the loss is as it would be then.
        """
        recipe = replace(PAPER, balanced=balanced)
        loss = "" if balanced else "-unweighted"
        path = self.work / f"{parts.name}-{len(parts.train)}-{seed}{loss}.npz"
        if not path.exists():
            self._train(parts, seed, recipe, path)
        with np.load(path, allow_pickle=False) as file:
            # Otherwise figures of one recipe would be reported under the name of another.
            if str(file.get("recipe", "")) != str(recipe):
                raise InputError(f"{path} was trained with another recipe; remove it")
            return leaf_counts(self.packed, parts.test, file["scores"] >= 0.5)

    def by_method(self, parts: Parts, name: str) -> ByClass:
        """Return the counts of a shipped network on the test pages, read as `dehusk extract` reads them."""
        path = self.work / file_name(parts.name, name, "npz")
        if not path.exists():
            self.progress(f"{name} on {parts.name}")
            method, kept = registry.method(name), []
            for page in open_corpus(parts.name).pages("test"):
                if page.labels:
                    parsed = parse(page.html)
                    blocks = method.segment(parsed)
                    kept.append(method.score(parsed, blocks).values < 0.5)
            _save(path, dropped=~np.concatenate(kept))
        with np.load(path, allow_pickle=False) as file:
            return leaf_counts(self.packed, parts.test, file["dropped"])

    def by_peer(self, name: str, corpus: str) -> ByClass:
        """Return the counts of another program on the labelled nodes of a corpus's test pages."""
        path = self.work / f"{corpus}-{name}.npz"
        if not path.exists():
            self.progress(f"{name} on {corpus}")
            _save(path, counts=_peer_counts(name, open_corpus(corpus)))
        with np.load(path, allow_pickle=False) as file:
            dropped, gold = np.array([1, 1, 0, 0]) > 0, np.array([1, 0, 1, 0]) > 0
            return by_class(dropped, gold, file["counts"])

    def _pages(self, name: str, split: str) -> list[int]:
        return [page for page, each in enumerate(self.packed.info) if (each.corpus, each.split) == (name, split)]

    def _train(self, parts: Parts, seed: int, recipe: BoilernetRecipe, path: Path) -> None:
        try:
            from dehusk.training.boilernet.net.batches import DeviceInputs  # noqa: PLC0415
            from dehusk.training.boilernet.net.fit import FitTask, fit, scores  # noqa: PLC0415
        except ImportError as error:
            raise UsageError(f"training needs more packages ({error}); {install_command('train')}") from error
        name = f"{parts.name}, {len(parts.train)} pages, seed {seed}"
        self.progress(name)

        def log_epoch(epoch: int, loss: float, figure: float) -> None:
            if epoch % EPOCHS_PER_MESSAGE == 0:
                self.progress(f"{name}, epoch {epoch} of {recipe.epochs}: loss {loss:.3f}, F1 {figure:.3f}")

        pages = PaperPages.of(self.packed, ([*parts.train], [*parts.check]))
        task = FitTask(pages.data, pages.data.labels, pages.train, pages.check, pages.judge)
        net = fit(task, recipe, seed, log_epoch, path.with_suffix(".pt"))
        scored = pages.scored(scores(net, DeviceInputs.of(pages.data), pages.data, parts.test), parts.test)
        _save(path, recipe=np.array(str(recipe)), scores=scored.astype(np.float16))
        path.with_suffix(".pt").unlink()


def _save(path: Path, **arrays: Any) -> None:
    write_atomically(path, lambda file: np.savez_compressed(file, **arrays))


def _peer_counts(name: str, corpus: Corpus) -> NDArray[np.int64]:
    """Return the counts of all test pages, as `node_counts` has them."""
    total: NDArray[np.int64] = np.zeros(4, np.int64)
    pages = (page for page in corpus.pages("test") if page.labels)
    with Pool[GoldPage, NDArray[np.int64]](partial(peer_counts, name), os.cpu_count() or 1, LIMITS) as pool:
        for page, answer in pool.map(pages):
            # A program that fails on a page keeps nothing of it.
            total += node_counts(page, "") if isinstance(answer, Reason) else answer
    return total


def peer_counts(name: str, page: GoldPage) -> NDArray[np.int64]:
    """Run a program on a page, in a worker, and count the nodes that it keeps."""
    peer = find_peer(name)
    peer.load()
    assert isinstance(page.html, str)  # as in both corpora
    return node_counts(page, peer.run(page.html, page.language))
