"""Fit: from examples to a table of n-grams, with a bias and a slope that were chosen on pages it had not seen."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.ncleaner.alphabet import folding
from dehusk.methods.ncleaner.table import STEP, Floats, Table
from dehusk.training.ncleaner.bits import Worth, worth
from dehusk.training.ncleaner.counts import Counts, Stream
from dehusk.training.ncleaner.examples import Example

FOLDS: Final = 5
BIASES: Final = np.round(np.arange(-1, 1.001, 0.05), 2).tolist()  # bits; the original says that more is rarely of use
SLOPES: Final = (1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)

Pair = tuple[Counts, Counts]
Tick = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a table is made; the numbers were chosen by folds (research/ncleaner/README.md)."""

    order: int = 5
    q: float = 0.6
    least: int = 4  # times that an n-gram must occur
    dull: float = 40.0  # bits that all occurrences of an n-gram must change together, or it is left out
    lexical: bool = True
    differential: bool = False  # dirty is what whole pages have beyond their gold, not the segments that are not gold
    neighbours: float = 0.25  # how much the segments before and after count


@dataclass(frozen=True, slots=True)
class Shares:
    """How the words of some pages were judged, per cent."""

    f1: float
    precision: float
    recall: float
    mean_f1: float  # of pages, where the others pool their words


def fold_of(site: str, folds: int = FOLDS) -> int:
    """Return the fold of a site, the same in every process."""
    return int.from_bytes(hashlib.blake2b(site.encode(errors="surrogatepass"), digest_size=4).digest(), "big") % folds


def counted(examples: Iterable[Example], recipe: Recipe) -> Pair:
    """Return how often n-grams occur in clean text, and in the rest; in differential training, in whole pages."""
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
    codes = folding(recipe.lexical)
    return Counts.of(Stream.of(clean, codes), recipe.order), Counts.of(Stream.of(rest, codes), recipe.order)


def fitted(parts: Sequence[Pair], recipe: Recipe) -> Worth:
    """Return what n-grams are worth by the counts of several parts together."""
    clean = Counts.total([pair[0] for pair in parts])
    dirty = Counts.total([pair[1] for pair in parts])
    if recipe.differential:
        dirty = dirty.less(clean)
    return worth(clean, dirty, recipe.order, recipe.q, recipe.least, recipe.dull)


def as_table(found: Worth, recipe: Recipe, bias: float = 0.0, slope: float = 1.0) -> Table:
    """Return a table to score with; bits are rounded as its file has them."""
    bits = rounded(found.bits) * STEP
    return Table.of(
        found.keys,
        bits,
        found.order,
        lexical=recipe.lexical,
        bias=bias,
        slope=slope,
        neighbours=recipe.neighbours,
    )


def rounded(bits: Floats) -> NDArray[np.int8]:
    """Return bits in steps that fit into a byte."""
    steps: NDArray[np.int8] = np.clip(np.round(bits / STEP), -127, 127).astype(np.int8)
    return steps


def bits_of(table: Table, example: Example) -> Floats:
    """Return by how many bits a character each segment of a page is likelier clean than dirty."""
    return table.bits(example.text, example.start, example.end)


def held_out(
    examples: Sequence[Example], recipe: Recipe, tick: Tick = lambda: None, folds: int = FOLDS
) -> list[Floats]:
    """Return each example's bits by a table that was made without the pages of its fold."""
    fold = [fold_of(example.site, folds) for example in examples]
    if len(set(fold)) == 1:
        # Of one site, there would be nothing left to learn from.
        fold = [fold_of(example.id, folds) for example in examples]
    parts = [
        counted((each for each, own in zip(examples, fold, strict=True) if own == one), recipe) for one in range(folds)
    ]
    said: list[Floats] = [np.empty(0)] * len(examples)
    for one in range(folds):
        table = as_table(fitted([part for other, part in enumerate(parts) if other != one], recipe), recipe)
        for place, own in enumerate(fold):
            if own == one:
                said[place] = bits_of(table, examples[place])
        tick()
    return said


def judged(examples: Sequence[Example], said: Sequence[Floats], bias: float) -> Shares:
    """Return what keeping all segments with more bits than that comes to, in words."""
    counts = np.zeros((len(examples), 3))
    for row, example, bits in zip(counts, examples, said, strict=True):
        kept = (bits > bias) & ~example.easy
        gold = example.words * np.nan_to_num(example.shares)
        row[:] = gold[kept].sum(), (example.words - gold)[kept].sum(), gold[~kept].sum()
    right, wrong, lost = counts.sum(axis=0)
    shares = 2 * counts[:, 0] / np.maximum(2 * counts[:, 0] + counts[:, 1] + counts[:, 2], 1)
    # Nothing wanted and nothing kept is as good as it gets.
    shares[counts.sum(axis=1) == 0] = 1
    precision, recall = right / max(right + wrong, 1), right / max(right + lost, 1)
    f1 = 2 * right / max(2 * right + wrong + lost, 1)
    return Shares(float(100 * f1), float(100 * precision), float(100 * recall), 100 * float(shares.mean()))


def best_bias(groups: Sequence[tuple[Sequence[Example], Sequence[Floats]]]) -> float:
    """Return the bias with the best mean over groups of pages of F1, pooled words and mean of pages alike.

    Of several that are as good, the one nearest to none: few pages cannot tell them apart.
    """

    def quality(bias: float) -> tuple[float, float]:
        found = [judged(examples, said, bias) for examples, said in groups]
        return float(np.mean([each.f1 + each.mean_f1 for each in found])), -abs(bias)

    return float(max(BIASES, key=quality))


def best_slope(examples: Sequence[Example], said: Sequence[Floats], bias: float) -> float:
    """Return the slope by which scores come closest to the share of words that are boilerplate."""
    bits = np.concatenate(said) - bias
    share = np.nan_to_num(np.concatenate([example.shares for example in examples]))
    words = np.concatenate([example.words for example in examples]).astype(np.float64)

    def loss(slope: float) -> float:
        clean = 1 / (1 + np.exp2(np.clip(-slope * bits, -30, 30)))
        return float(-(words * (share * np.log(clean) + (1 - share) * np.log1p(-clean))).sum())

    return min(SLOPES, key=loss)
