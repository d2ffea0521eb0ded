"""Pool: worker processes that may be slow, swell or die without harm to the pages of the others.

The workers are plain child processes that speak pickle over their pipes: nothing is forked, so threads do no harm, and
a script that uses the pool needs no `if __name__ == "__main__"`.
"""

import os
import pickle
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from dehusk.config import Limits
from dehusk.errors import ModelError

Task = TypeVar("Task")
Setup = tuple[str, str, object]  # module and name of a function (state, task) -> answer, and the state
AHEAD: Final = 4  # tasks a worker that may wait: enough to keep all busy behind one slow page
PATIENCE: Final = 0.05  # seconds between two looks at the clock


class Pool:
    """Runs a function of (state, task) in child processes, under limits on time and memory."""

    def __init__(self, setup: Setup, jobs: int, limits: Limits) -> None:
        self._setup = pickle.dumps((setup, limits.memory))
        self._seconds = limits.seconds
        self._memory = limits.memory
        self._jobs = jobs
        self._idle: SimpleQueue[_Worker | None] = SimpleQueue()
        self._busy: set[_Worker] = set()
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        for _ in range(self._jobs):
            self._idle.put(None)
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        for worker in list(self._busy):
            worker.kill()
        for _ in range(self._jobs):
            if idle := self._idle.get():
                idle.kill()

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Yield each task with its answer, in order; a string in place of the answer says why its worker died."""
        waiting: deque[tuple[Task, Future[Any]]] = deque()
        with ThreadPoolExecutor(self._jobs, thread_name_prefix="dehusk") as threads:
            try:
                for task in tasks:
                    waiting.append((task, threads.submit(self._answer, task)))
                    while waiting and (len(waiting) > AHEAD * self._jobs or waiting[0][1].done()):
                        first, answer = waiting.popleft()
                        yield first, answer.result()
                for first, answer in waiting:
                    yield first, answer.result()
            finally:
                self._closed.set()
                threads.shutdown(wait=False, cancel_futures=True)
                for worker in list(self._busy):
                    worker.kill()

    def _answer(self, task: object) -> Any:
        worker = self._idle.get()
        try:
            worker = worker or _Worker(self._setup)
            self._busy.add(worker)
            return worker.ask(task, self._seconds)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            assert worker is not None
            reason = self._epitaph(worker)
            worker.kill()
            self._busy.discard(worker)
            worker = None
            return reason
        finally:
            if worker is not None:
                self._busy.discard(worker)
            self._idle.put(worker)

    def _epitaph(self, worker: "_Worker") -> str:
        if worker.late:
            return f"took longer than {self._seconds:g} s"
        return (
            f"its worker died (exit status {worker.process.wait()}), perhaps over {self._memory / 1e9:g} GB of memory"
        )

    def _watch(self) -> None:
        """End workers that are over their time; a thread of its own, since signals do not work in all threads."""
        while not self._closed.wait(PATIENCE):
            now = time.monotonic()
            for worker in list(self._busy):
                if worker.deadline < now:
                    worker.late = True
                    worker.kill()


class _Worker:
    """One child process and the pipes to it."""

    def __init__(self, setup: bytes) -> None:
        # One thread in each child's linear algebra: the cores are shared out by page already.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dehusk.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self.late = False
        self.deadline = float("inf")
        assert self.process.stdin
        assert self.process.stdout
        self._in, self._out = self.process.stdin, self.process.stdout
        self._in.write(setup)
        self._in.flush()
        trouble = pickle.load(self._out)
        if trouble:
            self.kill()
            raise ModelError(f"a worker process could not start: {trouble}")

    def ask(self, task: object, seconds: float) -> Any:
        """Return the child's answer; raises what a broken pipe raises when the child dies over it."""
        self.deadline = time.monotonic() + seconds
        try:
            pickle.dump(task, self._in, pickle.HIGHEST_PROTOCOL)
            self._in.flush()
            return pickle.load(self._out)
        finally:
            self.deadline = float("inf")

    def kill(self) -> None:
        """End the child and close its pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self._in, self._out):
            try:
                pipe.close()
            except BrokenPipeError:
                continue
