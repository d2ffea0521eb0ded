"""Progress: what a training reports while it runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

Tick = Callable[[], None]


class Reporter:
    """Receives progress and ignores it; override both methods to show it."""

    @contextmanager
    def steps(self, total: int | None, what: str) -> Iterator[Tick]:
        """Begin a stage of `total` steps, None if unknown; the value is called after each step."""
        yield lambda: None

    def message(self, text: str) -> None:
        """Report one line."""


SILENT: Final = Reporter()
