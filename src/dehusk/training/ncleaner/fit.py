"""Fit: a table of n-grams from examples, with the bias and slope that are best on pages it has not seen."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.ncleaner.alphabet import Folding, folding, mode_folding
from dehusk.methods.ncleaner.table import STEP, NgramTable
from dehusk.training.columns import Doubles, Floats
from dehusk.training.figures import FOLDS
from dehusk.training.ncleaner.bits import NgramBits, ngram_bits
from dehusk.training.ncleaner.counts import CodeCounts, CodeStream
from dehusk.training.ncleaner.examples import NcleanerExample
from dehusk.training.progress import Tick

# In bits; according to the original, more is rarely useful.
BIASES: Final = np.round(np.arange(-1, 1.001, 0.05), 2).tolist()
SLOPES: Final = (1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)

Pair = tuple[CodeCounts, CodeCounts]


@dataclass(frozen=True, slots=True)
class NcleanerRecipe:
    """How a table is made; the numbers were chosen on folds (research/ncleaner/README.md)."""

    order: int = 5
    q: float = 0.6
    min_count: int = 4  # how often an n-gram must occur
    min_gain: float = 40.0  # bits that all occurrences of an n-gram must add together
    lexical: bool = True
    differential: bool = False  # dirty text is whole pages minus their gold, not the segments that are not gold
    neighbours: float = 0.25  # weight of the segments before and after
    mode: int | None = None  # one of the original's foldings in place of ours
    tuned: bool = True  # whether the bias is chosen on folds
    small: bool = True  # values in one byte: steps of 1/16 of a bit, and at most 8 bits

    @property
    def folding(self) -> Folding:
        """The code of every character."""
        return folding(self.lexical) if self.mode is None else mode_folding(self.mode)


# The paper's: three characters, tilde folding, differential counts, no bias, no neighbours, nothing left out.
PAPER: Final = NcleanerRecipe(
    order=3, q=0.5, min_count=1, min_gain=0.0, differential=True, neighbours=0.0, mode=1, tuned=False, small=False
)


@dataclass(frozen=True, slots=True)
class WordFigures:
    """How well words were kept and dropped, in per cent."""

    f1: float
    precision: float
    recall: float
    mean_f1: float  # over pages; the others pool the words of all pages


def fold_of(site: str, folds: int = FOLDS) -> int:
    """Return the fold of a site, the same in every process; not that of `training.figures`, for any number of folds."""
    return int.from_bytes(hashlib.blake2b(site.encode(errors="surrogatepass"), digest_size=4).digest(), "big") % folds


def count_ngrams(examples: Iterable[NcleanerExample], recipe: NcleanerRecipe) -> Pair:
    """Return how often n-grams occur in clean text, and in the rest, or for differential training in whole pages."""
    clean: list[str] = []
    rest: list[str] = []
    for example in examples:
        if recipe.differential:
            clean += [line for line in example.gold.splitlines() if line.strip()]
            rest += [text for text, easy in zip(example.segments, example.easy.tolist(), strict=True) if not easy]
            continue
        for text, share, easy in zip(example.segments, example.shares.tolist(), example.easy.tolist(), strict=True):
            if not easy and not np.isnan(share):
                (clean if share >= 0.5 else rest).append(text)
    clean_codes, other_codes = (CodeStream.of(texts, recipe.folding) for texts in (clean, rest))
    return CodeCounts.of(clean_codes, recipe.order), CodeCounts.of(other_codes, recipe.order)


def fit_bits(parts: Sequence[Pair], recipe: NcleanerRecipe) -> NgramBits:
    """Return the bits of n-grams by the counts of several parts together."""
    clean = CodeCounts.total([pair[0] for pair in parts])
    dirty = CodeCounts.total([pair[1] for pair in parts])
    if recipe.differential:
        dirty = dirty.less(clean)
    return ngram_bits(clean, dirty, recipe.order, recipe.q, recipe.min_count, recipe.min_gain)


def as_table(ngrams: NgramBits, recipe: NcleanerRecipe, bias: float = 0.0, slope: float = 1.0) -> NgramTable:
    """Return a table to score with; bits are rounded as in its file."""
    return NgramTable.of(
        ngrams.keys,
        stored(ngrams, recipe) * STEP,
        ngrams.order,
        lexical=recipe.lexical,
        bias=bias,
        slope=slope,
        neighbours=recipe.neighbours,
    ).with_mode(recipe.mode)


def stored(ngrams: NgramBits, recipe: NcleanerRecipe) -> NDArray[np.int8] | Floats:
    """Return the bits of n-grams in steps, as a file has them: in one byte, or exactly."""
    steps = ngrams.bits / STEP
    return np.clip(np.round(steps), -127, 127).astype(np.int8) if recipe.small else steps.astype(np.float32)


def segment_bits(table: NgramTable, example: NcleanerExample) -> Doubles:
    """Return by how many bits per character each segment of a page is likelier clean than dirty."""
    return table.bits(example.text, example.start, example.end)


def held_out(
    examples: Sequence[NcleanerExample], recipe: NcleanerRecipe, tick: Tick = lambda: None, folds: int = FOLDS
) -> list[Doubles]:
    """Return the bits of each example by a table that was made without the pages of its fold."""
    fold = [fold_of(example.site, folds) for example in examples]
    if len(set(fold)) == 1:
        # With a single site, nothing would be left to learn from.
        fold = [fold_of(example.id, folds) for example in examples]
    parts = [
        count_ngrams((each for each, own in zip(examples, fold, strict=True) if own == one), recipe)
        for one in range(folds)
    ]
    bits: list[Doubles] = [np.empty(0)] * len(examples)
    for one in range(folds):
        table = as_table(fit_bits([part for other, part in enumerate(parts) if other != one], recipe), recipe)
        for index, own in enumerate(fold):
            if own == one:
                bits[index] = segment_bits(table, examples[index])
        tick()
    return bits


def word_figures(examples: Sequence[NcleanerExample], bits: Sequence[Doubles], bias: float) -> WordFigures:
    """Return how well words are kept and dropped if segments with more bits than `bias` are kept."""
    counts = np.zeros((len(examples), 3))
    for row, example, own in zip(counts, examples, bits, strict=True):
        kept = (own > bias) & ~example.easy
        gold = example.words * np.nan_to_num(example.shares)
        row[:] = gold[kept].sum(), (example.words - gold)[kept].sum(), gold[~kept].sum()
    right, wrong, lost = counts.sum(axis=0)
    shares = 2 * counts[:, 0] / np.maximum(2 * counts[:, 0] + counts[:, 1] + counts[:, 2], 1)
    # No gold and nothing kept is a perfect result.
    shares[counts.sum(axis=1) == 0] = 1
    precision, recall = right / max(right + wrong, 1), right / max(right + lost, 1)
    f1 = 2 * right / max(2 * right + wrong + lost, 1)
    return WordFigures(float(100 * f1), float(100 * precision), float(100 * recall), 100 * float(shares.mean()))


def best_bias(groups: Sequence[tuple[Sequence[NcleanerExample], Sequence[Doubles]]]) -> float:
    """Return the bias with the best mean over groups of pages, of F1 of pooled words plus mean F1 of pages.

    Of several that are equally good, the one nearest to 0: few pages cannot tell them apart.
    """

    def quality(bias: float) -> tuple[float, float]:
        figures = [word_figures(examples, bits, bias) for examples, bits in groups]
        return float(np.mean([each.f1 + each.mean_f1 for each in figures])), -abs(bias)

    return float(max(BIASES, key=quality))


def best_slope(examples: Sequence[NcleanerExample], bits: Sequence[Doubles], bias: float) -> float:
    """Return the slope that brings scores closest to the share of words that are boilerplate."""
    clean_bits = np.concatenate(bits) - bias
    share = np.nan_to_num(np.concatenate([example.shares for example in examples]))
    words = np.concatenate([example.words for example in examples]).astype(np.float64)

    def loss(slope: float) -> float:
        clean = 1 / (1 + np.exp2(np.clip(-slope * clean_bits, -30, 30)))
        return float(-(words * (share * np.log(clean) + (1 - share) * np.log1p(-clean))).sum())

    return min(SLOPES, key=loss)
