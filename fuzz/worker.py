"""The child process of the page fuzzer, `python -m fuzz.worker SEEDS STAGE`: answers one pickled task after another.

STAGE is a file in which the child writes what it is about to do; if it dies, the parent reads it there.
"""

import os
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

from fuzz import limits, seeds
from fuzz.execution import Runner, requests
from fuzz.mutations import make
from fuzz.tasks import Answer, Given, Made

STAGE_BYTES: Final = 80


def main(arguments: Sequence[str]) -> None:
    """Answer tasks until the input ends."""
    pages, stage = seeds.read(Path(arguments[0])), os.open(arguments[1], os.O_WRONLY)
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what a method prints must not mix with the answers
    runner = Runner(lambda text: _note(stage, text))
    runner.warm_up(seeds.golden_pages()[:2])
    limits.limit_memory()
    _send(answers, None)
    while True:
        try:
            task: Made | Given = pickle.load(tasks)
        except EOFError:
            return
        _send(answers, answer(runner, pages, task))


def answer(runner: Runner, pages: Sequence[bytes], task: Made | Given) -> Answer:
    """Return what became of a task."""
    if isinstance(task, Made):
        case, wanted = make(pages, task.seed, task.index), requests(task.seed, task.index)
    else:
        case, wanted = task.case, list(task.requests)
    limits.limit_time(len(case.data))
    outcomes = runner.run(case, wanted)
    times = os.times()
    return Answer(len(case.data), outcomes, times.user + times.system)


def _note(stage: int, text: str) -> None:
    os.pwrite(stage, text.encode()[:STAGE_BYTES].ljust(STAGE_BYTES), 0)


def _send(answers: BinaryIO, message: object) -> None:
    pickle.dump(message, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
