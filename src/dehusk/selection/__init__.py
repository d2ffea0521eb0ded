"""Selection: what is kept or dropped apart from the scores. One file per rule."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from dehusk.blocks import Blocks
from dehusk.errors import UsageError
from dehusk.page.leaves import BoolArray
from dehusk.scores import Scores
from dehusk.selection.tables import in_tables

HeadlineChoice = Literal["auto", "keep", "drop"]


@dataclass(frozen=True, slots=True)
class Selection:
    """What is kept or dropped apart from the scores."""

    comments: bool = False  # keep readers' comments under an article too
    tables: bool = True  # keep text in tables of data
    min_length: int = 0  # characters; a page with fewer is treated as empty
    refine: bool = False  # apply the rules that a method asks for by `refines`
    headline: HeadlineChoice = "auto"  # kept by its score, in any case, or not at all

    def __post_init__(self) -> None:
        if self.min_length < 0:
            raise UsageError(f"min_length must be at least 0, got {self.min_length}")
        if self.headline not in get_args(HeadlineChoice):
            raise UsageError(f"headline must be 'auto', 'keep' or 'drop', got {self.headline!r}")

    @property
    def adds_title(self) -> bool:
        """Whether formats for readers begin with the title, even if the score of the headline is too high."""
        return self.headline == "keep" or (self.refine and self.headline == "auto")


BY_SCORE: Final = Selection()


def selected(blocks: Blocks, scores: Scores, threshold: float, selection: Selection) -> BoolArray:
    """Return which blocks are kept: those that score below the threshold or have no score, subject to the selection.

    >>> import numpy as np
    >>> blocks = Blocks.of(("Menu", 4), ("Some text.", 0))
    >>> selected(blocks, Scores(blocks, np.array([0.9, 0.1]), "demo"), 0.5, BY_SCORE)
    array([False,  True])
    """
    kept: BoolArray = ~(scores.values >= threshold)
    if selection.comments and scores.comments is not None:
        kept |= scores.comments
    if not selection.tables:
        kept &= ~in_tables(blocks)
    return kept
