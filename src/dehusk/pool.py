"""Pool: worker processes that may hang, run out of memory or die without harm to the pages of the others.

The workers are plain child processes (`child` has the protocol): nothing is forked, so threads are safe, and a script
that uses the pool needs no `if __name__ == "__main__"`. Each belongs to one thread, which alone starts it, talks to it
and ends it; closing the pool only kills the processes, and then waits for the threads. A worker that dies while
it starts is started again a few times; a thread without a worker leaves the tasks to the others, and the last thread
answers them with the reason, so that no task is lost. After a while the pool tries again.
"""

import atexit
import errno
import os
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, Generic, Self, TypeVar

from dehusk.child import Child, EndedError, encode
from dehusk.config import Limits
from dehusk.errors import ModelError, UsageError
from dehusk.reasons import Code, Reason

Task = TypeVar("Task")
Answer = TypeVar("Answer")
WORKER: Final = "dehusk.worker"
AHEAD: Final = 8  # waiting tasks per worker: enough to keep all busy behind one slow page
SHORTAGES: Final = (errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM)  # which may pass
# Seconds between attempts to start a worker that dies while it starts: time for the system to find memory again.
PAUSES: Final = (0.1, 0.4, 1.6)
REST: Final = 5.0  # seconds without another attempt after all of these have failed
UNPICKLABLE: Final = (pickle.PicklingError, AttributeError, TypeError)  # what pickle raises, depending on the object


class QueueFullError(Exception):
    """As many tasks as may wait are waiting."""


class NoWorkerError(Exception):
    """A worker process could not start, or died while it did; the next one may start."""

    @property
    def reason(self) -> Reason:
        """Why, as the answer to a task."""
        return Reason(Code.NO_WORKER, str(self.args[0]))

    def __str__(self) -> str:
        return str(self.reason)


class Pool(Generic[Task, Answer]):
    """Runs a function in child processes, under limits on time and memory."""

    def __init__(
        self, function: Callable[[Task], Answer], jobs: int | None, limits: Limits, waiting: int | None = None
    ) -> None:
        """Take the function, the number of child processes, by default one per core, and the limits of each.

        The function lives at the top level of a module, as does the class of any state that it needs, such as a
        `functools.partial` of one. It is sent to each worker once. `waiting` is how many
        tasks may wait for a process; by default any number.
        """
        if jobs is not None and jobs < 1:
            raise UsageError(f"jobs must be at least 1, got {jobs}", setting="jobs")
        try:
            self._setup = encode((function, limits.seconds, limits.memory))
        except UNPICKLABLE as error:
            raise ModelError(
                f"the method cannot be sent to worker processes ({error}); expected an object that can be pickled, of "
                "a class at the top level of a module; fix it, or use `extract`, which stays in this process"
            ) from error
        self._limits, self.jobs = limits, jobs or os.cpu_count() or 1
        self._most = None if waiting is None else waiting + self.jobs
        self._todo: SimpleQueue[tuple[Task, Future[Answer | Reason]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: set[Child] = set()
        self._serving = 0  # threads that take tasks
        self.unanswered = 0  # tasks that wait for a worker, or for its answer
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
                worker.signal_end()
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
    def living(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    def submit(self, task: Task) -> Future[Answer | Reason]:
        """Return the future answer to a task: a `Reason` if its worker died.

        Raises `QueueFullError` if too many tasks wait; the answer is `NoWorkerError` if no worker could start. A task
        that is cancelled while it waits is not run.
        """
        answer: Future[Answer | Reason] = Future()
        with self._lock:
            if self._closed.is_set():
                raise UsageError("the pool is closed; open another one")
            if self._most is not None and self.unanswered >= self._most:
                raise QueueFullError
            self.unanswered += 1
        answer.add_done_callback(self._count_answer)
        self._todo.put((task, answer))
        self._start_thread()
        return answer

    def _count_answer(self, _answer: object) -> None:
        with self._lock:
            self.unanswered -= 1

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Answer | Reason]]:
        """Yield each task with its answer, in order: a `Reason` if its worker died or none could start."""
        waiting: deque[tuple[Task, Future[Answer | Reason]]] = deque()
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
        worker: Child | None = None
        given_up: NoWorkerError | None = None
        while item := self._next():
            task, future = item
            try:
                if given_up and time.monotonic() < self._rest_until:
                    raise given_up
                worker = self._living(worker)
                future.set_result(worker.ask(task, self._limits.seconds, self._limits.memory))
            except EndedError as error:
                self._end(worker)
                worker = None
                future.set_result(error.reason)
            except NoWorkerError as error:
                if error is not given_up:
                    worker, given_up, self._rest_until = None, error, time.monotonic() + REST
                if self._leave_to_others():
                    self._todo.put(item)
                    return
                future.set_exception(error)
            except UNPICKLABLE as error:
                future.set_exception(UsageError(f"a page must be bytes or str to be sent to a worker process: {error}"))
            except Exception as error:
                future.set_exception(error)
        self._end(worker)

    def _next(self) -> tuple[Task, Future[Answer | Reason]] | None:
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

    def _living(self, worker: Child | None) -> Child:
        """Return the worker if it lives, else another one: one that was killed between two tasks did no harm."""
        if worker and worker.is_alive:
            return worker
        self._end(worker)
        for pause in PAUSES:
            with suppress(NoWorkerError):
                return self._start_worker()
            self._closed.wait(pause)
        return self._start_worker()

    def _start_worker(self) -> Child:
        try:
            worker = Child.start_python(WORKER)
        except OSError as error:
            if error.errno in SHORTAGES:
                raise NoWorkerError(error.strerror) from error
            raise ModelError(f"a worker process could not start: {error}; expected a Python at that path") from error
        with self._lock:
            self._workers.add(worker)
            if self._closed.is_set():
                worker.signal_end()
        try:
            problem: Reason | None = worker.exchange(self._setup, self._limits.seconds, self._limits.memory)
        except EndedError as error:
            # Killed, or out of memory: not the fault of the method, whose own errors come as an answer.
            self._end(worker)
            status, reason = error.reason.seen, error.reason
            cause = str(reason) if status is None else f"exit status {status}"
            raise NoWorkerError(f"it ended before its first page ({cause})") from None
        if problem:
            self._end(worker)
            raise ModelError(
                f"a worker process could not start: {problem.detail}; a method of your own must live in a module that "
                "can be imported, not in a script or a notebook"
            )
        return worker

    def _end(self, worker: Child | None) -> None:
        if worker:
            worker.end()
            with self._lock:
                self._workers.discard(worker)


def _cancel(answer: Future[Answer | Reason]) -> None:
    """End an answer that nobody will give, also one of which a thread without a worker had begun."""
    if not answer.cancel() and not answer.done():
        answer.set_exception(CancelledError())


def _result(answer: Future[Answer | Reason]) -> Answer | Reason:
    try:
        return answer.result()
    except NoWorkerError as error:
        return error.reason
