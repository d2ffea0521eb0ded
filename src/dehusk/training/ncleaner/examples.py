"""Examples: the segments of pages with gold, beside the share of each that the gold wants, and the gold itself."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dehusk.config import Limits
from dehusk.errors import InputError
from dehusk.gold.labelled import Labelled
from dehusk.gold.labels import gold_shares
from dehusk.methods.ncleaner.language import language_of
from dehusk.methods.ncleaner.segments import cut, easy
from dehusk.page import Page, as_page
from dehusk.page.leaves import BoolArray
from dehusk.training.makers import NO_BLOCKS, NO_GOLD, UNALIGNED, Tick, made_in_workers
from dehusk.training.ncleaner.texts import TextPair
from dehusk.word_boundaries import word_totals


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page's segments, its gold, where it is from and the language that its words are of."""

    corpus: str
    id: str
    site: str
    language: str
    text: str
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    easy: BoolArray  # which segments a pattern tells are boilerplate
    words: NDArray[np.int32]  # of each segment
    shares: NDArray[np.float32]  # of each segment's words, how many are gold; NaN where it has no words
    gold: str

    @property
    def segments(self) -> list[str]:
        """The text of every segment."""
        return [self.text[a:b] for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]


def examples(pages: Iterable[Labelled], jobs: int, tick: Tick = lambda: None) -> tuple[list[Example], Counter[str]]:
    """Return the examples of all pages, and how many were left out by reason."""
    skipped: Counter[str] = Counter()
    found: list[Example] = list(made_in_workers(__name__, pages, jobs, skipped, tick))
    if not any(example.gold.strip() for example in found):
        reasons = "".join(f"; {count} pages: {reason}" for reason, count in skipped.items())
        raise InputError(f"no page with main text can be trained on{reasons}; give pages with gold text")
    return found, skipped


def made(_: None, source: Labelled) -> tuple[Example | str]:
    """Run in a worker: return a page's example, or what is wrong with it; in a tuple, since a str means a failure."""
    if source.gold is None:
        return (NO_GOLD,)
    if isinstance(source, TextPair):
        page = Page.from_text(source.html)
    else:
        page = as_page(source.html, url=None, charset=None, limits=Limits())
    blocks = cut(page)
    if not len(blocks):
        return (NO_BLOCKS,)
    shares = np.zeros(len(blocks))
    if source.gold.strip():
        found = gold_shares(page.text, blocks.start, blocks.end, source.gold)
        if not found.usable:
            return (UNALIGNED,)
        shares = found.shares
    totals = word_totals(page.text)
    example = Example(
        source.corpus,
        source.id,
        source.site,
        language_of(page) or "",
        page.text,
        blocks.start,
        blocks.end,
        easy(blocks.strings()),
        totals[blocks.end] - totals[blocks.start],
        shares.astype(np.float32),
        source.gold,
    )
    return (example,)
