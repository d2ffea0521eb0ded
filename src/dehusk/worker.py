"""The program that a worker process of `pool` runs: reads tasks from its input, writes answers to its output."""

import contextlib
import os
import pickle
import sys
from importlib import import_module
from typing import Any, BinaryIO


def main() -> None:
    """Answer tasks until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a method prints must not get between the answers
    function, state = _set_up(sys.stdin.buffer, answers)
    while True:
        try:
            task = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        _send(answers, _outcome(function, state, task))


def _set_up(tasks: BinaryIO, answers: BinaryIO) -> tuple[Any, Any]:
    """Read which function to run and with what, and answer with what went wrong, or None."""
    try:
        (module, name, state), memory = pickle.load(tasks)
        _limit_memory(memory)
        function = getattr(import_module(module), name)
    except Exception as error:
        _send(answers, f"{type(error).__name__}: {error}")
        raise
    _send(answers, None)
    return function, state


def _outcome(function: Any, state: Any, task: Any) -> Any:
    """Return the answer; an error of the function is an answer too, so that one page never stops a run."""
    try:
        return function(state, task)
    except MemoryError:
        return "out of memory"
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}"


def _limit_memory(limit: int) -> None:
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _send(answers: BinaryIO, answer: object) -> None:
    pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


if __name__ == "__main__":
    main()
