"""Start-up: CPU time of whole commands on one small page, beside trafilatura's command, taking turns.

    python benchmarks/startup.py

Needs trafilatura (`dehusk[peers]`). The fastest of all rounds counts, since other programs only ever add to it.
"""

import os
import subprocess
import sys
from pathlib import Path
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


def measure(rounds: int = ROUNDS) -> dict[str, float]:
    """Return the CPU seconds of each command."""
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds + 1):
        for name, (program, *arguments) in COMMANDS.items():
            seconds[name].append(_cpu_seconds([str(SCRIPTS / program), *arguments]))
    # Without the first round, which fills caches: compiled modules, and the tables of the language detector.
    return {name: min(each[1:]) for name, each in seconds.items()}


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
    for name, seconds in found.items():
        print(f"{name:24} {1000 * seconds:5.0f} ms  {seconds / found['trafilatura']:.2f} × trafilatura")
