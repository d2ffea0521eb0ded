"""Real archives for the fuzzer: those in DEHUSK_DATA that are sound and small, cut where their records begin.

What is in a frame is what was read before anything was changed; so only damage is tested here, not reading itself.
"""

import os
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

from fuzz.archive_cases import ArchiveCase, Frame
from fuzz.archive_changes import changed
from fuzz.archive_checks import Seen, read
from testing.made_archives import Known

LARGEST: Final = 60_000  # bytes
ARCHIVE: Final = re.compile(r"^(?!.*trunc).*\.w?arc")  # in one that was cut, a length is wrong already
PACKS: Final = (".gz", ".zst", ".lz4")


@cache
def real_archives() -> tuple[ArchiveCase, ...]:
    """Return the archives that can be changed; none where there are no data."""
    folder = Path(os.environ.get("DEHUSK_DATA", ""), "data", "archives")
    paths = sorted(path for path in folder.glob("*/*") if ARCHIVE.search(path.name))
    cases = [archive_case(path) for path in paths if path.stat().st_size <= LARGEST]
    return tuple(case for case in cases if case)


def archive_case(path: Path) -> ArchiveCase | None:
    """Return an archive in frames, or None if something is wrong with it or it is compressed as a whole."""
    reading = read(path)
    offsets = [record.offset for record in reading.records]
    data = path.read_bytes()
    if reading.has_trouble or not offsets or offsets[0] or sorted(set(offsets)) != offsets or offsets[-1] >= len(data):
        return None
    frames = tuple(
        _frame(record, data[start:end])
        for record, (start, end) in zip(reading.records, pairwise([*offsets, len(data)]), strict=True)
    )
    kind = "arc" if ".arc" in path.name else "warc"
    pack = path.suffix if path.suffix in PACKS else ""
    # Where frames are compressed, each must begin with the same mark as the first.
    if pack and any(frame.data[:2] != data[:2] for frame in frames):
        return None
    return ArchiveCase(kind, pack, f"crawl.{kind}{pack}", frames)


def _frame(record: Seen, data: bytes) -> Frame:
    if record.url and record.body and record.kind in ("response", "resource", "conversion"):
        return Frame(data, (Known(record.url, record.body),))
    return Frame(data, others=1)


def make(seed: int, index: int) -> ArchiveCase:
    """Return a real archive with some changes."""
    random = Random(f"{seed}:{index}")
    case = random.choice(real_archives())
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        case = changed(case, random)
    return case
