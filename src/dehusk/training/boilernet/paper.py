"""The paper's recipe: the pages that a network learns from and is checked on, and what it sees of them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np

from dehusk.errors import InputError
from dehusk.training.boilernet.inputs import TAGS, WORDS, Inputs, choose_vocabulary, inputs
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.boilernet.tuning import leaf_f1, leaves_of
from dehusk.training.columns import Bools, Floats

# Tags whose text the authors' program ignores; our tree has no text below the others that it names, such as scripts.
UNREAD: Final = frozenset({"button", "iframe", "noscript"})
VALIDATION_PAGES: Final = 5  # of a set without splits, as the paper has them for CleanEval
SPLIT_FILES: Final = ("train_set.txt", "dev_set.txt")  # of the authors' program; test_set.txt is not read here


@dataclass(frozen=True, slots=True, eq=False)
class PaperPages:
    """Pages as the paper's network takes them: counts of the training pages' commonest tags and words."""

    packed: BoilernetPacked
    read: Bools  # which leaves it sees
    train: list[int]
    check: list[int]
    tags: tuple[str, ...]
    words: tuple[str, ...]
    data: Inputs  # of the leaves that it sees

    @classmethod
    def of(
        cls, packed: BoilernetPacked, split: tuple[list[int], list[int]], tags: int = TAGS, words: int = WORDS
    ) -> Self:
        """Choose the vocabulary; `split` has the pages to learn from and those to choose the epoch by."""
        train, check = split
        if not train or not check:
            raise InputError("there are no training pages or no validation pages; expected some of each")
        unread = np.array([not UNREAD.isdisjoint(chain.split()) for chain in packed.chains])
        read = ~unread[packed.chain]
        vocabulary = choose_vocabulary(packed, train, tags, words)
        return cls(packed, read, train, check, *vocabulary, inputs(packed.only(read), *vocabulary, "counts"))

    def judge(self, scores: Floats) -> float:
        """Return the mean of both F1 of the check pages' text nodes."""
        leaves = leaves_of(self.packed, self.check)
        return float(np.mean(leaf_f1(self.packed.labels[leaves[self.read[leaves]]], scores >= 0.5)))

    def scored(self, scores: Floats, pages: Sequence[int]) -> Floats:
        """Return the scores of all leaves of some pages from those that it sees; it drops the others."""
        read = self.read[leaves_of(self.packed, pages)]
        whole = np.ones(len(read), np.float32)
        whole[read] = scores
        return whole


def own_split(packed: BoilernetPacked, pages: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return which of some pages are to be learnt from and which to be checked on: the set's splits, or five pages."""
    by_name = {name: [page for page in pages if packed.info[page].split == name] for name in ("train", "dev")}
    if all(by_name.values()):
        return by_name["train"], by_name["dev"]
    order = sorted(pages, key=lambda page: digest(packed.info[page].id))
    return sorted(order[VALIDATION_PAGES:]), sorted(order[:VALIDATION_PAGES])


def split_of_folder(packed: BoilernetPacked, folder: Path) -> tuple[list[int], list[int]]:
    """Return the pages that the files of a folder name, one id per line, with or without `.html`."""
    pages = {info.id.removesuffix(".html"): page for page, info in enumerate(packed.info)}
    parts = []
    for path in (folder / name for name in SPLIT_FILES):
        try:
            names = path.read_text(encoding="utf-8").split()
        except (OSError, UnicodeError) as error:
            raise InputError(f"{path} cannot be read: {error}; expected one page per line") from error
        if unknown := [name for name in names if name.removesuffix(".html") not in pages]:
            raise InputError(f"{path} names {unknown[0]!r}, which is not among the pages that may be trained on")
        parts.append([pages[name.removesuffix(".html")] for name in names])
    train, check = parts
    if both := set(train) & set(check):
        raise InputError(f"{folder}: {packed.info[min(both)].id} is both a training and a validation page; choose one")
    return train, check


def digest(text: str) -> str:
    """Return the same string of digits for a text everywhere, by which pages are drawn."""
    return hashlib.sha256(text.encode()).hexdigest()
