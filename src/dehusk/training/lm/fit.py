"""Fit: a language model from files of text, and its cut-off from sentences that it was not shown.

Labels are not needed. Sentences are held back, and the cut-off lies above `KEPT` of them, by `BEYOND` of what is left
up to a text of unknown words; sources are weighed as in the model. These two, and the doubt, were chosen on training
pages in English, German and Polish (research/pyplexity). Where there are such pages, a better cut-off can be given.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.errors import InputError
from dehusk.lm.model import MOST_BITS, LanguageModel
from dehusk.training.lm import text
from dehusk.training.lm.build import tables, weights
from dehusk.training.lm.counts import Counts

KEPT: Final = 0.95
BEYOND: Final = 0.15
DOUBT: Final = 8.0
EVERY: Final = 50  # one sentence in so many is held back
MOST_HELD: Final = 2000  # of one source


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a model is to be like."""

    language: str
    order: int = 2
    size: int = 4_000_000  # bytes, at most
    least: int = 1  # how often an n-gram longer than a word must come
    cutoff: float | None = None  # None: found on sentences held back


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of it."""

    words: list[int]  # of each source
    floors: list[float]  # what n-grams of each order had to weigh to stay
    held_back: int  # sentences
    perplexity: float  # of these, their words taken together


@dataclass(slots=True)
class Held:
    """The sentences of each source that are held back."""

    back: list[list[str]] = field(default_factory=list)
    seen: int = 0

    def left(self, sentences: Iterable[str]) -> Iterator[str]:
        """Hold back one sentence in `EVERY` of one more source, and yield the others."""
        # Sources that are too short to have any held back are counted as one, so that a thousand of them have some.
        if self.back and self.back[-1]:
            self.seen = 0
        self.back.append([])
        for sentence in sentences:
            self.seen += 1
            if self.seen % EVERY == 0 and len(self.back[-1]) < MOST_HELD:
                self.back[-1].append(sentence)
            else:
                yield sentence


def fit(
    files: Sequence[Path], recipe: Recipe, tick: Callable[[], None] = lambda: None
) -> tuple[LanguageModel, Figures]:
    """Return the model of some files, and its figures."""
    held = Held()
    with tempfile.TemporaryDirectory() as folder:
        counts = Counts(Path(folder), recipe.order)
        for path in files:
            counts.add(held.left(text.sentences(path, tick)))
        if not sum(counts.words):
            raise InputError("the files hold no words; expected running text")
        made, floors = tables(counts, recipe.size, recipe.least)
    # The bits that the cut-off is found by do not depend on it.
    model = LanguageModel(recipe.language, tuple(made), recipe.cutoff or 2.0, DOUBT)
    cutoff, perplexity = _judged(model, held.back, counts.words)
    figures = Figures(counts.words, floors, sum(map(len, held.back)), perplexity)
    return model if recipe.cutoff else replace(model, cutoff=cutoff), figures


def _judged(model: LanguageModel, held: list[list[str]], lengths: list[int]) -> tuple[float, float]:
    """Return the cut-off that sentences held back lead to, and their perplexity."""
    costs, words = model.sums([sentence for source in held for sentence in source])
    if not len(costs):
        raise InputError(f"too little text: one sentence in {EVERY} is held back to find the cut-off, here none was")
    weigh = weights(lengths)
    # A source counts as in the model, however many of its sentences were held back.
    weight = np.concatenate(
        [
            np.full(len(own), factor * number / max(1, len(own)))
            for own, factor, number in zip(held, weigh, lengths, strict=True)
        ]
    )
    bits = model.doubted(costs, words)
    order = np.argsort(bits)
    below = np.cumsum(weight[order]) / weight.sum()
    high = float(np.interp(KEPT, below, bits[order]))
    if high > MOST_BITS - 0.1:
        raise InputError("too little text: the sentences held back to find the cut-off have no word that is known")
    return 2 ** (high + BEYOND * (MOST_BITS - high)), float(2 ** (costs.sum() / words.sum()))
