"""Parts: units of work, known before anything is read, so that a run can stop and go on between any two of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from dehusk.compressed import decompression_errors
from dehusk.config import Limits
from dehusk.reasons import Code, Reason
from dehusk.sources import read
from dehusk.sources.files import size
from dehusk.sources.inputs import look_at
from dehusk.sources.kinds import KINDS, PAGE, Input, ReadOptions
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from dehusk.sources.remote import is_remote
from dehusk.worker import FULL

MOST_FILES: Final = 1000  # in a part
EARLIER: Final = "earlier"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an input: bytes of an archive or of JSON lines, row groups of a table, or whole files.

    A file of an earlier corpus is a part, too, whose documents are compared but not written again.
    """

    number: int
    kind: str  # of input, by its name, or EARLIER
    locations: tuple[str, ...]
    start: int = 0
    end: int | None = None
    bytes: int = 0  # of input, for those who wait
    saved: str = ""  # the file in which the location was saved, if it cannot be read twice


def plan(
    locations: Iterable[str], part_bytes: int, earlier: Iterable[str] = (), saved: Mapping[str, str] | None = None
) -> list[Part]:
    """Divide inputs into parts of about so many bytes; the same inputs always give the same parts.

    `earlier` are files of earlier corpora, which come first, and `saved` has the files of what cannot be read twice.
    """
    saved = saved or {}
    parts: list[Part] = []
    single: list[tuple[str, int]] = []

    def add(kind: str, locations: tuple[str, ...], start: int, end: int | None, count: int) -> None:
        parts.append(Part(len(parts), kind, locations, start, end, count, saved.get(locations[0], "")))

    def flush() -> None:
        if single:
            add(PAGE.name, tuple(name for name, _ in single), 0, None, sum(count for _, count in single))
            single.clear()

    for shard in earlier:
        add(EARLIER, (shard,), 0, None, size(shard))
    for location in locations:
        source = look_at(saved.get(location, location))
        kind = source.kind
        if not kind.many and location not in saved:
            single.append((location, size(location)))
            if len(single) >= MOST_FILES or sum(count for _, count in single) >= part_bytes:
                flush()
            continue
        flush()
        for start, end, count in _ranges(source, part_bytes):
            add(kind.name, (location,), start, end, count)
    flush()
    return parts


def _ranges(source: Input, part_bytes: int) -> Iterator[tuple[int, int | None, int]]:
    """Yield where the parts of a file begin and end, and their bytes."""
    total = size(source.location)
    try:
        units = source.kind.units(source, total)
    except OSError:  # reading reports it
        units = 0
    count = min(max(1, round(total / part_bytes)), max(1, units))
    for index in range(count):
        # The last part is open: what a file has grown by since belongs to it.
        end = None if index == count - 1 else units * (index + 1) // count
        yield units * index // count, end, total // count


def pages(part: Part, limits: Limits, archives: tuple[str, ...] = ()) -> Iterator[RawPage]:
    """Yield all records of a part, each with what is known of its origin; the last with the problem that ended it."""
    location, kind = part.locations[0], KINDS[part.kind]
    inputs = [Input(each, kind, part.saved or each) for each in part.locations]
    if kind.records:
        records = kind.records(inputs[0], ReadOptions(limits, archives=archives), part.start, part.end)
    else:
        records = read(inputs, limits)
    try:
        for page in records:
            yield page if page.record else replace(page, record=Record(page.name, 0, "resource"))
    except decompression_errors() as error:
        # A store may answer next time, and a full disk, where archives are unpacked, is not the input's fault.
        if is_remote(location) or getattr(error, "errno", None) in FULL:
            raise
        yield RawPage(
            location, problem=Reason(Code.DAMAGED, str(error)), record=Record(location, part.start, "unknown")
        )
