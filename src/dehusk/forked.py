"""One task in a copy of this process, under the limits of the pool: for a command that has a single page.

A copy takes a millisecond or two, where a worker of the pool has to start Python and import everything again.
"""

import os
import pickle
import signal
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from dehusk.config import Limits
from dehusk.worker import answer, cause_of_death, limit_memory, limit_time

if TYPE_CHECKING:
    from dehusk.pool import Setup


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


def run(setup: "Setup", task: object, limits: Limits) -> Any:
    """Return what a function answers to a task, or a string that says why it does not."""
    if is_safe():
        module, name, state = setup
        return _in_copy(getattr(import_module(module), name), state, task, limits)
    from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and rarely needed)

    with Pool(setup, 1, limits) as pool:
        return next(found for _, found in pool.map([task]))


def _in_copy(function: Any, state: object, task: object, limits: Limits) -> Any:
    reader, writer = os.pipe()
    child = 0
    try:
        child = os.fork()
        if not child:
            _answer(writer, function, state, task, limits)
        os.close(writer)
        with os.fdopen(reader, "rb") as file:
            data = file.read()
    except OSError as error:  # of `fork`: no more processes, no more memory
        os.close(reader)
        os.close(writer)
        return f"no process could start: {error.strerror}"
    finally:  # after Ctrl-C, too
        status = _ended(child) if child else 0
    return pickle.loads(data) if data else cause_of_death(status, limits.seconds, limits.memory)


def _ended(child: int) -> int:
    """End the copy and return its exit status; one that has already ended keeps its own."""
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _answer(writer: int, function: Any, state: object, task: object, limits: Limits) -> NoReturn:
    """Run in the copy: send the answer and end, without a word and without what is in the buffers of the original."""
    status = 1
    with suppress(BaseException):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the original, which ends the copy
        _redirect_streams()
        limit_memory(limits.memory)
        limit_time(limits.seconds)
        found = answer(function, state, task)
        limit_time(0)
        _write(writer, pickle.dumps(found, pickle.HIGHEST_PROTOCOL))
        status = 0
    os._exit(status)


def _redirect_streams() -> None:
    """Have what a method prints go to standard error, and what it reads come from nowhere, as in a worker."""
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr
    os.dup2(sys.stdin.fileno(), 0)
    with suppress(OSError):  # which is closed
        os.dup2(2, 1)


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
