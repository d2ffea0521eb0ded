"""Selection: what is kept or dropped apart from the scores. One file per rule."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from dehusk.blocks import Blocks
from dehusk.errors import UsageError
from dehusk.page.leaves import BoolArray
from dehusk.scores import Scores
from dehusk.selection.never_prose import SIGNS, without_non_prose
from dehusk.selection.repeats import without_repeats
from dehusk.selection.signs import TABLE, read_signs
from dehusk.selection.tables import in_tables
from dehusk.selection.whole_tables import with_whole_tables

HeadlineChoice = Literal["auto", "keep", "drop"]


@dataclass(frozen=True, slots=True)
class Selection:
    """What is kept or dropped apart from the scores."""

    comments: bool = False  # keep readers' comments under an article too
    tables: bool = True  # keep text in tables of data
    min_length: int = 0  # characters; a page with fewer is treated as empty
    refine: bool = False  # tables in whole rows, repeated text once, nothing that is never prose
    headline: HeadlineChoice = "auto"  # kept by its score, in any case, or not at all

    def __post_init__(self) -> None:
        if self.min_length < 0:
            raise UsageError(f"min_length must be at least 0, got {self.min_length}", setting="min_length")
        if self.headline not in get_args(HeadlineChoice):
            raise UsageError(f"headline must be 'auto', 'keep' or 'drop', got {self.headline!r}", setting="headline")

    @property
    def adds_title(self) -> bool:
        """Whether formats for readers begin with the title, even if the score of the headline is too high."""
        return self.headline == "keep" or (self.refine and self.headline == "auto")


BY_SCORE: Final = Selection()


COMMENTS: Final = "comments are kept (--comments)"
NO_TABLES: Final = "it is in a table (--no-tables)"
NEVER_PROSE: Final = "it is a form field, a button, a dialog, data, a template, or not meant to be seen"
REPEATED: Final = "the same text is kept elsewhere"
WHOLE_TABLES: Final = "tables are kept or dropped in whole rows"


def selected(blocks: Blocks, scores: Scores, threshold: float, selection: Selection) -> BoolArray:
    """Return which blocks are kept: those that score below the threshold or have no score, subject to the selection.

    >>> import numpy as np
    >>> blocks = Blocks.of(("Menu", 4), ("Some text.", 0))
    >>> selected(blocks, Scores(blocks, np.array([0.9, 0.1]), "demo"), 0.5, BY_SCORE)
    array([False,  True])
    """
    kept: BoolArray = ~(scores.values >= threshold)
    for after, _ in _rules(blocks, scores, kept, selection):
        kept = after
    return kept


def decided_by_rule(blocks: Blocks, scores: Scores, threshold: float, selection: Selection) -> dict[int, str]:
    """Return the blocks that are kept or dropped against their score, by index, and the reason for it.

    >>> import numpy as np
    >>> blocks = Blocks.of(("A reader: Well said.", 0), ("Some text.", 0))
    >>> scores = Scores(blocks, np.array([0.9, 0.1]), "demo", comments=np.array([True, False]))
    >>> decided_by_rule(blocks, scores, 0.5, Selection(comments=True))
    {0: 'comments are kept (--comments)'}
    """
    by_score: BoolArray = ~(scores.values >= threshold)
    before, reasons = by_score, dict[int, str]()
    for kept, reason in _rules(blocks, scores, by_score, selection):
        reasons.update(dict.fromkeys((kept != before).nonzero()[0].tolist(), reason))
        before = kept
    return {index: reasons[index] for index in (before != by_score).nonzero()[0].tolist()}


def _rules(blocks: Blocks, scores: Scores, kept: BoolArray, selection: Selection) -> Iterator[tuple[BoolArray, str]]:
    """Yield what is kept after each rule, and why that rule changed something."""
    if selection.comments and scores.comments is not None:
        kept = kept | scores.comments
        yield kept, COMMENTS
    if selection.refine and len(blocks):
        signs, any_signs = read_signs(blocks, kept)
        if any_signs & SIGNS:
            kept = without_non_prose(blocks, kept, signs)
            yield kept, NEVER_PROSE
        kept = without_repeats(blocks, kept)
        yield kept, REPEATED
        if any_signs & TABLE:
            kept = with_whole_tables(blocks, kept)
            yield kept, WHOLE_TABLES
    if not selection.tables:
        kept = kept & ~in_tables(blocks)
        yield kept, NO_TABLES
