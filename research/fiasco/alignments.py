"""Alignments: the paper's Dice coefficients and ours, judged against nodes that people have labelled."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.gold.alignment import gold_shares
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.gold.word_sequences import words
from dehusk.methods.fiasco.targets import Targets, find_targets
from dehusk.page import Page
from dehusk.training.examples import parse
from research.fiasco.dice import Subtrees, clean_targets

SETS: Final = ("googletrends2017", "canola")
THRESHOLDS: Final = (0.5, 0.6, 0.7, 0.8, 0.9)

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """The targets of a page with what the node labels, our alignment and Dice at each threshold say is clean."""

    page: GoldPage
    gold: Bools
    ours: Bools
    dice: tuple[Bools, ...]
    words: NDArray[np.int64]


def labelled(pages: Iterable[GoldPage], thresholds: tuple[float, ...] = THRESHOLDS) -> list[Labelled]:
    """Return the targets of all pages that have node labels and gold text."""
    labelled_pages = []
    for source in pages:
        if not source.labels or not (source.gold or "").strip() or source.defect:
            continue
        page = parse(source.html)
        targets = find_targets(page)
        gold = by_nodes(page, targets, source)
        if gold is None or source.gold is None:
            continue
        shares = gold_shares(page.text, targets.start, targets.end, source.gold).shares
        known = ~np.isnan(shares) & ~np.isnan(gold)
        dice = tuple(clean_targets(page, targets, source.gold.splitlines(), each)[known] for each in thresholds)
        sizes = np.array([len(words(page.text[a:b])) for a, b in zip(targets.start, targets.end, strict=True)])
        labelled_pages.append(Labelled(source, gold[known] >= 0.5, shares[known] >= 0.5, dice, sizes[known]))
    return labelled_pages


def by_nodes(page: Page, targets: Targets, source: GoldPage) -> NDArray[np.float64] | None:
    """Return the share of each target's characters whose nodes people called content; None if nodes do not match.

    The nodes of a set come as texts in document order, so they are found one after the other.
    """
    content = np.full(len(page.text), np.nan)
    offset, missed = 0, 0
    for text, dirty in source.labels or ():
        node = " ".join(text.split())
        if not node:
            continue
        at = page.text.find(node, offset)
        if at < 0:
            missed += 1
            continue
        content[at : at + len(node)] = 1 - dirty
        offset = at + len(node)
    if missed > 0.2 * len(source.labels or ()):
        return None
    shares = np.full(len(targets), np.nan)
    for index, (start, end) in enumerate(zip(targets.start.tolist(), targets.end.tolist(), strict=True)):
        part = content[start:end]
        if not np.isnan(part).all():
            shares[index] = np.nanmean(part)
    return shares


def pages_of(name: str) -> Iterable[GoldPage]:
    """Return the pages of a set that may be trained on."""
    return open_corpus(name).pages("train")


def joined(parts: Iterable[NDArray[Any]]) -> NDArray[Any]:
    """Return the columns of all pages as one."""
    return np.concatenate(list(parts))


def alignment_rate(page: Page, gold: str, similar: float) -> float:
    """Return the share of the gold's paragraphs that resemble a subtree: how well a page can be aligned by Dice."""
    trees = Subtrees(page)
    paragraphs = [line for line in gold.splitlines() if words(line)]
    hits = [bool(trees.matches(Counter(words(line)), similar)) for line in paragraphs]
    return float(np.mean(hits)) if hits else 0.0
