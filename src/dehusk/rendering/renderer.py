"""Renderer: one browser for many pages, in a process of its own; a page that hangs or kills it costs only itself.

Playwright and Chromium live below that process, so that a program of any kind can use this, threads, event loops and
memory limits or not, and so that ending one process tree leaves nothing behind.
"""

import atexit
import subprocess
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, Self, overload

from dehusk.child import Child, EndedError
from dehusk.reasons import Code, Reason
from dehusk.rendering.chromium import require_rendering
from dehusk.rendering.layout import Layout
from dehusk.rendering.tasks import Live, LivePage, Photograph

PROGRAM: Final = "dehusk.rendering.program"
START_SECONDS: Final = 60.0  # for the browser to start, on however busy a machine
GRACE: Final = 5.0  # seconds, beyond those that scripts may run, for the rest of the work on a page


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one page may cost: seconds in all, and bytes of memory of the whole browser."""

    seconds: float = 20.0
    memory: int = 2_000_000_000


USUAL: Final = Bounds()


class Renderer:
    """Renders pages one after the other. Use it in a `with` statement: at its end, no process is left.

    >>> with Renderer() as renderer:  # doctest: +SKIP
    ...     renderer.photograph(Photograph("<p>Hello")).picture.shape
    (768, 1024)
    """

    def __init__(self, bounds: Bounds = USUAL) -> None:
        require_rendering("rendering pages")
        self._bounds = bounds
        self._browser: _Browser | None = None
        self.failures: Counter[Code] = Counter()  # pages that were not rendered

    def __enter__(self) -> Self:
        atexit.register(self.close)  # for programs that end in the middle
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        browser, self._browser = self._browser, None
        if browser:
            browser.close(GRACE)
        atexit.unregister(self.close)

    def photograph(self, task: Photograph) -> Layout | Reason:
        """Return the layout of a page, or why there is none."""
        return self._run(task, self._bounds.seconds)

    def run_scripts(self, task: Live) -> LivePage | Reason:
        """Return a page after its scripts have run, or why that failed."""
        return self._run(task, task.seconds + GRACE)

    @overload
    def _run(self, task: Photograph, seconds: float) -> Layout | Reason: ...
    @overload
    def _run(self, task: Live, seconds: float) -> LivePage | Reason: ...
    def _run(self, task: Photograph | Live, seconds: float) -> Any:
        answer: Any = None
        try:
            if self._browser is None:
                self._browser = _Browser.start_python(PROGRAM, stderr=subprocess.DEVNULL)
                answer = self._browser.ask(None, START_SECONDS, self._bounds.memory)
            answer = answer or self._browser.ask(task, seconds, self._bounds.memory)
        except EndedError as error:
            answer = error.reason
        finally:
            browser = self._browser
            if browser and (answer is None or isinstance(answer, Reason)):  # it may be in any state; None: Ctrl-C
                browser.end()
                self._browser = None
        if isinstance(answer, Reason):
            self.failures[answer.code] += 1
        return answer


class _Browser(Child):
    has_clock = False
    starts_sessions = True
