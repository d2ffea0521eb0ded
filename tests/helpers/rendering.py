"""A renderer for tests: skipped where there is no browser; CI must have one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from dehusk.rendering import Bounds, Renderer, is_available
from dehusk.rendering.processes import PROC, descendants
from tests.helpers.needed import skip_unless

USUAL = Bounds(seconds=120)  # on however busy a machine


@contextmanager
def renderer(bounds: Bounds = USUAL) -> Iterator[Renderer]:
    """Yield a renderer."""
    skip_unless(is_available(), "dehusk[visual] and Chromium")
    with Renderer(bounds) as found:
        yield found


@contextmanager
def nothing_left() -> Iterator[set[int]]:
    """Assert that no process is left that was not there before; yield those that were."""
    before = set(descendants(os.getpid()))
    yield before
    assert [process for process in set(descendants(os.getpid())) - before if lives(process)] == []


def lives(process: int) -> bool:
    """Return whether a process has not ended; one that nobody has waited for has."""
    try:
        return (PROC / str(process) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
