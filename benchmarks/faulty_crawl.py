"""A crawl with dozens of kinds of faults, of which every record is known: `python -m benchmarks.faulty_crawl FOLDER`.

One file per fault (benchmarks/crawl_faults.py), all pages invented. `truth.json` beside them says for each file which
pages must come out, which are damaged, and whether anything is wrong with it at all. It was written from the
documentation, without knowledge of the reader, and `benchmarks.faulty_corpus` holds a corpus against it.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

from benchmarks.crawl_faults import FAULTS
from benchmarks.crawl_pieces import Maker, Piece
from dehusk.cli.commands import Argument, Option, run

TRUTH: Final = "truth.json"


@dataclass(frozen=True, slots=True)
class FileTruth:
    """What is in a file."""

    fault: str
    readable: dict[str, str] = field(
        default_factory=dict
    )  # digests of the texts of pages that must come out, by address
    salvaged: list[str] = field(default_factory=list)  # addresses of pages that must come out with part of their text
    damaged: list[str] = field(default_factory=list)  # addresses of pages that may come out, or be reported as damaged
    others: int = 0  # records that hold no page
    is_sound: bool = True  # nothing is wrong with it, so nothing may be reported
    bytes: int = 0


def digest(text: str) -> str:
    """Return what tells one text from another."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def truth_of(fault: str, pieces: Sequence[Piece]) -> FileTruth:
    """Return what is in a file that consists of those pieces."""
    return FileTruth(
        fault,
        {known.url: digest(known.text) for piece in pieces for known in piece.readable},
        [url for piece in pieces for url in piece.salvaged],
        [known.url for piece in pieces for known in piece.damaged],
        sum(piece.others for piece in pieces),
        all(piece.is_sound for piece in pieces),
        sum(len(piece.data) for piece in pieces),
    )


def write_crawl(folder: Path, records: int = 6_000, seed: int = 35) -> dict[str, FileTruth]:
    """Write the files and what is in them; return the latter, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    truths: dict[str, FileTruth] = {}
    per_file = max(12, records // len(FAULTS))
    for number, (fault, (ending, make)) in enumerate(FAULTS.items()):
        name = f"{number:02}-{fault.replace(' ', '-')}{ending}"
        maker = Maker(Random(f"{seed}:{fault}"), f"f{number:02}", per_file, name, folder)
        pieces = make(maker)
        (folder / name).write_bytes(b"".join(piece.data for piece in pieces))
        truths[name] = truth_of(fault, pieces)
    (folder / TRUTH).write_text(json.dumps({name: _stored(truth) for name, truth in truths.items()}, indent=1) + "\n")
    return truths


def _stored(truth: FileTruth) -> dict[str, Any]:
    return {name: getattr(truth, name) for name in FileTruth.__slots__}


def read_truth(folder: Path) -> dict[str, FileTruth]:
    """Return what is in the files of a crawl."""
    stored = json.loads((folder / TRUTH).read_text(encoding="utf-8"))
    return {name: FileTruth(**fields) for name, fields in stored.items()}


def main(
    folder: Annotated[Path, Argument("FOLDER")],
    records: Annotated[int, Option(help="Records in all")] = 6_000,
    seed: Annotated[int, Option(help="Of what is random")] = 35,
) -> None:
    """Write a crawl with invented faults."""
    truths = write_crawl(folder, records, seed).values()
    readable, damaged = sum(len(each.readable) for each in truths), sum(len(each.damaged) for each in truths)
    print(f"{len(truths)} files in {folder}: {readable:,} readable pages, {damaged:,} damaged ones")


if __name__ == "__main__":
    run(main)
