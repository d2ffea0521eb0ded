"""A renderer for tests: skipped where there is no browser; CI must have one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from dehusk.processes import descendants
from dehusk.rendering import Bounds, Renderer, is_available
from testing.needed import skip_unless
from testing.processes import wait_for_end

USUAL = Bounds(seconds=120)  # on however busy a machine


@contextmanager
def renderer(bounds: Bounds = USUAL) -> Iterator[Renderer]:
    """Yield a renderer."""
    skip_unless(is_available(), "dehusk[visual] and Chromium")
    with Renderer(bounds) as found:
        yield found


@contextmanager
def nothing_left() -> Iterator[set[int]]:
    """Wait until no process is left that was not there before; yield those that were."""
    before = set(descendants(os.getpid()))
    yield before
    wait_for_end(set(descendants(os.getpid())) - before)
