"""`dehusk serve` with workers in which certain words make a page hang, die or eat memory."""

import os
import signal
import time
from importlib import import_module

from dehusk.batch import Outcome
from dehusk.cli import main
from dehusk.config import Limits
from dehusk.reasons import Reason
from dehusk.serve import service, work
from dehusk.serve.work import PageTask


def answer(limits: Limits, task: PageTask) -> Outcome | Reason:
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
    # By the name under which a worker can import it.
    setattr(service, "work", import_module("testing.planted_service"))  # noqa: B010  (mypy)
    main()
