"""Examples: the segments of pages with gold, the share of each that the gold wants, and the gold itself."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dehusk.gold.pages import GoldPage
from dehusk.methods.ncleaner.language import language_of
from dehusk.methods.ncleaner.segments import cut, obvious_boilerplate
from dehusk.page import Page
from dehusk.page.leaves import BoolArray
from dehusk.training.examples import NO_GOLD, PageInfo, label_blocks, make_in_workers, nothing_to_train_on, parse
from dehusk.training.ncleaner.text_pairs import TextPage
from dehusk.training.progress import Tick


@dataclass(frozen=True, slots=True, eq=False)
class NcleanerExample(PageInfo):
    """The segments of a page, its gold, and the language of its words."""

    language: str
    text: str
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    easy: BoolArray  # which segments a pattern recognises as boilerplate
    words: NDArray[np.int32]  # of each segment
    shares: NDArray[np.float32]  # the share of each segment's words that are gold; NaN if it has no words
    gold: str

    @property
    def segments(self) -> list[str]:
        """The text of every segment."""
        return [self.text[a:b] for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]


def examples(
    pages: Iterable[GoldPage], jobs: int, tick: Tick = lambda: None
) -> tuple[list[NcleanerExample], Counter[str]]:
    """Return the examples of all pages, and how many pages were left out by reason."""
    skipped: Counter[str] = Counter()
    found = list(make_in_workers(make_examples, None, pages, jobs, skipped, tick))
    if not any(example.gold.strip() for example in found):
        raise nothing_to_train_on(skipped)
    return found, skipped


def make_examples(_: None, source: GoldPage) -> tuple[list[NcleanerExample], str]:
    """Return the example of a page, or what is wrong with it; runs in a worker."""
    if source.gold is None:
        return [], NO_GOLD
    page = Page.from_text(str(source.html)) if isinstance(source, TextPage) else parse(source.html)
    labelled = label_blocks(page, cut(page), source.gold)
    if isinstance(labelled, str):
        return [], labelled
    blocks, shares = labelled.blocks, labelled.shares.astype(np.float32)
    info = source.corpus, source.id, source.site, language_of(page) or ""
    spans = page.text, blocks.start, blocks.end
    easy = obvious_boilerplate(blocks.strings(), plain=page.tree is None)
    return [NcleanerExample(*info, *spans, easy, labelled.words, shares, source.gold)], ""
