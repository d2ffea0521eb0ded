"""The archive fuzzer: `python -m fuzz.archives --minutes 10 --jobs 2`. It goes on where it stopped: fuzz/README.md."""

import argparse
import contextlib
import io
import json
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, Final, Self

from fuzz import archive_changes, archive_real, limits
from fuzz.archive_cases import ArchiveCase
from fuzz.archive_checks import INVARIANTS, parts_are_the_whole, read
from fuzz.campaign import ROOT
from fuzz.invariants import InvariantError

FOLDER: Final = ROOT / "build" / "fuzz" / "archives"
SECONDS: Final = 10.0
MEMORY: Final = 1_000_000_000
BLOCK: Final = 1_000  # executions of one process


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one case."""

    index: int
    check: str
    message: str
    case: str = ""

    @property
    def key(self) -> str:
        """What problems of the same cause are likely to have in common."""
        archive, _, changes = self.case.partition(" · ")
        return f"{self.check} · {archive} · {changes if ',' not in changes else 'several'}"


# Seeds from here on are of real archives.
REAL: Final = 10**9


def make(seed: int, index: int) -> ArchiveCase:
    """Return a case: one that is made, or of a real archive."""
    return archive_real.make(seed, index) if seed >= REAL else archive_changes.make(seed, index)


# One case, in this process.


def problem_of(case: ArchiveCase, folder: Path, random: Random) -> tuple[str, str]:
    """Return which check a case fails, and how; ("", "") if none."""
    path = folder / case.name
    path.write_bytes(case.data)
    for name, data in case.beside.items():
        (folder / name).write_bytes(data)
    name = "no_error"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            reading = read(path)
            for invariant in INVARIANTS:
                name = invariant.__name__
                invariant(case, reading)
            name = "parts_are_the_whole"
            parts_are_the_whole(path, reading, random)
    except InvariantError as error:
        return name, str(error)
    except Exception as error:
        is_zip = case.needs_directory or case.data.startswith(b"PK")
        if isinstance(error, OSError) and is_zip and not case.is_sound:
            return "", ""  # a corpus reports the whole file as a gap
        return "no_error", f"{type(error).__name__}: {error}"
    finally:
        for each in (case.name, *case.beside):
            (folder / each).unlink(missing_ok=True)
    return "", ""


def described(case: ArchiveCase) -> str:
    """Return what a case is, in words."""
    return f"{case.kind}{case.pack} · {', '.join(case.changes) or 'sound'}"


def run_cases(seed: int, start: int, count: int) -> None:
    """Run some cases; print one line per problem and at the end what they took. Ends itself if one hangs."""
    limits.limit_memory(MEMORY)
    worst = 0.0
    meter = limits.Meter()
    meter.start()
    with tempfile.TemporaryDirectory(prefix="dehusk-archives-") as name:
        for index in range(start, start + count):
            print(json.dumps({"index": index}), flush=True)
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            began = time.process_time()
            case = make(seed, index)
            check, message = problem_of(case, Path(name), Random(index))
            worst = max(worst, time.process_time() - began)
            if check:
                problem = Problem(index, check, message[:600], described(case))
                print(json.dumps({"problem": asdict(problem)}), flush=True)
        signal.setitimer(signal.ITIMER_REAL, 0)
    print(json.dumps({"seconds": worst, "memory": meter.peak()}), flush=True)


# A campaign, in processes.


@dataclass(slots=True)
class State:
    """What a campaign has done so far."""

    seed: int
    next: int = 0
    executions: int = 0
    seconds: float = 0.0  # of the slowest case
    memory: int = 0  # of the process that took most, above what it began with
    problems: dict[str, int] = field(default_factory=dict)  # occurrences by key

    def save(self, folder: Path) -> None:
        """Replace the file as a whole."""
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / "state.part"
        part.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        part.replace(folder / "state.json")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the state in a folder."""
        return cls(**json.loads((folder / "state.json").read_text(encoding="utf-8")))


@dataclass(slots=True)
class Block:
    """Cases that were run by one process, or by several if it died."""

    start: int
    count: int
    problems: list[Problem] = field(default_factory=list)
    seconds: float = 0.0
    memory: int = 0


def run_block(seed: int, start: int, count: int) -> Block:
    """Run cases in a process of their own; one at which it dies has that for a problem."""
    block = Block(start, count)
    index, end = start, start + count
    while index < end:
        command = [sys.executable, "-m", "fuzz.archives", "--cases", str(index), str(end - index), "--seed", str(seed)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True)
        output, errors = process.communicate()
        lines: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines() if line.endswith("}")]
        block.problems += [Problem(**line["problem"]) for line in lines if "problem" in line]
        last = lines[-1] if lines else {}
        if "seconds" in last:
            block.seconds, block.memory = max(block.seconds, last["seconds"]), max(block.memory, last["memory"])
            break
        index = next((line["index"] for line in reversed(lines) if "index" in line), index)
        block.problems.append(_death(seed, index, process.returncode, errors))
        index += 1
    return block


