"""A report on a corpus: one HTML page that says what became of the records, with samples to look at."""

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dehusk.corpus.accounts import incomplete_inputs, losses
from dehusk.corpus.columns import read_rows
from dehusk.corpus.files import LOG, read_manifest, write_atomically
from dehusk.corpus.steps import CHAIN
from dehusk.corpus.tasks import KEPT
from dehusk.reasons import Code

NAME: Final = "report.html"
COLUMNS: Final = (
    "id", "url", "host", "reason_code", "reason", "title", "language", "characters", "badness", "confidence", "kind",
    "cluster", "text",
)  # fmt: skip
SAMPLES: Final = 8  # of each code
EXCERPT: Final = 400  # characters
SHOWN: Final = 15  # rows of a table
LENGTHS: Final = (0, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
BADNESS: Final = tuple(range(0, 50, 5))
# All codes that a record can be rejected with, in the order in which that happens. A record that was given up has been
# through the first step only.
ORDER: Final[tuple[str, ...]] = (
    *CHAIN[0].codes,
    Code.WORKER_DIED, Code.TASK_DIED, Code.TOO_SLOW, Code.OUT_OF_MEMORY, Code.FAILED,
    *(code for step in CHAIN[1:] for code in step.codes),
    Code.EXACT_DUPLICATE, Code.NEAR_DUPLICATE, Code.EARLIER_DUPLICATE,
)  # fmt: skip


@dataclass(slots=True)
class CorpusTally:
    """What is counted in one pass over a corpus."""

    languages: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    badness: Counter[int] = field(default_factory=Counter)
    clusters: Counter[str] = field(default_factory=Counter)
    samples: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)

    def add(self, row: dict[str, Any], randomness: random.Random) -> None:
        """Count a row."""
        code = row["reason_code"] or KEPT
        if row["cluster"]:
            self.clusters[row["cluster"]] += 1
        if code == KEPT:
            self.languages[row["language"] or "unknown"] += 1
            self.hosts[row["host"] or "unknown"] += 1
            self.kinds[row["kind"] or "unknown"] += 1
            self.lengths[_lower_bound(LENGTHS, row["characters"])] += 1
        if row["badness"] is not None:
            self.badness[_lower_bound(BADNESS, row["badness"])] += 1
        self._sample(code, row, randomness)

    def _sample(self, code: str, row: dict[str, Any], randomness: random.Random) -> None:
        """Keep a few rows of each code, all with the same chance."""
        self.seen[code] += 1
        chosen = self.samples.setdefault(code, [])
        sample = {name: row[name] for name in ("id", "url", "title", "reason", "language")}
        sample["text"] = (row["text"] or "")[:EXCERPT]
        if len(chosen) < SAMPLES:
            chosen.append(sample)
        elif (index := randomness.randrange(self.seen[code])) < SAMPLES:
            chosen[index] = sample


def _lower_bound(bounds: tuple[int, ...], value: float | None) -> int:
    """Return the greatest of the bounds that a value has reached.

    >>> _lower_bound((0, 200, 500), 320)
    200
    """
    return max((bound for bound in bounds if bound <= (value or 0)), default=bounds[0])


def write_report(folder: Path) -> Path:
    """Write the report of a corpus into its folder and return its path."""
    from jinja2 import Environment, PackageLoader  # noqa: PLC0415  (an extra)

    manifest = read_manifest(folder, "a report needs parquet")
    tally, randomness = CorpusTally(), random.Random(27)
    for shard in manifest["shards"]:
        for row in read_rows(folder / shard["file"], COLUMNS):
            tally.add(row, randomness)
    environment = Environment(loader=PackageLoader("dehusk.corpus", "."), autoescape=True, trim_blocks=True)
    environment.filters["counted"] = lambda count, noun: f"{count:,} {noun}{'s' * (count != 1)}"
    cluster_sizes = Counter(f"{size:,}" for size in tally.clusters.values())
    page = environment.get_template("report.html.jinja").render(
        manifest=manifest,
        funnel=_funnel(manifest),
        tables=[
            ("Languages", _shares(tally.languages)),
            ("Hosts", _shares(tally.hosts)),
            ("Kinds of page", _shares(tally.kinds)),
            ("Characters of main text", _ranges(tally.lengths, LENGTHS)),
            ("Badness (of all that were scored)", _ranges(tally.badness, BADNESS)),
            ("Documents in a cluster of duplicates", _shares(cluster_sizes)),
        ],
        incomplete=[(each, each["gaps"][:SHOWN]) for each in incomplete_inputs(manifest)[:SHOWN]],
        losses=losses(manifest),
        samples=[(code, tally.seen[code], tally.samples[code]) for code in sorted(tally.samples, key=_order)],
        speed=_speed(folder / LOG),
    )
    with write_atomically(folder / NAME) as part:
        part.write_text(page, encoding="utf-8", errors="replace")
    return folder / NAME


def _order(code: str) -> tuple[int, str]:
    return (ORDER.index(code) if code in ORDER else -1, code)


def _funnel(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return, step by step, how many records were rejected and how many were left."""
    left, total, steps = manifest["records"], max(manifest["records"], 1), []
    for code in sorted(manifest["rejected"], key=_order):
        left -= manifest["rejected"][code]
        steps.append({"code": code, "count": manifest["rejected"][code], "left": left, "share": left / total})
    return steps


def _shares(counts: Counter[str]) -> list[tuple[str, int, float]]:
    total = max(counts.total(), 1)
    rows = [(name, count, count / total) for name, count in counts.most_common(SHOWN)]
    rest = counts.total() - sum(count for _, count, _ in rows)
    return [*rows, *([(f"{len(counts) - SHOWN:,} others", rest, rest / total)] if rest else [])]


def _ranges(counts: Counter[int], bounds: tuple[int, ...]) -> list[tuple[str, int, float]]:
    total = max(counts.total(), 1)
    return [(f"from {bound:,}", counts[bound], counts[bound] / total) for bound in bounds]


def _speed(log: Path) -> list[tuple[str, str]]:
    """Return how long each step took, by the log."""
    events: dict[str, list[float]] = {}
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    for line in lines:
        entry = json.loads(line)
        events.setdefault(entry["event"], []).append(entry["time"])
    return [
        (step, f"{max(events[step]) - min(events[step]):,.1f} s")
        for step in ("parts", "duplicates", "shards")
        if step in events
    ]
