"""Runs: what networks, and other programs, say of the test pages, each kept in a file of the work folder.

A file made on a machine with a GPU is as good as one made here; what is missing is made.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError, UsageError
from dehusk.evaluation.metrics import ByClass, by_class
from dehusk.evaluation.peers import find_peer
from dehusk.gold.alignment import gold_shares
from dehusk.gold.corpora import Corpus, open_corpus
from dehusk.gold.pages import DEFECTS, TWICE, GoldPage
from dehusk.pool import Pool
from dehusk.training.boilernet.examples import examples
from dehusk.training.boilernet.inputs import choose_vocabulary, inputs
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.boilernet.recipe import PAPER
from dehusk.training.boilernet.tuning import leaf_f1, leaves_of
from dehusk.training.examples import LIMITS
from research import Tick

SETS: Final = ("googletrends2017", "cleaneval")
TOLD: Final = 10  # after how many epochs it is told how a network learns
CHECKED: Final = 5  # of cleaneval's development pages, as in the paper
# Tags whose text the authors' program leaves out; our tree has no text below the others that it names, as scripts.
UNREAD: Final = frozenset({"button", "iframe", "noscript"})

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Parts:
    """The pages of a set that a network learns from, is checked on and is measured on."""

    name: str
    train: Sequence[int]
    check: Sequence[int]
    test: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The text nodes of both sets, and where what is made of them is kept."""

    packed: BoilernetPacked
    work: Path
    tick: Tick

    @classmethod
    def open(cls, work: Path, tick: Tick) -> Self:
        """Read both sets, packed in a file that is made where it is missing."""
        path = work / "pages.npz"
        if not path.exists():
            tick("pages")
            corpora, skipped = [open_corpus(name) for name in SETS], Counter[str]()
            pages = (page for corpus in corpora for page in corpus.pages() if page.labels)
            found = examples(pages, os.cpu_count() or 1, skipped)
            BoilernetPacked.of(found, {corpus.name: corpus.licence for corpus in corpora}, skipped).save(path)
        return cls(BoilernetPacked.load(path), work, tick)

    def parts(self, name: str) -> Parts:
        """Return the paper's parts of a set, of cleaneval as near as the pages at hand allow."""
        if name == "googletrends2017":
            return Parts(name, *(self._pages(name, split) for split in ("train", "dev", "test")))
        # What is wrong with some gold texts leaves the labels of their nodes usable: a list of links has no content.
        usable = [page for page in self._pages(name, "dev") if DEFECTS[name].get(self.packed.info[page].id) != TWICE]
        usable.sort(key=lambda page: _digest(self.packed.info[page].id))
        return Parts(name, sorted(usable[CHECKED:]), sorted(usable[:CHECKED]), self._pages(name, "test"))

    def fewer(self, parts: Parts, count: int, seed: int) -> Parts:
        """Return the parts with fewer pages to learn from; which, depends on the seed."""
        drawn = sorted(parts.train, key=lambda page: _digest(f"{seed}:{self.packed.info[page].id}"))
        return Parts(parts.name, sorted(drawn[:count]), parts.check, parts.test)

    def by_network(self, parts: Parts, seed: int) -> ByClass:
        """Return how a network, trained as in the paper, does on the test pages."""
        path = self.work / f"{parts.name}-{len(parts.train)}-{seed}.npz"
        if not path.exists():
            self._train(parts, seed, path)
        with np.load(path, allow_pickle=False) as file:
            # Figures of one recipe under the name of another would be believed.
            if str(file.get("recipe", "")) != str(PAPER):
                raise InputError(f"{path} was trained by another recipe; remove it")
            return self.judged(parts, file["scores"] >= 0.5)

    def judged(self, parts: Parts, dropped: NDArray[np.bool_]) -> ByClass:
        """Return the counts of labelled nodes; those that no leaf of ours holds count as dropped."""
        packed, leaves = self.packed, leaves_of(self.packed, parts.test)
        nodes, labels = packed.nodes[leaves].astype(np.int64), np.nan_to_num(packed.labels[leaves])
        bad = np.round(nodes * labels).astype(np.int64)
        info = [packed.info[page] for page in parts.test]
        lost = [sum(each.lost_boilerplate for each in info), sum(each.lost_content for each in info)]
        said = np.concatenate([dropped, dropped, [True, True]])
        gold = np.concatenate([np.ones(len(bad), np.bool_), np.zeros(len(bad), np.bool_), [True, False]])
        return by_class(said, gold, np.concatenate([bad, nodes - bad, lost]))

    def by_peer(self, name: str, corpus: str) -> ByClass:
        """Return how another program does on the labelled nodes of a set's test pages."""
        path = self.work / f"{corpus}-{name}.npz"
        if not path.exists():
            self.tick(f"{name} on {corpus}")
            _save(path, {"counts": _peer_counts(name, open_corpus(corpus))})
        with np.load(path, allow_pickle=False) as file:
            said, gold, counts = np.array([1, 1, 0, 0]) > 0, np.array([1, 0, 1, 0]) > 0, file["counts"]
        return by_class(said, gold, counts)

    def _pages(self, name: str, split: str) -> list[int]:
        return [page for page, each in enumerate(self.packed.info) if (each.corpus, each.split) == (name, split)]

    def _read(self) -> NDArray[np.bool_]:
        """Tell which leaves the authors' program reads."""
        unread = np.array([not UNREAD.isdisjoint(chain.split()) for chain in self.packed.chains])
        return ~unread[self.packed.chain]

    def _train(self, parts: Parts, seed: int, path: Path) -> None:
        try:
            from dehusk.training.boilernet.net.batches import Store  # noqa: PLC0415
            from dehusk.training.boilernet.net.fit import Task, fit, scores  # noqa: PLC0415
        except ImportError as error:
            raise UsageError(f"training needs more packages ({error}); pip install 'dehusk[train]'") from error
        name = f"{parts.name}, {len(parts.train)} pages, seed {seed}"
        self.tick(name)

        def told(epoch: int, loss: float, figure: float) -> None:
            if epoch % TOLD == 0:
                self.tick(f"{name}, epoch {epoch} of {PAPER.epochs}: loss {loss:.3f}, F1 {figure:.3f}")

        read = self._read()
        seen = self.packed.only(read)
        data = inputs(seen, *choose_vocabulary(self.packed, parts.train), "counts")
        labels = seen.labels[leaves_of(seen, parts.check)]
        task = Task(
            data, data.labels, parts.train, parts.check, lambda said: float(np.mean(leaf_f1(labels, said >= 0.5)))
        )
        net = fit(task, PAPER, seed, told, path.with_suffix(".pt"))
        tested = read[leaves_of(self.packed, parts.test)]
        said = np.ones(len(tested), np.float16)  # what it does not read, it drops
        said[tested] = scores(net, Store.of(data), data, parts.test)
        _save(path, {"recipe": np.array(str(PAPER)), "scores": said})
        path.with_suffix(".pt").unlink()


