"""Makers: pages with gold become examples in worker processes; those that are no good are counted by reason."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from dehusk.config import Limits
from dehusk.pool import Pool

LIMITS: Final = Limits(seconds=120.0)
NO_GOLD: Final = "no gold text"
NO_BLOCKS: Final = "no text on the page"
UNALIGNED: Final = "the gold was not found on the page"

Tick = Callable[[], None]


def made_in_workers(
    module: str, pages: Iterable[object], jobs: int, skipped: Counter[str], tick: Tick = lambda: None
) -> Iterator[Any]:
    """Yield what the module's `made` makes of each page, in order.

    It returns an example, or what is wrong with the page, in a tuple: a worker that fails says so by a plain str.
    """
    with Pool((module, "made", None), jobs, LIMITS) as pool:
        for _, answer in pool.map(pages):
            told = answer if isinstance(answer, str) else answer[0]
            if isinstance(told, str):
                skipped[told] += 1
            else:
                yield told
            tick()
