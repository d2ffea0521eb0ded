"""Pool: worker processes that may hang, run out of memory or die without harm to the pages of the others.

The workers are plain child processes that exchange pickles over pipes: nothing is forked, so threads are safe, and a
script that uses the pool needs no `if __name__ == "__main__"`. Each belongs to one thread, which alone starts it, talks
to it and closes it; closing the pool only kills the processes, and then waits for the threads. A worker that dies while
it starts is started again a few times; a thread without a worker leaves the tasks to the others, and the last thread
answers them with the reason, so that no task is lost. After a while the pool tries again.
"""

import atexit
import errno
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, Self, TypeVar

from dehusk.config import Limits
from dehusk.errors import ModelError, UsageError
from dehusk.worker import cause_of_death

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Task = TypeVar("Task")
Setup = tuple[str, str, object]  # module and name of a function (state, task) -> answer, and the state
WORKER: Final = Path(__file__).with_name("worker.py")
AHEAD: Final = 8  # waiting tasks per worker: enough to keep all busy behind one slow page
PIPE_BYTES: Final = 2**20  # most pages fit; with the usual 64 KB both sides wait for each other
SHORTAGES: Final = (errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM)  # which may pass
# Seconds between attempts to start a worker that dies while it starts: time for the system to find memory again.
PAUSES: Final = (0.1, 0.4, 1.6)
REST: Final = 5.0  # seconds without another attempt after all of these have failed
UNPICKLABLE: Final = (pickle.PicklingError, AttributeError, TypeError)  # what pickle raises, depending on the object


class QueueFullError(Exception):
    """As many tasks as may wait are waiting."""


class NoWorkerError(Exception):
    """A worker process could not start, or died while it did; the next one may start."""

    def __str__(self) -> str:
        return f"no worker process could start: {self.args[0]}; use fewer jobs, or make more memory available"


