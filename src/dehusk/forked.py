"""One task in a copy of this process, under the limits of the pool: for a command that has a single page.

A copy takes a millisecond or two, where a worker of the pool has to start Python and import everything again.
"""

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeVar, cast

from dehusk.child import Child, EndedError, redirect_streams, send_answer
from dehusk.config import Limits
from dehusk.reasons import Code, Reason
from dehusk.worker import answer, limit_memory, limit_time

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def is_safe() -> bool:
    """Return whether this process can be copied: it must have one thread, and the system must allow for it.

    macOS does not: its libraries for linear algebra may crash in a copy.
    """
    if not hasattr(os, "fork") or sys.platform == "darwin" or threading.active_count() > 1:
        return False
    try:  # Other threads are those of libraries, which Python does not know.
        return sys.platform != "linux" or len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


def run(function: Callable[[Task], Answer], task: Task, limits: Limits) -> Answer | Reason:
    """Return what a function answers to a task, or the `Reason` why it does not."""
    if is_safe():
        return _run_in_copy(function, task, limits)
    from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and rarely needed)

    with Pool(function, 1, limits) as pool:
        return next(result for _, result in pool.map([task]))


def _run_in_copy(function: Callable[[Task], Answer], task: Task, limits: Limits) -> Answer | Reason:
    reader, writer = os.pipe()
    copy = _Copy()
    child = Child(copy, os.fdopen(reader, "rb", 0))
    try:
        child.pid = copy.pid = os.fork()
        if not child.pid:
            _answer(writer, function, task, limits)
        os.close(writer)
        return cast("Answer | Reason", child.exchange(b"", limits.seconds, limits.memory))
    except EndedError as error:
        return error.reason
    except OSError as error:  # of `fork`: no more processes, no more memory
        child.close_pipes()
        os.close(writer)
        return Reason(Code.NO_WORKER, str(error.strerror))
    finally:  # after Ctrl-C, too
        if child.pid:
            child.end()


@dataclass
class _Copy:
    pid: int = 0

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _answer(writer: int, function: Callable[[Task], Answer], task: Task, limits: Limits) -> NoReturn:
    """Run in the copy: send the answer and end, without a word and without what is in the buffers of the original."""
    status = 1
    with suppress(BaseException):
        os.setsid()  # Ctrl-C is for the original, which ends the copy
        sys.stdin, sys.stdout = Path(os.devnull).open(encoding="utf-8"), sys.stderr  # noqa: SIM115
        redirect_streams()
        limit_memory(limits.memory)
        limit_time(limits.seconds)
        outcome = answer(function, task)
        limit_time(0)
        send_answer(writer, outcome)
        status = 0
    os._exit(status)
