"""What tests make worker processes do; a module that imports little, so that a worker starts fast."""

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from dehusk import Source


def answer(state: object, task: str) -> tuple[object, ...]:  # noqa: C901, PLR0912  (a table of what can happen)
    """Do what the task says, and return it with the process it was done in; the state is only loaded."""
    match task.split():
        case ["wait", seconds]:
            time.sleep(float(seconds))
        case ["meet", folder, number]:
            Path(folder, number).touch()
            while not Path(folder, "10"[int(number)]).exists():
                time.sleep(0.01)
        case ["exit", status]:
            os._exit(int(status))
        case ["sys.exit", status]:
            sys.exit(int(status) if status.lstrip("-").isdigit() else status)
        case ["killed"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["stop"]:
            os.kill(os.getpid(), signal.SIGSTOP)
        case ["fork"]:  # and leave the pipes to the child
            if os.fork():
                os._exit(7)
            time.sleep(600)
        case ["swell", size]:
            bytearray(int(size))
        case ["raise", message]:
            raise ValueError(message)
        case ["print", text]:
            print(text, flush=True)  # noqa: T201
        case ["read"]:
            return (sys.stdin.read(),)
    return task, os.getpid()


@dataclass(frozen=True)
class SlowStart:
    """A state that takes its time to load, as a large model does."""

    seconds: float

    def __setstate__(self, state: dict[str, float]) -> None:
        time.sleep(state["seconds"])


@dataclass(frozen=True)
class DiesAtFirst:
    """A state whose first workers are killed while they load it, as by a system that is out of memory."""

    folder: str
    times: int

    def __setstate__(self, state: dict[str, object]) -> None:
        for number in range(int(str(state["times"]))):
            try:
                Path(str(state["folder"]), str(number)).touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class DiesUnlessFirst:
    """A state that only one worker can load, which leaves the number of its process; all others are killed."""

    folder: str

    def __setstate__(self, state: dict[str, str]) -> None:
        try:
            with Path(state["folder"], "first").open("x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class CountsItsLoads:
    """A state that counts how often it is pickled, and leaves a file for every time that it is loaded."""

    folder: str
    pickled: int = 0

    def __getstate__(self) -> str:
        self.pickled += 1
        return self.folder

    def __setstate__(self, folder: str) -> None:
        Path(folder, uuid4().hex).touch()


class Unreadable:
    """A task that can be sent, but not loaded."""

    def __reduce__(self) -> tuple[object, ...]:
        return _refuse, ()


def _refuse() -> None:
    raise ValueError("unreadable")


def fork_and_answer(task: int) -> int:
    """Return the task, in this process and in a copy of it."""
    os.fork()
    return task


def page_answer(source: Source) -> tuple[str, str, bool]:
    """Answer for a page as its text tells."""
    if source.data == "exit":
        os._exit(3)
    if source.data == "sleep":
        time.sleep(9999)
    return str(source.data).upper(), "", False
