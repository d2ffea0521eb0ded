"""What a campaign has done so far: counts that survive a kill, since the file is replaced as a whole."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from fuzz.execution import Outcome


@dataclass(slots=True)
class MethodTotals:
    """What one method did and cost."""

    executions: int = 0
    seconds: float = 0.0  # CPU time in the package, checks left out
    worst_seconds: float = 0.0
    worst_rate: float = 0.0  # seconds per byte, of inputs of at least RATED bytes
    worst_memory: int = 0
    worst_ratio: float = 0.0  # bytes of output per byte of input, of inputs of at least RATED bytes

    def add(self, outcome: Outcome, size: int) -> None:
        """Count one execution."""
        self.executions += 1
        self.seconds += outcome.seconds
        self.worst_seconds = max(self.worst_seconds, outcome.seconds)
        self.worst_memory = max(self.worst_memory, outcome.memory)
        if size >= RATED:
            self.worst_rate = max(self.worst_rate, outcome.seconds / size)
            self.worst_ratio = max(self.worst_ratio, outcome.written / size)


RATED = 10_000  # bytes; in smaller inputs the fixed costs would hide the others


@dataclass(slots=True)
class State:
    """A campaign: inputs up to `next` are done, and those in `done`."""

    seed: int
    next: int = 0
    done: list[int] = field(default_factory=list)
    inputs: int = 0
    bytes: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: dict[str, float] = field(default_factory=dict)  # by process, checks included
    methods: dict[str, MethodTotals] = field(default_factory=dict)
    formats: dict[str, int] = field(default_factory=dict)  # outputs written
    commits: dict[str, int] = field(default_factory=dict)  # executions by commit
    failures: dict[str, dict[str, int]] = field(default_factory=dict)  # occurrences by commit and invariant
    pages: list[str] = field(default_factory=list)  # fingerprints of the seed pages

    @property
    def executions(self) -> int:
        """Inputs through one method, all methods together."""
        return sum(totals.executions for totals in self.methods.values())

    def finished(self, index: int) -> None:
        """Take note that an input is done; others before it may still be running."""
        done = {*self.done, index}
        while self.next in done:
            done.remove(self.next)
            self.next += 1
        self.done = sorted(done)

    def count(self, outcome: Outcome, size: int, commit: str) -> None:
        """Count one execution and its failures."""
        self.methods.setdefault(outcome.method, MethodTotals()).add(outcome, size)
        self.commits[commit] = self.commits.get(commit, 0) + 1
        for failure in outcome.failures:
            counts = self.failures.setdefault(commit, {})
            counts[failure.invariant] = counts.get(failure.invariant, 0) + 1

    def save(self, path: Path) -> None:
        """Replace the file as a whole."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the state in a file."""
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        methods = {name: MethodTotals(**totals) for name, totals in record.pop("methods").items()}
        return cls(**record, methods=methods)
