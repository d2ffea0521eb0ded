"""Scores: how likely each block is boilerplate, of which kind a page is, and how scores carry over to another cut."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.errors import UsageError
from dehusk.page.leaves import BoolArray
from dehusk.reasons import Reason

FloatArray = NDArray[np.float64]
LETTERS: Final = "abcdefghij"
KINDS: Final = ("article", "forum", "product", "collection", "listing", "documentation", "service", "other")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A model's verdict on a page as a whole.

    >>> Verdict("article", 0.93)
    Verdict(kind='article', confidence=0.93)
    """

    kind: str  # one of KINDS
    confidence: float  # from 0 to 1: the F1 that the model expects of its own choice of blocks

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"no page is of the kind {self.kind!r}; there are {', '.join(KINDS)}")
        if not 0 <= self.confidence <= 1:
            raise UsageError(f"confidence must lie between 0 and 1, got {self.confidence}")


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One number in [0, 1] per block, 1 = boilerplate, NaN = not scored; and the model that gave them.

    >>> Scores(Blocks.of(("Home", 4), ("A plain sentence.", 0)), np.array([0.97, 0.2]), "demo").letters
    'jc'
    """

    blocks: Blocks = field(repr=False)
    values: FloatArray
    model: str
    verdict: Verdict | None = field(default=None, repr=False)
    # Which blocks are readers' comments under an article; None if the method does not recognise them.
    comments: BoolArray | None = field(default=None, repr=False)
    # Why the method could not score the page properly; None if it could.
    reason: Reason | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.values, np.ndarray) or self.values.dtype.kind not in "fiub":
            raise UsageError(f"{self.model} gave its scores as {self.values!r:.100}, expected an array of numbers")
        if self.values.shape != (len(self.blocks),):
            shape = " × ".join(map(str, self.values.shape)) or "a number, no array, as"
            raise UsageError(f"{self.model} gave {shape} scores for {len(self.blocks)} blocks")
        # Both ignore NaN, and make no arrays, which would cost time on every page.
        if np.fmin.reduce(self.values, initial=0) < 0 or np.fmax.reduce(self.values, initial=1) > 1:
            raise UsageError(f"{self.model} gave scores outside of 0..1")
        comments = self.comments
        if comments is not None and (comments.shape != self.values.shape or comments.dtype != np.bool_):
            raise UsageError(
                f"{self.model} gave {comments.shape} comments of type {comments.dtype} for {len(self.blocks)} blocks; "
                "expected one bool per block"
            )

    def __len__(self) -> int:
        return len(self.values)

    @property
    def unscored(self) -> bool:
        """Whether there are blocks, and none of them has a score: the page counts as failed then."""
        values = self.values
        # The first value tells on nearly all pages.
        return bool(len(values) and np.isnan(values[0]) and np.isnan(values).all())

    @property
    def letters(self) -> str:
        """Ten equal classes: a for 0.0 to 0.1, j for 0.9 to 1.0, '-' where nothing was scored."""
        letter = np.where(np.isnan(self.values), len(LETTERS), np.minimum(self.values * 10, len(LETTERS) - 1))
        return np.frombuffer(f"{LETTERS}-".encode(), np.uint8)[letter.astype(np.uint8)].tobytes().decode()

    def project(self, blocks: Blocks) -> Self:
        """Carry the scores over to another cut of the same text: means weighted by shared characters.

        A block is a comment there if most of what it shares is. The verdict on the page stays.

        >>> halves = Scores(Blocks.of(("aaaa", 0), ("bb", 0)), np.array([0.0, 0.6]), "demo")
        >>> whole = Blocks.of(("aaaa\\nbb", 0))
        >>> halves.project(whole).values.round(3)
        array([0.2])
        """
        values, comments = _carried(self.blocks, self.values, blocks), None
        if self.comments is not None:
            comments = _carried(self.blocks, self.comments.astype(np.float64), blocks) > 0.5
        return replace(self, blocks=blocks, values=values, comments=comments)


def _carried(source: Blocks, values: FloatArray, target: Blocks) -> FloatArray:
    """Return the means of the known values in each block of `target`, NaN where it shares no character with them."""
    known = ~np.isnan(values)
    if not known.any():
        return np.full(len(target), np.nan)
    start, end = source.start[known], source.end[known]
    length = (end - start).astype(np.float64)
    # Both totals are linear inside a block and constant between blocks, so their values at the edges give them at
    # every character.
    edges = np.column_stack([start, end]).ravel()
    covered = np.repeat(np.cumsum(length), 2) - np.column_stack([length, np.zeros_like(length)]).ravel()
    weight = length * values[known]
    summed = np.repeat(np.cumsum(weight), 2) - np.column_stack([weight, np.zeros_like(weight)]).ravel()
    shared = np.interp(target.end, edges, covered) - np.interp(target.start, edges, covered)
    total = np.interp(target.end, edges, summed) - np.interp(target.start, edges, summed)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: FloatArray = np.where(shared > 0, np.clip(total / shared, 0.0, 1.0), np.nan)
    return means


def average(scores: Sequence[Scores]) -> Scores:
    """Return the mean of several scores on the cut of the first, without blocks that a method did not score.

    Verdict and comments come from the first scores that have them: a kind has no mean, and a confidence belongs to one
    model.

    >>> blocks = Blocks.of(("Home", 4))
    >>> average([Scores(blocks, np.array([1.0]), "a"), Scores(blocks, np.array([0.5]), "b")])
    Scores(values=array([0.75]), model='a+b')
    """
    if not scores:
        raise UsageError("nothing to average: expected at least one Scores")
    blocks = scores[0].blocks
    carried = [score.project(blocks) for score in scores]
    values = np.array([score.values for score in carried])
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    verdict = next((score.verdict for score in carried if score.verdict is not None), None)
    comments = next((score.comments for score in carried if score.comments is not None), None)
    return Scores(blocks, mean, "+".join(score.model for score in scores), verdict, comments)
