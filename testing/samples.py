"""Samples of real pages: some of them in `make test`, all of them in `make test-long`."""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def sampled(items: Iterable[Item], step: int) -> Iterator[Item]:
    """Yield every so many items; all if DEHUSK_ALL_PAGES is set."""
    return islice(items, 0, None, 1 if os.environ.get("DEHUSK_ALL_PAGES") else step)
