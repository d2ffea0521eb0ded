"""`dehusk serve` with workers in which certain words make a page hang, die or eat memory."""

import os
import signal
import sys
import time

from dehusk.batch import Outcome
from dehusk.cli import main
from dehusk.config import Limits
from dehusk.serve import service, work
from dehusk.serve.work import Refusal, Task


def answer(limits: Limits, task: Task) -> Outcome | Refusal:
    """Do what the page says, or what any worker does."""
    words = task.page.data if isinstance(task.page.data, bytes) else task.page.data.encode()
    if b"hangs" in words:
        while True:
            pass
    if b"naps" in words:
        time.sleep(1)
    if b"dies" in words:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"swells" in words:
        bytearray(10_000_000_000)
    if b"raises" in words:
        raise KeyError("planted")
    return work.answer(limits, task)


if __name__ == "__main__":
    setattr(service, "work", sys.modules["__main__"])  # noqa: B010  (mypy)
    sys.modules["__main__"].__name__ = "tests.helpers.planted_service"
    main()
