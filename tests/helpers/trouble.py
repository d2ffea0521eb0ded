"""What tests make worker processes do; a module that imports little, so that a worker starts fast."""

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from dehusk import Source


def answer(state: object, task: str) -> tuple[object, ...]:
    """Do what the task says, and return it with the process it was done in."""
    match task.split():
        case ["wait", seconds]:
            time.sleep(float(seconds))
        case ["meet", folder, number]:
            Path(folder, number).touch()
            while not Path(folder, "10"[int(number)]).exists():
                time.sleep(0.01)
        case ["exit", status]:
            os._exit(int(status))
        case ["killed"]:
            os.kill(os.getpid(), signal.SIGKILL)
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


def page_answer(state: object, source: Source) -> tuple[str, str, bool]:
    """Answer for a page as its text tells."""
    if source.data == "exit":
        os._exit(3)
    if source.data == "sleep":
        time.sleep(9999)
    return str(source.data).upper(), "", False
