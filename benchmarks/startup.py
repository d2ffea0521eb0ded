"""Start-up: CPU time of whole commands on one small page, beside trafilatura's command, taking turns.

    python benchmarks/startup.py

Needs trafilatura (`dehusk[peers]`). In each round all commands run one after the other, so that they find the machine
as busy as trafilatura does; the median of the rounds counts.
"""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Final

ROUNDS: Final = 10
PAGE: Final = Path("tests/pages/news-article/source.html")
SCRIPTS: Final = Path(sys.executable).parent
COMMANDS: Final = {
    "trafilatura": ["trafilatura"],
    "dehusk extract": ["dehusk", "extract", "-"],
    "dehusk extract -f json": ["dehusk", "extract", "-f", "json", "-"],
    "dehusk extract -f md": ["dehusk", "extract", "-f", "md", "-"],
    "dehusk --version": ["dehusk", "--version"],
}


def measure(rounds: int = ROUNDS) -> list[dict[str, float]]:
    """Return the CPU seconds of each command in each round."""
    all_rounds = [
        {name: _cpu_seconds([str(SCRIPTS / program), *arguments]) for name, (program, *arguments) in COMMANDS.items()}
        for _ in range(rounds + 1)
    ]
    return all_rounds[1:]  # without the first, which fills caches: compiled modules, tables of the language detector


def ratio(rounds: list[dict[str, float]], name: str) -> float:
    """Return the CPU time of a command, in terms of trafilatura's in the same round: the median of all rounds."""
    return median(seconds[name] / seconds["trafilatura"] for seconds in rounds)


def _cpu_seconds(command: list[str]) -> float:
    with PAGE.open("rb") as page:
        process = subprocess.Popen(command, stdin=page, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    found = measure()
    for name in COMMANDS:
        milliseconds = 1000 * median(seconds[name] for seconds in found)
        print(f"{name:24} {milliseconds:5.0f} ms  {ratio(found, name):.2f} × trafilatura")