def _save(path: Path, arrays: dict[str, NDArray[np.generic]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    half.replace(path)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _peer_counts(name: str, corpus: Corpus) -> NDArray[np.int64]:
    """Return how many nodes are dropped rightly and wrongly, then kept wrongly and rightly."""
    total: NDArray[np.int64] = np.zeros(4, np.int64)
    pages = (page for page in corpus.pages("test") if page.labels)
    with Pool(("research.boilernet.runs", "peer_counts", name), os.cpu_count() or 1, LIMITS) as pool:
        for page, answer in pool.map(pages):
            # What a program cannot read, it keeps nothing of.
            total += node_counts(page, "") if isinstance(answer, str) else answer
    return total


def peer_counts(name: str, page: GoldPage) -> NDArray[np.int64]:
    """Run in a worker: let a program have a page and count what became of its nodes."""
    peer = find_peer(name)
    peer.load()
    assert isinstance(page.html, str)  # as both sets have it
    return node_counts(page, peer.run(page.html, page.language))


def node_counts(page: GoldPage, output: str) -> NDArray[np.int64]:
    """Return how many nodes are dropped rightly and wrongly, then kept wrongly and rightly: most words came out.

    >>> page = GoldPage("", "", "", "", None, labels=(("Home", 1), ("It rained all day.", 0)))
    >>> node_counts(page, "It rained all day.")
    array([1, 0, 0, 1])
    """
    texts = [" ".join(text.split()) for text, _ in page.labels or ()]
    end = np.cumsum([len(text) + 1 for text in texts]) - 1
    start = end - [len(text) for text in texts]
    kept = gold_shares("\n".join(texts), start, end, output).shares > 0.5
    bad = np.array([label == 1 for _, label in page.labels or ()])
    return np.array([np.sum(~kept & bad), np.sum(~kept & ~bad), np.sum(kept & bad), np.sum(kept & ~bad)])
