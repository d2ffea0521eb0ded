"""Examples: pages with gold become what a method learns from, in worker processes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.characters import word_totals
from dehusk.config import Limits
from dehusk.errors import InputError
from dehusk.gold.alignment import gold_shares
from dehusk.page import Page, as_page
from dehusk.pool import Pool
from dehusk.training.progress import Tick

LIMITS: Final = Limits(seconds=120.0)
NO_GOLD: Final = "no gold text"
NO_BLOCKS: Final = "no text on the page"
UNALIGNED: Final = "the gold was not found on the page"

State = TypeVar("State")
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
    make: Callable[[State, Task], tuple[list[Example], str]],
    state: State,
    tasks: Iterable[Task],
    jobs: int,
    skipped: Counter[str],
    tick: Tick = lambda: None,
) -> Iterator[Example]:
    """Yield the examples of all tasks, in order; `tick` is called after each task.

    `make` is a function at the top level of a module. It returns the examples of a task, and what is wrong with it or
    "". Reasons are counted in `skipped`, and so are workers that failed.
    """
    with Pool((make.__module__, make.__name__, state), jobs, LIMITS) as pool:
        for _, answer in pool.map(tasks):
            examples, reason = ([], answer) if isinstance(answer, str) else answer
            if reason:
                skipped[reason] += 1
            yield from examples
            tick()


def parse(html: str | bytes) -> Page:
    """Return the page of some markup, decoded or not."""
    return as_page(html, url=None, charset=None, limits=Limits())


@dataclass(frozen=True, slots=True, eq=False)
class LabelledBlocks:
    """The blocks of a page, their words, and the share of the words that are gold; NaN if a block has none."""

    blocks: Blocks
    words: NDArray[np.int32]
    shares: NDArray[np.float64]


def label_blocks(page: Page, blocks: Blocks, gold: str) -> LabelledBlocks | str:
    """Return the blocks with their labels, or the reason why there are none; with empty gold nothing is main text."""
    if not len(blocks):
        return NO_BLOCKS
    totals, shares = word_totals(page.text), np.zeros(len(blocks))
    if gold.strip():
        alignment = gold_shares(page.text, blocks.start, blocks.end, gold)
        if not alignment.usable:
            return UNALIGNED
        shares = alignment.shares
    return LabelledBlocks(blocks, totals[blocks.end] - totals[blocks.start], shares)


def nothing_to_train_on(skipped: Mapping[str, int]) -> InputError:
    """Return the error for a training without examples."""
    reasons = ", ".join(f"{count} pages: {reason}" for reason, count in skipped.items())
    return InputError(
        f"no page can be trained on{reasons and f' ({reasons})'}; give pages with gold text or labelled text nodes"
    )
