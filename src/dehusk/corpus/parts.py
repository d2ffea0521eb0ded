"""Parts: units of work, known before anything is read, so that a run can stop and go on between any two of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dehusk.sources.files import URL, size
from dehusk.sources.inputs import look_at
from dehusk.sources.kinds import KINDS, PAGE, Input, InputKind
from dehusk.sources.patient import LostError, Patience

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
    input: int = -1  # the number of its first location among all inputs
    sizes: tuple[int | None, ...] = (None,)  # of the files; None if unknown
    divisible: bool = False  # whether reading can begin anywhere in the file, at the next record
    exact: bool = False  # whether it begins just at its start, where the part before it ended


@dataclass(frozen=True, slots=True)
class _Planned:
    """An input as it was found."""

    source: Input
    size: int | None
    units: int  # that parts share; 0 if there can be only one


def plan(
    locations: Iterable[str], part_bytes: int, earlier: Iterable[str] = (), saved: Mapping[str, str] | None = None
) -> list[Part]:
    """Divide inputs into parts of about so many bytes; the same inputs always give the same parts.

    `earlier` are files of earlier corpora, which come first, and `saved` has the files of what cannot be read twice.
    """
    saved = saved or {}
    parts: list[Part] = []
    pages: list[tuple[str, int | None]] = []

    def flush(end: int) -> None:
        if pages:
            names, sizes = zip(*pages, strict=True)
            count = sum(filter(None, sizes))
            parts.append(Part(len(parts), PAGE.name, names, bytes=count, input=end - len(pages), sizes=sizes))
            pages.clear()

    for shard in earlier:
        parts.append(Part(len(parts), EARLIER, (shard,), bytes=_looked_at(shard, shard).size or 0))
    locations = list(locations)
    for index, location in enumerate(locations):
        found = _looked_at(location, saved.get(location, location))
        if not found.source.kind.many and location not in saved:
            pages.append((location, found.size))
            if len(pages) >= MOST_FILES or sum(count or 0 for _, count in pages) >= part_bytes:
                flush(index + 1)
            continue
        flush(index)
        whole = Part(
            0, found.source.kind.name, (location,), saved=saved.get(location, ""), input=index, sizes=(found.size,),
            divisible=found.units > 0 and found.source.kind.in_bytes,
        )  # fmt: skip
        for start, end, count in _ranges(found, part_bytes):
            parts.append(replace(whole, number=len(parts), start=start, end=end, bytes=count))
    flush(len(locations))
    return parts


def _looked_at(location: str, path: str) -> _Planned:
    """Look at an input; what cannot be looked at is one part, and reading it says why."""
    patience, total = Patience(path), None
    source = Input(location, _named(location), path)
    try:
        source = replace(look_at(path, patience.open), location=location, open=patience.open)
        if not URL.match(location):
            total = patience.insist(path, lambda: size(path))
        return _Planned(source, total, source.kind.units(source, total or 0))
    except (LostError, OSError):
        return _Planned(source, total, 0)


def _named(location: str) -> InputKind:
    return next((kind for kind in KINDS.values() if kind.is_name(Path(location))), PAGE)


def _ranges(found: _Planned, part_bytes: int) -> Iterator[tuple[int, int | None, int]]:
    """Yield where the parts of a file begin and end, and their bytes."""
    total, units = found.size or 0, found.units
    count = min(max(1, round(total / part_bytes)), max(1, units))
    for index in range(count):
        # The last part is open: what a file has grown by since belongs to it.
        end = None if index == count - 1 else units * (index + 1) // count
        yield units * index // count, end, total // count
