"""Child processes that run inputs: one that dies is replaced, and its death becomes a failure of its input."""

import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Self

from fuzz import limits
from fuzz.execution import METHODS, Failure, Outcome
from fuzz.tasks import Answer, Given, Made

WORKER: Final = (sys.executable, "-m", "fuzz.worker")


class Child:
    """One worker at a time, started on demand."""

    def __init__(self, seeds: Path, command: Sequence[str] = WORKER, wall_seconds: float = limits.WALL_SECONDS) -> None:
        self._seeds, self._command, self._wall_seconds = seeds, tuple(command), wall_seconds
        self._process: subprocess.Popen[bytes] | None = None
        descriptor, name = tempfile.mkstemp(prefix="dehusk-fuzz-")
        os.close(descriptor)
        self._stage = Path(name)
        self._reached = 0.0  # CPU time of the worker at its last answer
        self.seconds = 0.0  # CPU time of all workers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()
        self._stage.unlink(missing_ok=True)

    def ask(self, task: Made | Given) -> Answer:
        """Return the answer of the worker; if it dies, an answer with that failure alone."""
        self._process = self._process or self._started()
        try:
            self._send(self._process, task)
            answer: Answer = self._receive(self._process)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError, TimeoutError) as error:
            return self._death(task, error)
        self.seconds += answer.seconds - self._reached
        self._reached = answer.seconds
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        process = subprocess.Popen(
            [*self._command, str(self._seeds), str(self._stage)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the parent
        )
        try:
            self._receive(process)
        except (EOFError, TimeoutError) as error:
            process.kill()
            raise RuntimeError(
                f"the worker {' '.join(self._command)} did not start (status {process.wait()})"
            ) from error
        self._reached = 0.0
        return process

    def _send(self, process: subprocess.Popen[bytes], task: object) -> None:
        assert process.stdin
        view = memoryview(pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
        while view:  # without the buffer, where bytes for a dead child would stay
            view = view[os.write(process.stdin.fileno(), view) :]

    def _receive(self, process: subprocess.Popen[bytes]) -> Any:
        assert process.stdout
        # The child says nothing unless asked, so no byte of an answer can be in the buffer already.
        ready, _, _ = select.select([process.stdout], [], [], self._wall_seconds)
        if not ready:
            raise TimeoutError
        return pickle.load(process.stdout)

    def _death(self, task: Made | Given, error: Exception) -> Answer:
        status = self._end(kill=isinstance(error, TimeoutError))
        method, _, stage = self._stage.read_bytes().decode("utf-8", "replace").strip().partition(" ")
        name, message = _cause(status, error)
        failure = Failure(name, method, stage, "", message)
        size = len(task.case.data) if isinstance(task, Given) else 0
        # The other methods were not run, and are not counted.
        outcome = Outcome(method if method in METHODS else METHODS[0], failures=[failure])
        return Answer(size, [outcome], 0.0)

    def _end(self, *, kill: bool = True) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        if kill:
            process.kill()
        for pipe in (process.stdin, process.stdout):
            assert pipe
            pipe.close()
        return process.wait()


def _cause(status: int, error: Exception) -> tuple[str, str]:
    """Return the name of what a worker died of, and a message."""
    if isinstance(error, TimeoutError):
        return "no_hang", "the worker waited without an answer"
    if status == -signal.SIGPROF:
        return "no_hang", "the worker was ended after its CPU time"
    name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
    return "no_crash", f"the worker died: {name}"
