"""Examples: pages with gold become what a method learns from, in worker processes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from dehusk.characters import word_totals
from dehusk.config import Limits
from dehusk.errors import InputError
from dehusk.page import Page, as_page
from dehusk.pool import Pool
from dehusk.reasons import Reason
from dehusk.training.columns import Doubles, Ints
from dehusk.training.progress import Tick

LIMITS: Final = Limits(seconds=120.0)
NO_GOLD: Final = "no gold text"
NO_BLOCKS: Final = "no text on the page"
UNALIGNED: Final = "the gold was not found on the page"

Task = TypeVar("Task")
Example = TypeVar("Example")


@dataclass(frozen=True, slots=True)
class PageInfo:
    """Which page an example was made of."""

    corpus: str
    id: str
    site: str

    @property
    def name(self) -> str:
        """Unique across corpora."""
        return f"{self.corpus}/{self.id}"


def make_in_workers(
    make: Callable[[Task], tuple[list[Example], str]],
    tasks: Iterable[Task],
    jobs: int,
    skipped: Counter[str],
    tick: Tick = lambda: None,
) -> Iterator[Example]:
    """Yield the examples of all tasks, in order; `tick` is called after each task.

    `make` is what `Pool` takes. It returns the examples of a task, and what is wrong with it or
    "". Reasons are counted in `skipped`, and so are workers that failed.
    """
    with Pool(make, jobs, LIMITS) as pool:
        for _, answer in pool.map(tasks):
            examples, reason = ([], str(answer)) if isinstance(answer, Reason) else answer
            if reason:
                skipped[reason] += 1
            yield from examples
            tick()


def parse(html: str | bytes) -> Page:
    """Return the page of some markup, decoded or not."""
    return as_page(html, url=None, charset=None, limits=Limits())


@dataclass(frozen=True, slots=True, eq=False)
class BlockLabels:
    """How many words each block of a page has, and the share of them that are gold; NaN if it has none."""

    words: Ints
    shares: Doubles


def label_blocks(page: Page, start: Ints, end: Ints, gold: str) -> BlockLabels | str:
    """Return the labels of blocks, or the reason why there are none; with empty gold nothing is main text."""
    if not len(start):
        return NO_BLOCKS
    totals, shares = word_totals(page.text), np.zeros(len(start))
    if gold.strip():
        from dehusk.gold.alignment import gold_shares  # noqa: PLC0415  (needs rapidfuzz, which not all training does)

        alignment = gold_shares(page.text, start, end, gold)
        if not alignment.usable:
            return UNALIGNED
        shares = alignment.shares
    return BlockLabels(totals[end] - totals[start], shares)


def nothing_to_train_on(skipped: Mapping[str, int]) -> InputError:
    """Return the error for a training without examples."""
    reasons = ", ".join(f"{count} pages: {reason}" for reason, count in skipped.items())
    return InputError(
        f"no page can be trained on{reasons and f' ({reasons})'}; give pages with gold text or labelled text nodes"
    )
