"""Renderer: one browser for many pages, in a process of its own; a page that hangs or kills it costs only itself.

Playwright and Chromium live below that process, so that a program of any kind can use this, threads, event loops and
memory limits or not, and so that ending one process tree leaves nothing behind.
"""

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Final, Self, overload

from dehusk.rendering.chromium import require_rendering
from dehusk.rendering.layout import Layout
from dehusk.rendering.processes import kill_tree, memory
from dehusk.rendering.tasks import Failure, Live, LivePage, Photograph

PROGRAM: Final = Path(__file__).with_name("program.py")
START_SECONDS: Final = 60.0  # for the browser to start, on however busy a machine
GRACE: Final = 5.0  # seconds, beyond those that scripts may run, for the rest of the work on a page
POLL: Final = 0.2  # seconds between two looks at the memory


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
        self.failures: Counter[str] = Counter()  # pages that were cut off, by reason

    def __enter__(self) -> Self:
        atexit.register(self.close)  # for programs that end in the middle
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        browser, self._browser = self._browser, None
        if browser:
            browser.close()
        atexit.unregister(self.close)

    def photograph(self, task: Photograph) -> Layout | str:
        """Return the layout of a page, or why there is none."""
        return self._run(task, self._bounds.seconds)

    def run_scripts(self, task: Live) -> LivePage | str:
        """Return a page after its scripts have run, or why that failed."""
        return self._run(task, task.seconds + GRACE)

    @overload
    def _run(self, task: Photograph, seconds: float) -> Layout | str: ...
    @overload
    def _run(self, task: Live, seconds: float) -> LivePage | str: ...
    def _run(self, task: Photograph | Live, seconds: float) -> Any:
        answer: Any = Failure("interrupted")
        try:
            self._browser = self._browser or _Browser()
            answer = self._browser.ask(task, seconds, self._bounds.memory)
        finally:  # after Ctrl-C, too: a browser in the middle of a page would answer the next one with it
            if isinstance(answer, Failure):
                browser, self._browser = self._browser, None
                if browser:
                    browser.kill()
        if isinstance(answer, Failure):
            self.failures[answer.reason] += 1
            return answer.reason
        return answer


class _Browser:
    """The process that drives a browser, and the pipes to it."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)}
        self._process = subprocess.Popen(
            [sys.executable, "-P", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # so that Ctrl-C is for us, who end it
        )
        self._ready = False

    def ask(self, task: Photograph | Live, seconds: float, most: int) -> Any:
        """Return the answer to a task; a `Failure` after so many seconds, or beyond so many bytes of memory."""
        if not self._ready:
            problem = self._answer(START_SECONDS, most)
            if isinstance(problem, Failure):
                return problem
            self._ready = True
        assert self._process.stdin
        try:
            pickle.dump(task, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except OSError:
            return Failure("the browser ended")
        return self._answer(seconds, most)

    def _answer(self, seconds: float, most: int) -> Any:
        assert self._process.stdout
        box: SimpleQueue[Any] = SimpleQueue()
        reader = threading.Thread(target=_receive, args=(self._process.stdout, box), daemon=True)
        reader.start()
        deadline = time.monotonic() + seconds
        while True:
            with suppress(Empty):
                answer = box.get(timeout=POLL)
                reader.join()
                return answer
            if time.monotonic() > deadline:
                return Failure(f"took longer than {seconds:g} s")
            if memory(self._process.pid) > most:
                return Failure(f"took more than {most / 1e9:g} GB of memory")

    def close(self) -> None:
        """Let the browser end, and end it if it does not."""
        assert self._process.stdin
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        self._release()

    def kill(self) -> None:
        """End the browser at once."""
        kill_tree(self._process.pid)
        self._process.wait()
        self._release()

    def _release(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what could not be written any more
                if pipe:
                    pipe.close()


def _receive(pipe: IO[bytes], box: "SimpleQueue[Any]") -> None:
    try:
        box.put(pickle.load(pipe))
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        box.put(Failure("the browser ended"))
