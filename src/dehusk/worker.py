"""The program that the worker processes of `pool` run, by the protocol of `child`; and the limits of a process."""

import contextlib
import errno
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, TypeVar

from dehusk.child import own_streams, read_task, send_answer
from dehusk.reasons import Code, Reason

Task = TypeVar("Task")
Answer = TypeVar("Answer")
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def main() -> None:
    """Answer tasks until the input ends."""
    tasks, answers = own_streams()
    # The parent is gone, or there is no memory even for the task: the parent sees the end of the pipe, that is enough.
    with contextlib.suppress(EOFError, BrokenPipeError, MemoryError):
        _serve(tasks, answers)
    os._exit(0)  # without another attempt to write what is still in a buffer


def _serve(tasks: BinaryIO, answers: int) -> None:
    function: Callable[[Any], Any]
    setup = read_task(tasks)
    try:
        function, seconds, memory = pickle.loads(setup)
        limit_memory(memory)
    except Exception as error:
        send_answer(answers, Reason(Code.FAILED, f"{type(error).__name__}: {error}"))
        return
    send_answer(answers, None)
    process = os.getpid()
    while True:
        task = read_task(tasks)
        limit_time(seconds)
        outcome = answer(lambda data: function(pickle.loads(data)), task)
        limit_time(0)
        if os.getpid() != process:  # a copy that the function made, which must not answer too
            os._exit(0)
        send_answer(answers, outcome)


def answer(function: Callable[[Task], Answer], task: Task) -> Answer | Reason:
    """Return what a function returns; its error is an answer too, a `Reason`, so that one page never stops a run."""
    try:
        return function(task)
    except MemoryError:
        return Reason(Code.OUT_OF_MEMORY)
    except (Exception, SystemExit) as error:  # the code of others may call sys.exit
        full = isinstance(error, OSError) and error.errno in FULL
        return Reason(Code.NO_SPACE if full else Code.FAILED, f"{type(error).__name__}: {error}")


def limit_time(seconds: float) -> None:
    """Have the system end this process after so many seconds, whatever code it is stuck in; 0 lifts the limit."""
    if sys.platform != "win32":  # which has neither this limit nor the next
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


@contextlib.contextmanager
def untimed() -> Iterator[None]:
    """Stop the clock of `limit_time` for a while."""
    if sys.platform == "win32":
        yield
        return
    left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)


def limit_memory(limit: int) -> None:
    """Have every request of this process for memory beyond so many bytes fail."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError, OSError):  # macOS refuses what it does not support
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
