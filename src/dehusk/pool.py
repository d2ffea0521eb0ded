"""Pool: worker processes that may be slow, swell or die without harm to the pages of the others.

The workers are plain child processes that speak pickle over their pipes: nothing is forked, so threads do no harm, and
a script that uses the pool needs no `if __name__ == "__main__"`. Each belongs to one thread, which alone starts it,
talks to it and closes it; the end of the pool only kills, and then waits for the threads.
"""

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from dehusk.config import Limits
from dehusk.errors import ModelError, UsageError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Task = TypeVar("Task")
Setup = tuple[str, str, object]  # module and name of a function (state, task) -> answer, and the state
WORKER: Final = Path(__file__).with_name("worker.py")
AHEAD: Final = 8  # tasks a worker that may wait: enough to keep all busy behind one slow page
PIPE_BYTES: Final = 2**20  # most pages pass in one piece; the usual 64 KB make both sides wait for each other
UNPICKLABLE: Final = (pickle.PicklingError, AttributeError, TypeError)  # what pickle raises, by kind of object


class Pool:
    """Runs a function of (state, task) in child processes, under limits on time and memory."""

    def __init__(self, setup: Setup, jobs: int, limits: Limits) -> None:
        try:
            self._setup = pickle.dumps((setup, limits.seconds, limits.memory))
        except UNPICKLABLE as error:
            raise ModelError(
                f"the method cannot be sent to worker processes ({error}); expected an object that pickle takes, of a "
                "class at the top level of a module; mend it, or use `extract`, which stays in this process"
            ) from error
        self._limits, self._jobs = limits, jobs
        self._todo: SimpleQueue[tuple[object, Future[Any]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: set[_Worker] = set()
        self._lock = threading.Lock()  # round `_workers` and `_closed`, so that no worker starts behind the end's back
        self._closed = False

    def __enter__(self) -> Self:
        # A pool that is still open when the program ends is closed while its threads can still run.
        atexit.register(self.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, whatever they are at, and then the threads."""
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.process.kill()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()
        atexit.unregister(self.close)

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Yield each task with its answer, in order; a string in place of the answer says why its worker died."""
        waiting: deque[tuple[Task, Future[Any]]] = deque()
        for task in tasks:
            waiting.append((task, Future()))
            self._todo.put(waiting[-1])
            self._hire()
            while waiting and (len(waiting) >= AHEAD * self._jobs or waiting[0][1].done()):
                first, answer = waiting.popleft()
                yield first, answer.result()
        while waiting:
            first, answer = waiting.popleft()
            yield first, answer.result()

    def _hire(self) -> None:
        """Start one more thread, up to the number of jobs: no more than there are tasks."""
        if len(self._threads) < self._jobs:
            thread = threading.Thread(target=self._serve, name="dehusk", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _serve(self) -> None:
        """Answer tasks until the pool is closed: what one thread does, with one worker at a time."""
        worker: _Worker | None = None
        while (item := self._todo.get()) and not self._closed:
            task, future = item
            try:
                worker = worker or self._started()
                future.set_result(worker.ask(task))
            except (EOFError, BrokenPipeError, pickle.UnpicklingError):
                assert worker  # since only `ask` lets these out
                future.set_result(self._epitaph(self._ended(worker)))
                worker = None
            except Exception as error:
                future.set_exception(error)
        if worker:
            self._ended(worker)

    def _started(self) -> "_Worker":
        try:
            worker = _Worker()
        except OSError as error:  # no more processes, files or memory to be had
            raise ModelError(f"a worker process could not start: {error}; ask for fewer jobs") from error
        with self._lock:
            self._workers.add(worker)
            if self._closed:
                worker.process.kill()
        try:
            worker.set_up(self._setup)
        except ModelError:
            self._ended(worker)
            raise
        return worker

    def _ended(self, worker: "_Worker") -> int:
        """End a worker and return its exit status."""
        status = worker.close()
        with self._lock:
            self._workers.remove(worker)
        return status

    def _epitaph(self, status: int) -> str:
        if sys.platform != "win32" and status == -signal.SIGALRM:
            return f"took longer than {self._limits.seconds:g} s"
        return f"its worker died (exit status {status}), perhaps over {self._limits.memory / 1e9:g} GB of memory"


class _Worker:
    """One child process and the pipes to it."""

    def __init__(self) -> None:
        # One thread in each child's linear algebra: the cores are shared out by page already.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self.process = subprocess.Popen(
            # By its path, so that a worker imports what its function needs and no more; -P, since the files round the
            # user, or round the worker, are no modules of ours, whatever they are called.
            [sys.executable, "-P", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            # Ctrl-C at the terminal goes to every process of the session; it is ours to end the workers.
            start_new_session=True,
        )
        assert self.process.stdin
        assert self.process.stdout
        self._in, self._out = self.process.stdin, self.process.stdout
        self._widen()

    def _widen(self) -> None:
        """Ask for larger pipes. The system grants an ordinary user so many, and where it does not, ours are small."""
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            for pipe in (self._in, self._out):
                with suppress(OSError):
                    fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def set_up(self, setup: bytes) -> None:
        """Tell the child which function it runs, and wait until it is ready."""
        try:
            self._write(setup)
            trouble = pickle.load(self._out)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            trouble = f"it ended before its first page (exit status {self.process.wait()})"
        if trouble:
            raise ModelError(
                f"a worker process could not start: {trouble}; a method of your own must live in a module that can be "
                "imported, not in a script or a notebook"
            )

    def ask(self, task: object) -> Any:
        """Return the child's answer; raises what a broken pipe raises when the child dies over it."""
        try:
            # Pickled as a whole before a byte is written: half a task would spoil the pipe for the next one.
            data = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        except UNPICKLABLE as error:
            raise UsageError(f"a page must be bytes or str to be sent to a worker process: {error}") from error
        self._write(data)
        return pickle.load(self._out)

    def close(self) -> int:
        """End the child, close its pipes and return its exit status."""
        self.process.kill()  # does nothing to a child that has ended on its own, whose status is then kept
        for pipe in (self._in, self._out):
            pipe.close()
        return self.process.wait()

    def _write(self, data: bytes) -> None:
        # Past the buffer, where bytes for a dead child would stay and fail once more on close.
        view = memoryview(data)
        while view:
            view = view[os.write(self._in.fileno(), view) :]