class Pool:
    """Runs a function of (state, task) in child processes, under limits on time and memory."""

    def __init__(self, setup: Setup, jobs: int | None, limits: Limits, waiting: int | None = None) -> None:
        """Take the function, the number of child processes, by default one per core, and the limits of each.

        `waiting` is how many tasks may wait for a process; by default any number.
        """
        if jobs is not None and jobs < 1:
            raise UsageError(f"jobs must be at least 1, got {jobs}")
        try:
            self._setup = pickle.dumps((setup, limits.seconds, limits.memory))
        except UNPICKLABLE as error:
            raise ModelError(
                f"the method cannot be sent to worker processes ({error}); expected an object that can be pickled, of "
                "a class at the top level of a module; fix it, or use `extract`, which stays in this process"
            ) from error
        self._limits, self.jobs = limits, jobs or os.cpu_count() or 1
        self._most = None if waiting is None else waiting + self.jobs
        self._todo: SimpleQueue[tuple[object, Future[Any]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: set[_Worker] = set()
        self._serving = 0  # threads that take tasks
        self._unanswered = 0
        self._rest_until = 0.0  # while workers cannot start, no thread is started for them
        # For all but the queue, so that no worker starts after the end.
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        # Closes a pool that is still open when the program ends, while its threads can still run.
        atexit.register(self.close)
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, whatever they are doing, and then the threads; tasks that wait are cancelled."""
        with self._lock:
            self._closed.set()
            for worker in self._workers:
                worker.process.kill()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()
        with suppress(Empty):
            while True:
                if item := self._todo.get_nowait():
                    _cancel(item[1])
        atexit.unregister(self.close)

    @property
    def unanswered(self) -> int:
        """How many tasks wait for a worker, or for its answer."""
        return self._unanswered

    @property
    def living(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    def submit(self, task: object) -> "Future[Any]":
        """Return the future answer to a task: a string that says why if its worker died.

        Raises `QueueFullError` if too many tasks wait; the answer is `NoWorkerError` if no worker could start. A task
        that is cancelled while it waits is not run.
        """
        answer: Future[Any] = Future()
        with self._lock:
            if self._closed.is_set():
                raise UsageError("the pool is closed; open another one")
            if self._most is not None and self._unanswered >= self._most:
                raise QueueFullError
            self._unanswered += 1
        answer.add_done_callback(self._count_answer)
        self._todo.put((task, answer))
        self._start_thread()
        return answer

    def _count_answer(self, _answer: object) -> None:
        with self._lock:
            self._unanswered -= 1

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Yield each task with its answer, in order: a string that says why if its worker died or none could start."""
        waiting: deque[tuple[Task, Future[Any]]] = deque()
        for task in tasks:
            waiting.append((task, self.submit(task)))
            while waiting and (len(waiting) >= AHEAD * self.jobs or waiting[0][1].done()):
                first, answer = waiting.popleft()
                yield first, _result(answer)
        while waiting:
            first, answer = waiting.popleft()
            yield first, _result(answer)

    def _start_thread(self) -> None:
        """Start one more thread for each task, up to the number of jobs; not while workers cannot start."""
        with self._lock:
            resting = self._serving and time.monotonic() < self._rest_until
            if self._closed.is_set() or self._serving >= self.jobs or resting:
                return
            self._serving += 1
            thread = threading.Thread(target=self._serve, name="dehusk", daemon=True)
            self._threads = [each for each in self._threads if each.is_alive()]
            self._threads.append(thread)
            thread.start()

    def _serve(self) -> None:
        """Answer tasks until the pool is closed, with one worker at a time: run by each thread."""
        worker: _Worker | None = None
        given_up: NoWorkerError | None = None
        while item := self._next():
            task, future = item
            try:
                if given_up and time.monotonic() < self._rest_until:
                    raise given_up
                worker = self._living(worker)
                future.set_result(worker.ask(task))
            except (EOFError, BrokenPipeError, pickle.UnpicklingError):
                assert worker  # since only `ask` raises these
                future.set_result(cause_of_death(self._ended(worker), self._limits.seconds, self._limits.memory))
                worker = None
            except NoWorkerError as error:
                if error is not given_up:
                    worker, given_up, self._rest_until = None, error, time.monotonic() + REST
                if self._leave_to_others():
                    self._todo.put(item)
                    return
                future.set_exception(error)
            except Exception as error:
                future.set_exception(error)
        if worker:
            self._ended(worker)

    def _next(self) -> tuple[object, "Future[Any]"] | None:
        """Return the next task that has not been cancelled; None if the pool is closed."""
        while item := self._todo.get():
            if self._closed.is_set():
                _cancel(item[1])
                break
            # One that runs already was left by a thread without a worker.
            if item[1].running() or item[1].set_running_or_notify_cancel():
                return item
        return None

    def _leave_to_others(self) -> bool:
        """Return whether this thread, which has no worker, may end because others take the tasks."""
        with self._lock:
            others = self._serving > 1
            self._serving -= others
        return others

    def _living(self, worker: "_Worker | None") -> "_Worker":
        """Return the worker if it lives, else another one: one that was killed between two tasks did no harm."""
        if worker and worker.process.poll() is None:
            return worker
        if worker:
            self._ended(worker)
        for pause in PAUSES:
            with suppress(NoWorkerError):
                return self._started()
            self._closed.wait(pause)
        return self._started()

    def _started(self) -> "_Worker":
        try:
            worker = _Worker()
        except OSError as error:
            if error.errno in SHORTAGES:
                raise NoWorkerError(error.strerror) from error
            raise ModelError(f"a worker process could not start: {error}; expected a Python at that path") from error
        with self._lock:
            self._workers.add(worker)
            if self._closed.is_set():
                worker.process.kill()
        try:
            worker.set_up(self._setup)
        except (ModelError, NoWorkerError):
            self._ended(worker)
            raise
        return worker

    def _ended(self, worker: "_Worker") -> int:
        """End a worker and return its exit status."""
        status = worker.close()
        with self._lock:
            self._workers.remove(worker)
        return status


def _cancel(answer: "Future[Any]") -> None:
    """End an answer that nobody will give, also one of which a thread without a worker had begun."""
    if not answer.cancel() and not answer.done():
        answer.set_exception(CancelledError())


def _result(answer: "Future[Any]") -> Any:
    try:
        return answer.result()
    except NoWorkerError as error:
        return str(error)


class _Worker:
    """One child process and the pipes to it."""

    def __init__(self) -> None:
        # One thread per child for linear algebra: the cores are already shared between pages.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self.process = subprocess.Popen(
            # By its path, so that a worker imports only what its function needs; -P, since files in the current folder,
            # or next to the worker, must not be imported as modules.
            [sys.executable, "-P", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            # Ctrl-C at the terminal goes to every process of the session; here the parent ends the workers.
            start_new_session=True,
        )
        assert self.process.stdin
        assert self.process.stdout
        self._in, self._out = self.process.stdin, self.process.stdout
        self._widen()

    def _widen(self) -> None:
        """Request larger pipes; the system limits how many a user may have, and smaller ones work too."""
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            for pipe in (self._in, self._out):
                with suppress(OSError):
                    fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def set_up(self, setup: bytes) -> None:
        """Tell the child which function to run, and wait until it is ready."""
        try:
            self._write(setup)
            problem = pickle.load(self._out)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            # Killed, or out of memory: not the fault of the method, whose own errors come as an answer.
            raise NoWorkerError(f"it ended before its first page (exit status {self.process.wait()})") from None
        if problem:
            raise ModelError(
                f"a worker process could not start: {problem}; a method of your own must live in a module that can be "
                "imported, not in a script or a notebook"
            )

    def ask(self, task: object) -> Any:
        """Return the child's answer; raise the error of a broken pipe if the child dies."""
        try:
            # Pickled as a whole before a byte is written: half a task would corrupt the pipe for the next one.
            data = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        except UNPICKLABLE as error:
            raise UsageError(f"a page must be bytes or str to be sent to a worker process: {error}") from error
        self._write(data)
        return pickle.load(self._out)

    def close(self) -> int:
        """End the child, close its pipes and return its exit status."""
        self.process.kill()  # a child that has already ended keeps its status
        for pipe in (self._in, self._out):
            pipe.close()
        return self.process.wait()

    def _write(self, data: bytes) -> None:
        # Without the buffer, where bytes for a dead child would stay and fail again on close.
        view = memoryview(data)
        while view:
            view = view[os.write(self._in.fileno(), view) :]
