"""The program that the worker processes of `pool` run: it reads tasks from its input, writes answers to its output."""

import contextlib
import os
import pickle
import signal
import sys
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple


class _Work(NamedTuple):
    """What to do: the function, its state, and the seconds that a task may take."""

    function: Any
    state: Any
    seconds: float


def main() -> None:
    """Answer tasks until the input ends."""
    # What a method prints or reads must not mix with the tasks and the answers.
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # The parent is gone, or there is no memory even for the task: the parent sees the end of the pipe, that is enough.
    with contextlib.suppress(EOFError, BrokenPipeError, MemoryError):
        work = _set_up(tasks, answers)
        while work:
            _send(answers, _outcome(work, pickle.load(tasks)))
    os._exit(0)  # without another attempt to write what is still in a buffer


def _set_up(tasks: BinaryIO, answers: BinaryIO) -> _Work | None:
    """Read what to do, and answer with what went wrong or None."""
    try:
        (module, name, state), seconds, memory = pickle.load(tasks)
        limit_memory(memory)
        work = _Work(getattr(import_module(module), name), state, seconds)
    except Exception as error:
        _send(answers, f"{type(error).__name__}: {error}")
        return None
    _send(answers, None)
    return work


def _outcome(work: _Work, task: Any) -> Any:
    limit_time(work.seconds)
    try:
        return answer(work.function, work.state, task)
    finally:
        limit_time(0)


def answer(function: Any, state: Any, task: Any) -> Any:
    """Return what a function returns; its error is an answer too, a string, so that one page never stops a run."""
    try:
        return function(state, task)
    except MemoryError:
        return "out of memory"
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}"


def limit_time(seconds: float) -> None:
    """Have the system end this process after so many seconds, whatever code it is stuck in; 0 lifts the limit."""
    if sys.platform != "win32":  # which has neither this limit nor the next
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def limit_memory(limit: int) -> None:
    """Have every request of this process for memory beyond so many bytes fail."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError, OSError):  # macOS refuses what it does not support
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def cause_of_death(status: int, seconds: float, memory: int) -> str:
    """Return why a process under these limits ended without an answer.

    >>> cause_of_death(-9, 30, 3_000_000_000)
    'its worker died (exit status -9), perhaps over 3 GB of memory'
    """
    if sys.platform != "win32" and status == -signal.SIGALRM:
        return f"took longer than {seconds:g} s"
    return f"its worker died (exit status {status}), perhaps over {memory / 1e9:g} GB of memory"


def _send(answers: BinaryIO, message: object) -> None:
    pickle.dump(message, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


if __name__ == "__main__":
    main()
