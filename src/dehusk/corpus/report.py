"""A report on a corpus: one HTML page that says what became of the records, with samples to look at."""

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dehusk.corpus.columns import read_rows
from dehusk.corpus.files import LOG, MANIFEST, read_json, whole
from dehusk.errors import InputError

NAME: Final = "report.html"
COLUMNS: Final = (
    "id", "url", "host", "rejected", "detail", "title", "language", "characters", "badness", "confidence", "kind",
    "cluster", "text",
)  # fmt: skip
SAMPLES: Final = 8  # of each reason
EXCERPT: Final = 400  # characters
SHOWN: Final = 15  # rows of a table
LENGTHS: Final = (0, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
BADNESS: Final = tuple(range(0, 50, 5))
# The order in which the chain rejects.
ORDER: Final = (
    "kind", "damaged", "cut off", "wrong length", "unreadable", "status", "type", "size", "died", "time", "memory",
    "error", "robots", "tdm", "not HTML", "not scored", "empty", "language", "short", "badness", "perplexity", "shape",
    "exact duplicate", "near duplicate", "earlier duplicate",
)  # fmt: skip


@dataclass(slots=True)
class Tally:
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
        reason = row["rejected"] or "kept"
        if row["cluster"]:
            self.clusters[row["cluster"]] += 1
        if reason == "kept":
            self.languages[row["language"] or "unknown"] += 1
            self.hosts[row["host"] or "unknown"] += 1
            self.kinds[row["kind"] or "unknown"] += 1
            self.lengths[_place(LENGTHS, row["characters"])] += 1
        if row["badness"] is not None:
            self.badness[_place(BADNESS, row["badness"])] += 1
        self._sample(reason, row, randomness)

    def _sample(self, reason: str, row: dict[str, Any], randomness: random.Random) -> None:
        """Keep a few rows of each reason, all with the same chance."""
        self.seen[reason] += 1
        chosen = self.samples.setdefault(reason, [])
        sample = {name: row[name] for name in ("id", "url", "title", "detail", "language")}
        sample["text"] = (row["text"] or "")[:EXCERPT]
        if len(chosen) < SAMPLES:
            chosen.append(sample)
        elif (place := randomness.randrange(self.seen[reason])) < SAMPLES:
            chosen[place] = sample


def _place(bounds: tuple[int, ...], value: float | None) -> int:
    """Return the greatest of the bounds that a value has reached.

    >>> _place((0, 200, 500), 320)
    200
    """
    return max((bound for bound in bounds if bound <= (value or 0)), default=bounds[0])


def write_report(folder: Path) -> Path:
    """Write the report of a corpus into its folder and return its path."""
    from jinja2 import Environment, PackageLoader  # noqa: PLC0415  (an extra)

    try:
        manifest = read_json(folder / MANIFEST)
    except OSError as error:
        raise InputError(f"{folder} has no {MANIFEST}; expected the folder of a finished corpus") from error
    if manifest["format"] != "parquet":
        raise InputError(f"{folder} is in the format {manifest['format']}; a report needs parquet")
    tally, randomness = Tally(), random.Random(27)
    for shard in manifest["shards"]:
        for row in read_rows(folder / shard["file"], COLUMNS):
            tally.add(row, randomness)
    environment = Environment(loader=PackageLoader("dehusk.corpus", "."), autoescape=True, trim_blocks=True)
    page = environment.get_template("report.html.jinja").render(
        manifest=manifest,
        funnel=_funnel(manifest),
        tables=[
            ("Languages", _shares(tally.languages)),
            ("Hosts", _shares(tally.hosts)),
            ("Kinds of page", _shares(tally.kinds)),
            ("Characters of main text", _ranges(tally.lengths, LENGTHS)),
            ("Badness (of all that were scored)", _ranges(tally.badness, BADNESS)),
            ("Documents in a cluster of duplicates", _shares(_sizes(tally.clusters))),
        ],
        samples=[(reason, tally.seen[reason], tally.samples[reason]) for reason in sorted(tally.samples, key=_order)],
        speed=_speed(folder / LOG),
    )
    with whole(folder / NAME) as part:
        part.write_text(page, encoding="utf-8", errors="replace")
    return folder / NAME


def _order(reason: str) -> tuple[int, str]:
    return (ORDER.index(reason) if reason in ORDER else -1, reason)


def _funnel(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return, step by step, how many records were rejected and how many were left."""
    left, total, steps = manifest["records"], max(manifest["records"], 1), []
    for reason in sorted(manifest["rejected"], key=_order):
        left -= manifest["rejected"][reason]
        steps.append({"reason": reason, "count": manifest["rejected"][reason], "left": left, "share": left / total})
    return steps


def _shares(counts: Counter[str]) -> list[tuple[str, int, float]]:
    total = max(counts.total(), 1)
    rows = [(name, count, count / total) for name, count in counts.most_common(SHOWN)]
    rest = counts.total() - sum(count for _, count, _ in rows)
    return [*rows, *([(f"{len(counts) - SHOWN:,} others", rest, rest / total)] if rest else [])]


def _ranges(counts: Counter[int], bounds: tuple[int, ...]) -> list[tuple[str, int, float]]:
    total = max(counts.total(), 1)
    return [(f"from {bound:,}", counts[bound], counts[bound] / total) for bound in bounds]


def _sizes(clusters: Counter[str]) -> Counter[str]:
    return Counter(f"{size:,}" for size in clusters.values())


def _speed(log: Path) -> list[tuple[str, str]]:
    """Return how long each step took, by the log."""
    import json  # noqa: PLC0415

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
