"""Scores: how likely each block is boilerplate, and how scores travel from one cut of a page to another."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.errors import UsageError

FloatArray = NDArray[np.float64]
LETTERS: Final = "abcdefghij"


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One number in [0, 1] a block, 1 = boilerplate, NaN = not scored; and the model that gave them.

    >>> Scores(Blocks.of(("Home", 4), ("A plain sentence.", 0)), np.array([0.97, 0.2]), "demo").letters
    'jc'
    """

    blocks: Blocks = field(repr=False)
    values: FloatArray
    model: str

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.blocks),):
            raise UsageError(f"{self.model} gave {self.values.shape} scores for {len(self.blocks)} blocks")
        if np.any((self.values < 0) | (self.values > 1)):
            raise UsageError(f"{self.model} gave scores outside of 0..1")

    def __len__(self) -> int:
        return len(self.values)

    @property
    def letters(self) -> str:
        """Ten equal classes: a for 0.0 to 0.1, j for 0.9 to 1.0, '-' where nothing was scored."""
        return "".join("-" if isnan(value) else LETTERS[min(int(value * 10), 9)] for value in self.values.tolist())

    def project(self, blocks: Blocks) -> Self:
        """Carry the scores over to another cut of the same text: means weighted by shared characters.

        >>> halves = Scores(Blocks.of(("aaaa", 0), ("bb", 0)), np.array([0.0, 0.6]), "demo")
        >>> whole = Blocks.of(("aaaa\\nbb", 0))
        >>> halves.project(whole).values.round(3)
        array([0.2])
        """
        scored = ~np.isnan(self.values)
        start, end = self.blocks.start[scored], self.blocks.end[scored]
        length = (end - start).astype(np.float64)
        # Both totals grow in straight lines inside a block and rest between blocks, so that knowing them at the edges
        # is knowing them at every character.
        edges = np.column_stack([start, end]).ravel()
        covered = np.repeat(np.cumsum(length), 2) - np.column_stack([length, np.zeros_like(length)]).ravel()
        weight = length * self.values[scored]
        summed = np.repeat(np.cumsum(weight), 2) - np.column_stack([weight, np.zeros_like(weight)]).ravel()
        if not len(edges):
            return type(self)(blocks, np.full(len(blocks), np.nan), self.model)
        shared = np.interp(blocks.end, edges, covered) - np.interp(blocks.start, edges, covered)
        score = np.interp(blocks.end, edges, summed) - np.interp(blocks.start, edges, summed)
        with np.errstate(invalid="ignore", divide="ignore"):
            values = np.where(shared > 0, np.clip(score / shared, 0.0, 1.0), np.nan)
        return type(self)(blocks, values, self.model)


def average(scores: Sequence[Scores]) -> Scores:
    """Return the mean of several scores on the cut of the first; what a method did not score does not count.

    >>> blocks = Blocks.of(("Home", 4))
    >>> average([Scores(blocks, np.array([1.0]), "a"), Scores(blocks, np.array([0.5]), "b")])
    Scores(values=array([0.75]), model='a+b')
    """
    if not scores:
        raise UsageError("nothing to average: expected at least one Scores")
    blocks = scores[0].blocks
    values = np.array([score.project(blocks).values for score in scores])
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    return Scores(blocks, mean, "+".join(score.model for score in scores))
