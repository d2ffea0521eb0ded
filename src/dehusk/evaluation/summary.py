"""Summary: rows of a run as figures with intervals, by corpus, page kind and language; two runs held side by side."""

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from math import isnan
from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk.errors import InputError
from dehusk.evaluation.metrics import PRF, Counts, macro, micro
from dehusk.evaluation.resample import Difference, bootstrap_interval, paired_bootstrap
from dehusk.evaluation.run import Row

FORMAT: Final = 1  # of the JSON file; a reader refuses what it does not know
CLOCK: Final = "resiliparse"


@dataclass(frozen=True, slots=True)
class Figure:
    """What a system reached on a group of pages."""

    corpus: str
    group: str  # "all", "kind=forum", "language=de"
    system: str
    pages: int
    f1: float  # mean over pages
    low: float  # 95 % interval of that mean
    high: float
    precision: float
    recall: float
    sd: float
    micro_precision: float
    micro_recall: float
    micro_f1: float
    f1_with_gold: float  # mean over the pages whose gold is not empty
    errors: int


@dataclass(frozen=True, slots=True)
class Timing:
    """What a system costs on the pages of a run."""

    system: str
    mean: float  # CPU milliseconds a page
    median: float
    p95: float
    ratio: float  # to resiliparse: sum over sum; NaN without it
    megabytes_a_second: float
    errors: int
    peak_memory: float  # MB, of a process of its own; NaN where it was not measured


def summarise(rows: Iterable[Row]) -> list[Figure]:
    """Return the figures of each system on each corpus: over all pages, by kind, by language; the best first."""
    rows = list(rows)
    figures: list[Figure] = []
    for corpus in dict.fromkeys(row.corpus for row in rows):
        inside = [row for row in rows if row.corpus == corpus]
        for name, group in _groups(inside).items():
            found = [_figure(corpus, name, system, mine) for system, mine in _by_system(group).items()]
            figures += sorted(found, key=lambda figure: -figure.f1)
    return figures


def _by_system(rows: Iterable[Row]) -> dict[str, list[Row]]:
    systems: dict[str, list[Row]] = {}
    for row in rows:
        systems.setdefault(row.system, []).append(row)
    return systems


def _groups(rows: list[Row]) -> dict[str, list[Row]]:
    """Return the pages of a corpus all together, and parted by kind and language where it has several."""
    groups = {"all": rows}
    for attribute in ("kind", "language"):
        values = sorted({getattr(row, attribute) for row in rows} - {""})
        if len(values) > 1:
            for value in values:
                groups[f"{attribute}={value}"] = [row for row in rows if getattr(row, attribute) == value]
    return groups


def _figure(corpus: str, group: str, system: str, rows: list[Row]) -> Figure:
    interval = bootstrap_interval(np.array([row.f1 for row in rows]))
    spread = macro(PRF(row.precision, row.recall, row.f1) for row in rows)
    counts = [Counts(row.tp, row.fp, row.fn) for row in rows]
    # Metrics that are no counts of words, such as similarity, have nothing to pool.
    pooled = micro(counts) if any(astuple(count) != (0, 0, 0) for count in counts) else PRF(*[float("nan")] * 3)
    with_gold = [row.f1 for row in rows if not row.empty_gold]
    return Figure(
        corpus=corpus,
        group=group,
        system=system,
        pages=len(rows),
        f1=interval.mean,
        low=interval.low,
        high=interval.high,
        precision=spread.mean.precision,
        recall=spread.mean.recall,
        sd=spread.sd.f1,
        micro_precision=pooled.precision,
        micro_recall=pooled.recall,
        micro_f1=pooled.f1,
        f1_with_gold=float(np.mean(with_gold)) if with_gold else float("nan"),
        errors=sum(bool(row.error) for row in rows),
    )


