"""A process and all that it has started: how much memory they take, and how to end them. Linux alone tells."""

import os
import signal
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def descendants(root: int) -> list[int]:
    """Return the process and all below it, parents first; only itself where the system does not tell."""
    children = defaultdict[int, list[int]](list)
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError, ValueError):  # one that has just ended
            # The name, in brackets, may itself have brackets and spaces.
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            children[int(fields[1])].append(int(folder.name))
    processes = [root]
    for process in processes:
        processes += children[process]
    return processes


def memory_of_tree(root: int) -> int:
    """Return the bytes of memory that a process and all below it do not share with others; 0 if nobody tells."""
    total = 0
    for process in descendants(root):
        with suppress(OSError, ValueError, IndexError):
            _, resident, shared = (PROC / str(process) / "statm").read_text(encoding="ascii").split()[:3]
            total += (int(resident) - int(shared)) * PAGE_SIZE
    return total


def kill_tree(root: int) -> None:
    """End a process and all below it, the lowest first, so that each is waited for by the one that started it."""
    for process in reversed(descendants(root)):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
