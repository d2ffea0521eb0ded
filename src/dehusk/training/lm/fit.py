"""Fit: a language model from files of text, and its cut-off from sentences held out of it.

No labels are needed. The cut-off lies above `KEPT` of the held-out sentences, by `BEYOND` of the distance to a text of
unknown words; sources are weighted as in the model. Both numbers, and the doubt, were chosen on training pages in
English, German and Polish (research/pyplexity/README.md). With such pages of a language, a better cut-off can be given.
"""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.errors import InputError
from dehusk.lm.model import MOST_BITS, LanguageModel
from dehusk.training.lm import text_files
from dehusk.training.lm.build import tables, weights
from dehusk.training.lm.counts import NgramCounts
from dehusk.training.progress import Tick

KEPT: Final = 0.95
BEYOND: Final = 0.15
DOUBT: Final = 8.0
EVERY: Final = 50  # one sentence in this many is held out
MAX_HELD_OUT: Final = 2000  # per source


@dataclass(frozen=True, slots=True)
class LmRecipe:
    """How a language model is made."""

    language: str
    order: int = 2
    size: int = 4_000_000  # at most, in bytes
    least: int = 1  # how often an n-gram longer than a word must occur
    cutoff: float | None = None  # None: chosen on held-out sentences


@dataclass(frozen=True, slots=True)
class Figures:
    """What the training reached."""

    words: list[int]  # of each source
    floors: list[float]  # the least weight of the n-grams kept of each order
    held_out: int  # sentences
    perplexity: float  # of all held-out words together


@dataclass(slots=True)
class HeldOut:
    """The sentences of each source that are held out."""

    sentences: list[list[str]] = field(default_factory=list)
    seen: int = 0

    def others(self, sentences: Iterable[str]) -> Iterator[str]:
        """Hold out one sentence in `EVERY` of another source, and yield the rest."""
        # Sources too short to have any held out are counted as one, so that a thousand of them have some.
        if self.sentences and self.sentences[-1]:
            self.seen = 0
        self.sentences.append([])
        for sentence in sentences:
            self.seen += 1
            if self.seen % EVERY == 0 and len(self.sentences[-1]) < MAX_HELD_OUT:
                self.sentences[-1].append(sentence)
            else:
                yield sentence


def fit(files: Sequence[Path], recipe: LmRecipe, tick: Tick = lambda: None) -> tuple[LanguageModel, Figures]:
    """Return the model of some files, and its figures."""
    held_out = HeldOut()
    with tempfile.TemporaryDirectory() as folder:
        counts = NgramCounts(Path(folder), recipe.order)
        for path in files:
            counts.add(held_out.others(text_files.sentences(path, tick)))
        if not sum(counts.words):
            raise InputError("the files contain no words; expected running text")
        made, floors = tables(counts, recipe.size, recipe.least)
    # The bits that the cut-off is chosen by do not depend on it.
    model = LanguageModel(recipe.language, tuple(made), recipe.cutoff or 2.0, DOUBT)
    cutoff, perplexity = _choose_cutoff(model, held_out.sentences, counts.words)
    figures = Figures(counts.words, floors, sum(map(len, held_out.sentences)), perplexity)
    return model if recipe.cutoff else replace(model, cutoff=cutoff), figures


def _choose_cutoff(model: LanguageModel, held_out: list[list[str]], lengths: list[int]) -> tuple[float, float]:
    """Return the cut-off by the held-out sentences, and their perplexity."""
    costs, words = model.sums([sentence for source in held_out for sentence in source])
    if not len(costs):
        raise InputError(f"too little text: one sentence in {EVERY} is held out to choose the cut-off, here none was")
    # A source is weighted as in the model, however many of its sentences were held out.
    weight = np.concatenate(
        [
            np.full(len(own), factor * length / max(1, len(own)))
            for own, factor, length in zip(held_out, weights(lengths), lengths, strict=True)
        ]
    )
    bits = model.doubted(costs, words)
    order = np.argsort(bits)
    below = np.cumsum(weight[order]) / weight.sum()
    high = float(np.interp(KEPT, below, bits[order]))
    if high > MOST_BITS - 0.1:
        raise InputError("too little text: the sentences held out to choose the cut-off have no known word")
    return 2 ** (high + BEYOND * (MOST_BITS - high)), float(2 ** (costs.sum() / words.sum()))
