"""The fuzzer of the command line: `python -m fuzz.commands --minutes 10`; see fuzz/trials.py for what it tries."""

import argparse
import json
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from fuzz import seeds
from fuzz.campaign import ROOT
from fuzz.invariants import InvariantError
from fuzz.tables import markdown_table
from fuzz.trials import TRIALS, Scene, write_pages

FOLDER: Final = ROOT / "build" / "fuzz" / "commands"


@dataclass(slots=True)
class Tally:
    """What the trials of one kind did."""

    trials: int = 0
    commands: int = 0
    failures: Counter[str] = field(default_factory=Counter)


def tried(seed: int, number: int, pages: Sequence[bytes], seconds: float) -> tuple[str, Scene, str]:
    """Run one trial; return its kind, what it did, and what went wrong, or ''."""
    random = Random(f"{seed}:{number}")
    kind = list(TRIALS)[number % len(TRIALS)]
    with tempfile.TemporaryDirectory(prefix="dehusk-trial-") as folder:
        scene = Scene(random, Path(folder), pages, seconds=seconds)
        try:
            TRIALS[kind](scene)
        except InvariantError as error:
            return kind, scene, str(error)
        except subprocess.TimeoutExpired:
            return kind, scene, f"{scene.log[-1]}: no end after minutes"
    return kind, scene, ""


def undisturbed_seconds(pages: Sequence[bytes]) -> float:
    """Return how long a batch takes that nobody interrupts."""
    with tempfile.TemporaryDirectory(prefix="dehusk-trial-") as folder:
        scene = Scene(Random(0), Path(folder), pages)
        write_pages(scene, range(25))
        start = time.monotonic()
        scene.run("extract", "--method", "alltext", "--output", "out", "pages")
        return time.monotonic() - start


def save(seed: int, number: int, kind: str, scene: Scene, problem: str) -> Path:
    """Write what went wrong, and how to try it again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{kind.replace(' ', '-')}-{seed}-{number}.json"
    again = f"python -m fuzz.commands --seed {seed} --trial {number}"
    record = {"kind": kind, "problem": problem, "commands": scene.log, "replay": again}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return path


def table(tallies: dict[str, Tally]) -> str:
    """Return what was tried and what went wrong."""
    rows = [
        (kind, f"{tally.trials:,}", f"{tally.commands:,}", f"{tally.failures.total():,}")
        for kind, tally in tallies.items()
    ]
    return markdown_table(("trial", "trials", "commands", "failures"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run trials and print the table; the exit status is 1 if any failed."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.commands", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--trials", type=float, default=float("inf"), help="or up to this many trials")
    parser.add_argument("--seed", type=int, help="drawn if not given")
    parser.add_argument("--trial", type=int, help="run only the trial of this number")
    options = parser.parse_args(arguments)
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    pages = seeds.golden_pages()
    seconds = undisturbed_seconds(pages)
    print(f"seed {seed}; a batch takes {seconds:.1f} s", file=sys.stderr)
    tallies = {kind: Tally() for kind in TRIALS}
    end, number = time.monotonic() + options.minutes * 60, options.trial or 0
    while True:
        kind, scene, problem = tried(seed, number, pages, seconds)
        tally = tallies[kind]
        tally.trials += 1
        tally.commands += len(scene.log)
        if problem:
            tally.failures[problem[:60]] += 1
            print(f"{kind}: {problem[:500]}\n  {save(seed, number, kind, scene, problem)}", file=sys.stderr, flush=True)
        number += 1
        total = sum(each.trials for each in tallies.values())
        if options.trial is not None or time.monotonic() > end or total >= options.trials:
            break
    print(table(tallies))
    return 1 if any(tally.failures for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
