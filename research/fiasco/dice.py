"""Dice: the paper's way to label targets, from gold paragraphs and the subtrees that resemble them.

A subtree is clean if the Dice coefficient of its words and those of a gold paragraph is high enough. Targets inside a
clean subtree are clean, and so are those that hold more clean nodes than others; all remaining targets are dirty. Words
are counted with their number. To compare all paragraphs with all subtrees would cost a square, so a paragraph is
compared with the subtrees that share one of its rarer words.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from dehusk.gold.word_sequences import words
from dehusk.methods.fiasco.targets import Targets
from dehusk.page import Page
from dehusk.page.leaves import Elements
from dehusk.training.columns import Bools

SIMILAR: Final = 0.8  # "sufficiently": swept 0.5 to 0.95 on googletrends2017 and canola, research/fiasco/README.md
RARE: Final = 4  # words of a paragraph whose subtrees are looked at
CANDIDATES: Final = 400  # subtrees at most per paragraph


def clean_targets(page: Page, targets: Targets, paragraphs: Sequence[str], similar: float = SIMILAR) -> Bools:
    """Return which targets the paragraphs of the gold make clean.

    >>> from dehusk.methods.fiasco.targets import find_targets
    >>> page = Page.from_html("<div><p>Snow fell all day.</p><p>It was cold.</p></div><p><a href=/>Home</a>")
    >>> clean_targets(page, find_targets(page), ["Snow fell all day.", "It was cold."]).tolist()
    [True, True, False]
    """
    trees = Subtrees(page)
    clean = np.zeros(len(page.elements), np.bool_)
    for paragraph in paragraphs:
        for element in trees.matches(Counter(words(paragraph)), similar):
            clean[element] = True
    return propagated(page.elements, targets, clean, trees)


def propagated(elements: Elements, targets: Targets, clean: Bools, trees: "Subtrees") -> Bools:
    """Return the targets inside clean subtrees, and those that hold more clean nodes with text than others."""
    below = np.zeros(len(elements), np.bool_)
    for index, parent in enumerate(elements.parent):  # parents come before their children
        below[index] = clean[index] or (parent >= 0 and below[parent])
    inside = below[targets.element]
    counted = (targets.of_element >= 0) & (trees.size > 0)
    votes = np.bincount(targets.of_element[counted], np.where(below, 1, -1)[counted], len(targets))
    result: Bools = inside | (votes > 0)
    return result


class Subtrees:
    """The words of every subtree of a page that has any."""

    def __init__(self, page: Page) -> None:
        self.bags: list[Counter[str]] = [Counter() for _ in range(len(page.elements))]
        leaves, parent = page.leaves, page.elements.parent
        for start, end, element in zip(
            leaves.start.tolist(), leaves.end.tolist(), leaves.element.tolist(), strict=True
        ):
            self.bags[element].update(words(page.text[start:end]))
        self.size = np.zeros(len(self.bags), np.int64)
        self.holders: defaultdict[str, list[int]] = defaultdict(list)
        for index in range(len(self.bags) - 1, 0, -1):
            self.bags[parent[index]].update(self.bags[index])
        for index, bag in enumerate(self.bags):
            self.size[index] = bag.total()
            for word in bag:
                self.holders[word].append(index)

    def matches(self, paragraph: Counter[str], similar: float) -> list[int]:
        """Return the subtrees whose words are similar enough to those of a paragraph."""
        rare = sorted((word for word in paragraph if word in self.holders), key=lambda word: len(self.holders[word]))
        candidates = {index for word in rare[:RARE] for index in self.holders[word][-CANDIDATES:]}
        return [index for index in sorted(candidates) if self.dice(index, paragraph) >= similar]

    def dice(self, index: int, paragraph: Counter[str]) -> float:
        """Return twice the words in common over the words of both."""
        size = int(self.size[index])
        if min(size, paragraph.total()) * 2 < 0.5 * (size + paragraph.total()):
            return 0.0  # too different in length to be worth the intersection
        return 2 * (self.bags[index] & paragraph).total() / max(1, size + paragraph.total())
