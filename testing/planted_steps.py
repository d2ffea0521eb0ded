"""A worker of a corpus in which certain pages make a step raise, sleep or kill its process."""

import errno
import os
import signal
import time
from pathlib import Path
from typing import Any

from dehusk.corpus import steps, work
from dehusk.corpus.case import Case
from dehusk.corpus.settings import Settings
from dehusk.corpus.tasks import PartTask

CHAIN = steps.CHAIN


def planted(case: Case, settings: Settings) -> Case:
    """Misbehave, depending on the address of the page."""
    url = case.page.url or ""
    if url.endswith("fault.example/raise"):
        raise KeyError(url)
    if url.endswith("fault.example/sleep"):
        time.sleep(3600)
    if url.endswith("fault.example/alarm"):  # as if its time were over
        os.kill(os.getpid(), signal.SIGALRM)
    if url.endswith("fault.example/kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if url.endswith("fault.example/swell"):
        return case.with_columns(title="x" * 10_000_000_000)
    return case


def perform(state: Any, task: Any) -> Any:
    """Run in a worker."""
    setattr(steps, "CHAIN", (steps.CorpusStep("planted", planted), *CHAIN))  # noqa: B010  (mypy)
    return work.perform(state, task)


def dying(state: Any, task: Any) -> Any:
    """Run in a worker that dies once: before the first record of part 3, or when it has finished it."""
    moment, _, path = os.environ["DYING_MOMENT"].rpartition(" ")
    first_time = isinstance(task, PartTask) and task.part.number == 3 and not Path(path).exists()
    if first_time and moment == "before the first record":
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    answer = work.perform(state, task)
    if first_time:
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return answer


def full(state: Any, task: Any) -> Any:
    """Run in a worker that finds no space: for parts, or for shards only."""
    if isinstance(task, PartTask) is (os.environ["FULL_STEP"] == "parts"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return work.perform(state, task)


def slow(state: Any, task: Any) -> Any:
    """Run in a worker that takes half a second for each record."""

    def late(case: Case, settings: Settings) -> Case:
        time.sleep(0.5)
        return case

    setattr(steps, "CHAIN", (steps.CorpusStep("late", late), *CHAIN))  # noqa: B010  (mypy)
    return work.perform(state, task)


def killing_task(state: Any, task: Any) -> Any:
    """Run in a worker that kills the task which started it, whenever it is to process part 3."""
    if isinstance(task, PartTask) and task.part.number == 3 and not task.lost:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(3600)
    return work.perform(state, task)


def held(state: Any, task: Any) -> Any:
    """Run in a worker that waits before a part, and those after it, until there is a file, or nobody to answer."""
    number, path = os.environ["HELD_PART"].split(maxsplit=1)
    parent = os.getppid()
    while isinstance(task, PartTask) and task.part.number >= int(number) and not Path(path).exists():
        if os.getppid() != parent:
            os._exit(1)
        time.sleep(0.02)
    return work.perform(state, task)
