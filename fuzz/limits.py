"""What one input may cost: CPU time, memory and output, each a constant and a rate per byte of the page."""

import contextlib
import os
import re
import signal
import sys
from pathlib import Path
from typing import Final

# Several times what the worst inputs of the first runs took on a machine with two busy cores; a page of 1 MB may take
# 21 s, where a quadratic one takes minutes.
SECONDS: Final = (1.0, 20e-6)
MEMORY: Final = (64_000_000, 1_000.0)  # bytes above what the process has before
OUTPUT: Final = (400_000, 100.0)  # bytes; a report has 100 KB of script and style
# Beyond these the process is ended, whatever code it is stuck in.
KILL_SECONDS: Final = (30.0, 100e-6)  # CPU time of one input through all methods and checks
KILL_MEMORY: Final = 2_000_000_000  # bytes of address space above what the process has before
WALL_SECONDS: Final = 600.0  # for a process that waits without using CPU time

HIGH_WATER: Final = re.compile(rb"VmHWM:\s+(\d+) kB")
RESIDENT: Final = re.compile(rb"VmRSS:\s+(\d+) kB")
ADDRESS_SPACE: Final = re.compile(rb"VmSize:\s+(\d+) kB")


def _line(constants: tuple[float, float], size: int) -> float:
    return constants[0] + constants[1] * size


def seconds(size: int) -> float:
    """Return the CPU time that one stage may take for a page of that many bytes."""
    return _line(SECONDS, size)


def memory(size: int) -> float:
    """Return the memory that one stage may take at its peak, in bytes."""
    return _line(MEMORY, size)


def output(size: int) -> float:
    """Return how large an output may be, in bytes."""
    return _line(OUTPUT, size)


def _status(pattern: re.Pattern[bytes]) -> int:
    """Return a figure of this process in bytes, 0 where the system does not give it."""
    try:
        found = pattern.search(Path("/proc/self/status").read_bytes())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def high_water() -> int:
    """Return how many bytes this process had at most since it began, 0 where the system does not say."""
    return _status(HIGH_WATER)


class Meter:
    """Measures the peak of memory between two points: 0 where the system cannot reset its own record of it."""

    def __init__(self) -> None:
        self._before = 0
        try:
            self._reset = os.open("/proc/self/clear_refs", os.O_WRONLY)
        except OSError:
            self._reset = -1

    def start(self) -> None:
        """Forget the peak so far."""
        if self._reset >= 0:
            with contextlib.suppress(OSError):
                os.write(self._reset, b"5")
            self._before = _status(RESIDENT)

    def peak(self) -> int:
        """Return how many bytes the process had at most above those at the start."""
        return max(0, _status(HIGH_WATER) - self._before) if self._reset >= 0 else 0


def limit_memory(extra: int = KILL_MEMORY) -> None:
    """Have allocations fail beyond so many bytes above what the process has now."""
    if sys.platform == "linux" and (size := _status(ADDRESS_SPACE)):
        import resource  # noqa: PLC0415  (not on Windows)

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = size + extra if hard == resource.RLIM_INFINITY else min(size + extra, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def limit_time(size: int) -> None:
    """Have the system end this process after the CPU time that a page of that size may take in all."""
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, _line(KILL_SECONDS, size))
