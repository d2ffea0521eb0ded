"""Real archives, counted by dehusk, warcio and fastwarc: `python -m benchmarks.archive_table` prints a table.

The archives are those in `$DEHUSK_DATA/data/archives`; what the other two count is in the index there.
"""

import io
import json
import os
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from warcio.archiveiterator import ArchiveIterator

from dehusk.cli.commands import run
from dehusk.config import Limits
from dehusk.sources.account import Account
from dehusk.sources.inputs import look_at
from dehusk.sources.kinds import ReadOptions

HEAD: Final = """# Real archives

Records of archives from the test suites of other tools, by kind, as dehusk, warcio and fastwarc count them. *Reported*
is what dehusk says it could not read: records with their code, and gaps in bytes. Made by
`python -m benchmarks.archive_table`.

| archive | bytes | dehusk | warcio | fastwarc | reported | difference |
|---|---:|---|---|---|---|---|
"""
OTHERS: Final = ("warcio", "fastwarc")
# Where we count other records than the better of the two: why, by the bytes of the file.
EXPLAINED: Final[dict[str, str]] = {
    "warcio: bad.arc": "lengths of -1, -1 and abc: these three are reported",
    "warcio: example-space-in-url.arc": "states 1,591 bytes and has 1,579: reported as truncated",
    "chatnoir-resiliparse: clipped.warc.gz": "ends within its only record, which is reported as truncated",
}


@dataclass(frozen=True, slots=True)
class Counted:
    """What was read of an archive."""

    kinds: Counter[str]
    problems: Counter[str]
    account: Account

    @property
    def reported(self) -> str:
        """What could not be read, in words."""
        codes = [f"{count} {code}" for code, count in sorted(self.problems.items())]
        gaps = [f"{gap.start}–{gap.end}: {gap.reason.code}" for gap in self.account.gaps]
        return ", ".join(codes + gaps)


def counted(path: Path) -> Counted:
    """Read an archive."""
    source = look_at(str(path))
    account = Account()
    kinds: Counter[str] = Counter()
    problems: Counter[str] = Counter()
    if source.kind.records is None:
        return Counted(Counter({"one page": 1}), problems, account)
    for page in source.kind.records(source, ReadOptions(Limits(), account=account)):
        if page.problem:
            problems[str(page.problem.code)] += 1
        else:
            kinds[page.record.kind if page.record else "unknown"] += 1
    return Counted(kinds, problems, account)


def in_words(kinds: dict[str, int]) -> str:
    """Return counts by kind.

    >>> in_words({"response": 2, "request": 1})
    '3: 1 request, 2 response'
    """
    parts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return f"{sum(kinds.values())}: {parts}" if kinds else "0"


def reference(path: Path, entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the others count; in a WACZ file, in the archives that it holds."""
    if path.suffix != ".wacz":
        return [entry[name] for name in OTHERS]
    try:
        with zipfile.ZipFile(path) as file:
            archives = [file.read(name) for name in file.namelist() if name.startswith("archive/")]
    except zipfile.BadZipFile:
        archives = []
    records = Counter(record.rec_type for data in archives for record in ArchiveIterator(io.BytesIO(data)))
    return [{"records": dict(records), "error": ""}, {"records": {}, "error": "not read"}]


def short(file: str) -> str:
    """Return the name of an archive without the folders that it was in.

    >>> short("webrecorder+warcio/test__data__bad.arc")
    'warcio: bad.arc'
    """
    project, _, name = file.partition("/")
    return f"{project.rpartition('+')[2]}: {name.rpartition('__')[2]}"


def rows(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield a row of the table for each archive, and whether it is as it should be."""
    index: list[dict[str, Any]] = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    for entry in index:
        path = folder / entry["file"]
        ours, others = counted(path), reference(path, entry)
        counts = [in_words(each["records"]) + (" (error)" if each["error"] else "") for each in others]
        name = short(entry["file"])
        note = EXPLAINED.get(name, "")
        fewer = ours.kinds.total() < max(sum(each["records"].values()) for each in others)
        account = ours.account
        adds_up = account.is_balanced and (account.start, account.end) == (0, path.stat().st_size)
        marks = [note, "**fewer**" * (fewer and not note), "**bytes do not add up**" * (not adds_up)]
        cells = [name, f"{entry['bytes']:,}", in_words(ours.kinds), *counts, ours.reported]
        yield f"| {' | '.join([*cells, ' '.join(filter(None, marks))])} |", adds_up and (not fewer or bool(note))


def main() -> None:
    """Print the page; the status is 1 if there are fewer records than the others find and nobody said why."""
    table = list(rows(Path(os.environ["DEHUSK_DATA"], "data", "archives")))
    print(HEAD + "\n".join(row for row, _ in table))
    sys.exit(not all(good for _, good in table))


if __name__ == "__main__":
    run(main)