def timings(rows: Sequence[Row], memory: Callable[[str], float] | None = None) -> list[Timing]:
    """Return what each system costs, the fastest first."""
    systems = _by_system(rows)
    clock = sum(row.milliseconds for row in systems.get(CLOCK, []) if not isnan(row.milliseconds))
    found = []
    for system, mine in systems.items():
        # A page that killed its worker has no time.
        timed = [row for row in mine if not isnan(row.milliseconds)]
        spent = np.array([row.milliseconds for row in timed] or [float("nan")])
        size = sum(row.size for row in timed) / 1e6
        found.append(
            Timing(
                system=system,
                mean=float(spent.mean()),
                median=float(np.median(spent)),
                p95=float(np.percentile(spent, 95)),
                ratio=float(spent.sum()) / clock if clock else float("nan"),
                megabytes_a_second=size / max(float(spent.sum()) / 1000, 1e-9),
                errors=sum(bool(row.error) for row in mine),
                peak_memory=memory(system) if memory else float("nan"),
            )
        )
    return sorted(found, key=lambda timing: timing.mean)


@dataclass(frozen=True, slots=True)
class Change:
    """How a system fares on a corpus against an earlier run, on the pages that both have."""

    corpus: str
    system: str
    pages: int
    difference: Difference
    better: list[tuple[str, float]]  # page and gain, the largest first
    worse: list[tuple[str, float]]


def compare_runs(new: Sequence[Row], old: Sequence[Row]) -> list[Change]:
    """Return a paired comparison of each system and corpus that two runs share."""
    before = {(row.corpus, row.system, row.page): row.f1 for row in old}
    changes = []
    for corpus, system in dict.fromkeys((row.corpus, row.system) for row in new):
        pairs = {
            row.page: (row.f1, before[corpus, system, row.page])
            for row in new
            if (row.corpus, row.system) == (corpus, system) and (corpus, system, row.page) in before
        }
        if pairs:
            changes.append(_change(corpus, system, pairs))
    return changes


def _change(corpus: str, system: str, pairs: dict[str, tuple[float, float]]) -> Change:
    ours, theirs = np.array(list(pairs.values())).T
    gains = sorted(((page, now - then) for page, (now, then) in pairs.items()), key=lambda gain: gain[1])
    return Change(
        corpus,
        system,
        len(pairs),
        paired_bootstrap(ours, theirs),
        [gain for gain in reversed(gains) if gain[1] > 0],
        [gain for gain in gains if gain[1] < 0],
    )


def write_json(
    path: Path, about: dict[str, Any], rows: Sequence[Row], figures: Sequence[Figure] = (), times: Sequence[Timing] = ()
) -> None:
    """Write a run with its per-page rows, so that a later one can be compared with it."""
    record = {
        "format": FORMAT,
        **about,
        "figures": [_plain(figure) for figure in figures],
        "timings": [_plain(timing) for timing in times],
        "rows": [_plain(row) for row in rows],
    }
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False), encoding="utf-8")


def _plain(record: Row | Figure | Timing) -> dict[str, Any]:
    """Return a record as JSON can have it: what is not known is null, since JSON has no NaN."""
    return {key: None if isinstance(value, float) and isnan(value) else value for key, value in asdict(record).items()}


def read_run(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """Return what `write_json` wrote of a run: what was measured, and the rows."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.get("format") != FORMAT:
            raise InputError(f"{path} has format {record.get('format')!r}; this version reads {FORMAT}: measure again")
        known = {field.name for field in fields(Row)}
        rows = [{key: value for key, value in row.items() if key in known} for row in record["rows"]]
        about = {key: value for key, value in record.items() if key not in ("figures", "timings", "rows")}
        return about, [Row(**{**row, "milliseconds": row["milliseconds"] or float("nan")}) for row in rows]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is not a file that `dehusk evaluate --output` wrote: {error}") from error


def check_comparable(new: dict[str, Any], old: dict[str, Any], path: Path) -> None:
    """Raise InputError where two runs measured a corpus by different metrics, or different corpora of one name."""
    for name, ours in new.get("corpora", {}).items():
        theirs = old.get("corpora", {}).get(name, ours)
        if theirs["metric"] != ours["metric"]:
            raise InputError(
                f"{path} measured {name} by {theirs['metric']}, this run by {ours['metric']}; "
                f"measure again with --metric {theirs['metric']}"
            )
        if theirs["sha256"] != ours["sha256"]:
            raise InputError(f"{path} was measured on another version of {name}; measure both on the same pages")


def write_csv(path: Path, records: Sequence[Any]) -> None:
    """Write dataclasses of one kind as a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        if records:
            writer = csv.DictWriter(file, [field.name for field in fields(records[0])])
            writer.writeheader()
            writer.writerows(asdict(record) for record in records)
