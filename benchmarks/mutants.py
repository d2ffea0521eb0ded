"""Mutants: small faults put into the source one at a time, each of which some test must notice.

`mutants.toml` is the list: by module, the tests that must fail, and pairs of a piece of source and the fault that takes
its place; the piece must occur exactly once. Each mutant runs in a copy of `src`: the working tree is never changed.
Prints every mutant that no test notices, and fails if there is one.

Mutation testers such as mutmut and cosmic-ray make thousands of mutants of whole modules, many of them equivalent, and
take hours; a fixed list takes minutes and says the same thing each time.
"""

import argparse
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

ROOT: Final = Path(__file__).parents[1]
LIST: Final = Path(__file__).with_suffix(".toml")
SECONDS: Final = 180.0  # for the tests of one mutant; a fault that makes them hang was noticed
PYTEST: Final = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not training")
T = TypeVar("T")
PASSED, FAILED = 0, 1  # exit statuses of pytest; others mean that it could not run the tests


class Mutant(NamedTuple):
    """A fault in a module, and the tests that must notice it."""

    module: str  # its path in src/dehusk
    before: str
    after: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.module}: {self.before} → {self.after}"

    def applied(self, source: str) -> str:
        """Return the source of the module with the fault; raise ValueError unless it applies exactly once."""
        if (count := source.count(self.before)) != 1:
            raise ValueError(f"the mutant no longer applies: {self} (its source occurs {count} times, expected once)")
        return source.replace(self.before, self.after)


class Outcome(NamedTuple):
    """What became of a mutant."""

    mutant: Mutant
    end: str  # "killed", "timed out" or "survived"
    seconds: float

    @property
    def survived(self) -> bool:
        """Whether no test noticed the fault."""
        return self.end == "survived"


class Copy:
    """A copy of `src` in which mutants are tried, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.output = folder, folder / "output.txt"  # of the tests that ran last
        shutil.copytree(ROOT / "src", folder / "src")

    def outcome(self, mutant: Mutant) -> Outcome:
        """Return what the tests of a mutant say about it."""
        path, began = self.folder / "src/dehusk" / mutant.module, time.monotonic()
        source = path.read_text(encoding="utf-8")
        try:
            _replace(path, mutant.applied(source))
            status = self.status(mutant.tests)
        finally:
            _replace(path, source)
        if status not in (PASSED, FAILED, None):
            raise RuntimeError(f"{mutant}: pytest ended with status {status}:\n{self._output()}")
        end = {PASSED: "survived", FAILED: "killed", None: "timed out"}[status]
        return Outcome(mutant, end, time.monotonic() - began)

    def check(self, tests: Sequence[str]) -> None:
        """Raise RuntimeError unless tests pass without a fault."""
        if self.status(tests, len(tests) * SECONDS) != PASSED:
            raise RuntimeError(f"the tests fail without a mutant, too:\n{self._output()}")

    def _output(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def status(self, tests: Sequence[str], seconds: float = SECONDS) -> int | None:
        """Return the exit status of tests against the copy, None if they took too long."""
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(self.folder / "src"), str(ROOT))),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / "hypothesis"),  # no failed example stays for later runs
            "TMPDIR": str(self.folder),
        }
        # Examples in docstrings are those of the copy.
        paths = [str(self.folder / test) if test.startswith("src/") else test for test in tests]
        # Few characters before what is in it: messages cut paths that are long.
        folders = "--basetemp", str(self.folder / "t"), "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml")
        command = [sys.executable, *PYTEST, *folders, *paths]
        # A session of its own, since tests start processes that have to end with them.
        with self.output.open("wb") as file:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
            )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def mutants(path: Path = LIST) -> list[Mutant]:
    """Return the mutants of the list."""
    return [
        Mutant(module, before, after, tuple(entry["tests"]))
        for module, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for before, after in entry["mutants"]
    ]


def outcomes(chosen: Sequence[Mutant], processes: int = 2) -> Iterator[Outcome]:
    """Yield what becomes of mutants, in the order in which their tests end.

    Raises RuntimeError if their tests fail without any fault: then they would say nothing.
    """
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch, ThreadPoolExecutor(processes) as pool:
        copies: queue.SimpleQueue[Copy] = queue.SimpleQueue()
        for number in range(processes):
            copies.put(Copy(Path(scratch, str(number))))

        def in_a_copy(call: Callable[[Copy], T]) -> T:
            copy = copies.get()
            try:
                return call(copy)
            finally:
                copies.put(copy)

        tests = sorted({test for mutant in chosen for test in mutant.tests})
        shares = [tests[first::processes] for first in range(min(processes, len(tests)))]
        list(pool.map(in_a_copy, [partial(Copy.check, tests=share) for share in shares]))
        tasks = [pool.submit(in_a_copy, partial(Copy.outcome, mutant=mutant)) for mutant in chosen]
        try:
            for task in as_completed(tasks):
                yield task.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _replace(path: Path, source: str) -> None:
    """Write a module and remove its bytecode, which Python takes for valid if size and second are the same."""
    path.write_text(source, encoding="utf-8")
    for bytecode in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        bytecode.unlink()


def main() -> int:
    """Run the mutants, all or those of the modules named, and return 1 if one survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", nargs="*", help="a part of the path of a module, such as selection/")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = [each for each in mutants() if not options.module or any(part in each.module for part in options.module)]
    for mutant in chosen:
        mutant.applied((ROOT / "src/dehusk" / mutant.module).read_text(encoding="utf-8"))
    began, survivors = time.monotonic(), []
    for done, outcome in enumerate(outcomes(chosen, options.jobs), start=1):
        print(f"{done:3}/{len(chosen)} {outcome.end:9} {outcome.seconds:5.1f} s  {outcome.mutant}", flush=True)
        survivors += [outcome.mutant] if outcome.survived else []
    print(f"{len(chosen)} mutants, {len(survivors)} survived, {time.monotonic() - began:.0f} s")
    for mutant in survivors:
        print(f"survived: {mutant} (tests: {' '.join(mutant.tests)})")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
