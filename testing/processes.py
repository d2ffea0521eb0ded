"""Other processes, for tests that end them and look what is left."""

import time
from collections.abc import Iterable

from dehusk.processes import PROC


def lives(process: int) -> bool:
    """Return whether a process has not ended; one that nobody has waited for has."""
    try:
        return (PROC / str(process) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for_end(processes: Iterable[int]) -> None:
    """Wait until processes have ended, which takes a moment after they were killed; pytest ends a test that hangs."""
    left = list(processes)
    while left := [process for process in left if lives(process)]:
        time.sleep(0.02)
