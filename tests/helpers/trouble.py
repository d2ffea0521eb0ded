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


def page_answer(state: object, source: Source) -> tuple[str, str, bool]:
    """Answer for a page as its text tells."""
    if source.data == "exit":
        os._exit(3)
    if source.data == "sleep":
        time.sleep(9999)
    return str(source.data).upper(), "", False
