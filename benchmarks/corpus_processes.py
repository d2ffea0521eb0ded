"""Rate of `dehusk corpus` with several processes beside that with one, on the same files.

    python -m benchmarks.corpus_processes FILE...        prints one line per round, and the median ratio

By the clock, so on a machine that does nothing else.
"""

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated

from dehusk.cli.commands import Argument, Option, run
from dehusk.corpus.build import build


def seconds(files: list[str], jobs: int) -> float:
    """Return how long it takes to build a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        build(files, Path(folder) / "corpus", jobs=jobs)
        return perf_counter() - start


def main(
    files: Annotated[list[str], Argument("FILE")],
    jobs: Annotated[int, Option(min=2, help="How many processes to compare with one")] = 2,
    rounds: Annotated[int, Option(min=1, help="How often both run")] = 3,
) -> None:
    """Measure one process and several in turn."""
    ratios = []
    for _ in range(rounds):
        one, several = seconds(files, 1), seconds(files, jobs)
        ratios.append(one / several)
        print(f"1 process {one:.1f} s, {jobs} processes {several:.1f} s: {ratios[-1]:.2f} times the rate", flush=True)
    print(f"median {median(ratios):.2f}")


if __name__ == "__main__":
    run(main)
