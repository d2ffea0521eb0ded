"""Files: what an evaluation writes, and reading it back to compare a later run."""

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from math import isnan
from pathlib import Path
from typing import Any, Final

from dehusk.errors import InputError
from dehusk.evaluation.report import write_report
from dehusk.evaluation.run import Row
from dehusk.evaluation.session import Session
from dehusk.evaluation.summary import Figure, Timing
from dehusk.gold.corpora import Corpus

FORMAT: Final = 1  # of evaluation.json; any other is refused


def write_files(
    folder: Path, session: Session, figures: Sequence[Figure], times: Sequence[Timing], corpora: Sequence[Corpus]
) -> list[str]:
    """Write evaluation.json, figures.csv, pages.csv and report.html into a folder, and return their names."""
    write_json(folder / "evaluation.json", session.about, session.rows, figures, times)
    write_csv(folder / "figures.csv", figures)
    write_csv(folder / "pages.csv", session.rows)
    write_report(folder / "report.html", session, times, corpora)
    return ["evaluation.json", "figures.csv", "pages.csv", "report.html"]


def write_json(
    path: Path, about: dict[str, Any], rows: Sequence[Row], figures: Sequence[Figure] = (), times: Sequence[Timing] = ()
) -> None:
    """Write a run with one row per page and system, so that a later run can be compared with it."""
    record = {
        "format": FORMAT,
        **about,
        "figures": [_plain(figure) for figure in figures],
        "timings": [_plain(timing) for timing in times],
        "rows": [_plain(row) for row in rows],
    }
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False), encoding="utf-8")


def _plain(record: Row | Figure | Timing) -> dict[str, Any]:
    """Return a record as JSON can hold it: what is not known is null, since JSON has no NaN."""
    return {key: None if isinstance(value, float) and isnan(value) else value for key, value in asdict(record).items()}


def read_run(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """Return what `write_json` wrote: what was measured, and the rows."""
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
    """Raise InputError if two runs used different metrics for a corpus, or different versions of it."""
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
    """Write dataclasses of one type as a table with a heading."""
    with path.open("w", encoding="utf-8", newline="") as file:
        if records:
            writer = csv.DictWriter(file, [field.name for field in fields(records[0])])
            writer.writeheader()
            writer.writerows(asdict(record) for record in records)
