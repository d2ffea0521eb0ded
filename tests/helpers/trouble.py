"""What worker processes are made to do in the tests; a module that imports little, so that a worker starts fast."""

import os
import signal
import sys
import time
from dataclasses import dataclass


def answer(state: object, task: str) -> tuple[object, ...]:
    """Do what the task says, and return it with the process it was done in."""
    match task.split():
        case ["wait", seconds]:
            time.sleep(float(seconds))
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