def _death(seed: int, index: int, status: int, errors: str) -> Problem:
    name = "no_hang" if status == -signal.SIGALRM else "no_crash"
    return Problem(index, name, f"status {status}: {errors[-300:]}", described(make(seed, index)))


def campaign(state: State, folder: Path, jobs: int, seconds: float, executions: float) -> None:
    """Run blocks until the time is over."""
    deadline, most = time.monotonic() + seconds, state.executions + executions
    with ThreadPoolExecutor(jobs) as pool:
        while time.monotonic() < deadline and state.executions < most:
            size = int(min(BLOCK, max(1, (most - state.executions) / jobs)))
            starts = [state.next + number * size for number in range(jobs)]
            for block in pool.map(run_block, repeat(state.seed), starts, repeat(size)):
                _add(state, block, folder)
            state.next += jobs * size
            state.save(folder)
            print(f"{state.executions:,} executions, {sum(state.problems.values())} problems", file=sys.stderr)


def _add(state: State, block: Block, folder: Path) -> None:
    state.executions += block.count
    state.seconds, state.memory = max(state.seconds, block.seconds), max(state.memory, block.memory)
    for problem in block.problems:
        if problem.key not in state.problems:
            save(state.seed, problem, folder)
        state.problems[problem.key] = state.problems.get(problem.key, 0) + 1


# Failures.


def save(seed: int, problem: Problem, folder: Path) -> None:
    """Write a case that fails, with as few frames as possible, and what is wrong with it."""
    case = make(seed, problem.index)
    message = problem.message
    if problem.check not in ("no_hang", "no_crash"):
        case, message = smallest(case, problem)
    target = folder / "failures" / f"{problem.check}-{problem.index}"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name, data in {case.name: case.data, **case.beside}.items():
        (target / name).write_bytes(data)
    facts = {
        **asdict(problem),
        "message": message,
        "replay": f"python -m fuzz.archives --seed {seed} --replay {problem.index}",
    }
    (target / "problem.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def smallest(case: ArchiveCase, problem: Problem) -> tuple[ArchiveCase, str]:
    """Return a case with as few frames as still fail in the same way, and what is wrong with that."""
    message = problem.message
    with tempfile.TemporaryDirectory(prefix="dehusk-archives-") as folder:
        for smaller, keep in _smaller(case):
            check, said = problem_of(smaller, Path(folder), Random(problem.index))
            if check == problem.check:
                case, message = smaller, said
                keep()
    return case, message


def _smaller(case: ArchiveCase) -> Iterator[tuple[ArchiveCase, Callable[[], None]]]:
    """Yield cases with one frame less each; the call that comes with one keeps it."""
    frames = list(case.frames)
    number = 0
    while number < len(frames) and len(frames) > 1:
        kept: list[bool] = []
        yield replace(case, frames=(*frames[:number], *frames[number + 1 :])), lambda kept=kept: kept.append(True)  # type: ignore[misc]
        if kept:
            del frames[number]
        else:
            number += 1


def summary(state: State) -> str:
    """Return what a campaign found."""
    total, kinds = sum(state.problems.values()), len(state.problems)
    lines = [
        f"{state.executions:,} executions, seed {state.seed}: {total} problems of {kinds} kinds; "
        f"slowest {state.seconds:.2f} s, most memory {state.memory / 1e6:.0f} MB"
    ]
    return "\n".join([*lines, *(f"{count:6}  {key}" for key, count in Counter(state.problems).most_common())])


def replay(seed: int, index: int) -> int:
    """Run one case and print what is wrong with it."""
    case = make(seed, index)
    print(described(case), [(len(frame.data), len(frame.known), frame.is_touched) for frame in case.frames])
    with tempfile.TemporaryDirectory(prefix="dehusk-archives-") as folder:
        check, message = problem_of(case, Path(folder), Random(index))
    print(f"{check}: {message}" if check else "nothing is wrong")
    return bool(check)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as asked; the exit status is 1 if anything was found."""
    options = _parser().parse_args(arguments)
    if options.cases:
        run_cases(options.seed, *options.cases)
        return 0
    if options.replay is not None:
        return replay(options.seed, options.replay)
    if options.fresh:
        shutil.rmtree(options.folder, ignore_errors=True)
    is_new = not (options.folder / "state.json").exists()
    seed = REAL * options.real + secrets.randbelow(REAL) if options.seed is None else options.seed
    state = State(seed) if is_new else State.load(options.folder)
    print(f"seed {state.seed}, from case {state.next}", file=sys.stderr)
    campaign(state, options.folder, options.jobs, options.minutes * 60, options.executions)
    print(summary(state))
    return 1 if state.problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz.archives", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--executions", type=float, default=float("inf"), help="or up to this many more executions")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, help="of a new campaign; drawn if not given")
    parser.add_argument("--real", action="store_true", help="change the real archives in DEHUSK_DATA")
    parser.add_argument("--fresh", action="store_true", help="forget the campaign in the folder and its failures")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="state and failures  [build/fuzz/archives]")
    parser.add_argument("--replay", type=int, metavar="INDEX", help="run one case of a seed")
    parser.add_argument("--cases", type=int, nargs=2, metavar=("INDEX", "COUNT"), help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
