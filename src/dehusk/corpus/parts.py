"""Parts: units of work, known before anything is read, so that a run can stop and go on between any two of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dehusk.compressed import SUFFIXES, decompression_errors
from dehusk.config import Limits
from dehusk.corpus.saved_input import STANDARD_INPUT
from dehusk.sources import archives, cdx, files, json_lines, read, tables
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from dehusk.sources.remote import is_remote
from dehusk.sources.remote import size as remote_size

MOST_FILES: Final = 1000  # in a part
ARCHIVE, INDEX, LINES, TABLE, FILES, EARLIER = "archive", "index", "lines", "table", "files", "earlier"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an input: bytes of an archive or of JSON lines, row groups of a table, or whole files.

    A file of an earlier corpus is a part, too, whose documents are compared but not written again.
    """

    number: int
    kind: str
    locations: tuple[str, ...]
    start: int = 0
    end: int | None = None
    bytes: int = 0  # of input, for those who wait
    saved: str = ""  # the file that standard input was saved in, if it is what is read


def plan(
    locations: Iterable[str], part_bytes: int, earlier: Iterable[str] = (), saved: Path | None = None
) -> list[Part]:
    """Divide inputs into parts of about so many bytes; the same inputs always give the same parts.

    `earlier` are files of earlier corpora, which come first, and `saved` is where standard input is.
    """
    parts: list[Part] = []
    single: list[tuple[str, int]] = []

    def add(kind: str, locations: tuple[str, ...], start: int, end: int | None, count: int) -> None:
        is_saved = locations[0] == STANDARD_INPUT
        parts.append(Part(len(parts), kind, locations, start, end, count, str(saved) if is_saved else ""))

    def flush() -> None:
        if single:
            add(FILES, tuple(name for name, _ in single), 0, None, sum(count for _, count in single))
            single.clear()

    for shard in earlier:
        add(EARLIER, (shard,), 0, None, size(shard))
    for location in locations:
        path = str(saved) if location == STANDARD_INPUT else location
        kind = _kind(path)
        if kind == FILES and path == location:
            single.append((location, size(location)))
            if len(single) >= MOST_FILES or sum(count for _, count in single) >= part_bytes:
                flush()
            continue
        flush()
        for start, end, count in _ranges(path, kind, part_bytes):
            add(kind, (location,), start, end, count)
    flush()
    return parts


def _kind(location: str) -> str:
    kinds: tuple[tuple[str, Callable[[str], bool]], ...] = (
        (ARCHIVE, archives.is_archive),
        (INDEX, cdx.is_index),
        (TABLE, tables.holds_rows),
        (LINES, json_lines.holds_lines),
    )
    return next((kind for kind, holds in kinds if holds(location)), FILES)


def _ranges(location: str, kind: str, part_bytes: int) -> Iterator[tuple[int, int | None, int]]:
    """Yield where the parts of a file begin and end, and their bytes."""
    total = size(location)
    count = max(1, round(total / part_bytes))
    if kind == TABLE:
        groups = _row_groups(location)
        count = min(count, max(groups, 1))
        bounds = [groups * place // count for place in range(count + 1)]
    elif (kind == ARCHIVE and _is_divisible(location)) or (
        kind == LINES and Path(location).suffix.lower() not in SUFFIXES
    ):
        bounds = [total * place // count for place in range(count + 1)]
    else:
        count, bounds = 1, [0, 0]
    for place in range(count):
        # The last part is open: what a file has grown by since belongs to it.
        end = None if place == count - 1 else bounds[place + 1]
        yield bounds[place], end, total // count


def _row_groups(location: str) -> int:
    try:
        with files.opened_raw(location) as file:
            return tables.row_groups(file)
    except OSError:  # reading reports it
        return 0


def _is_divisible(location: str) -> bool:
    try:
        with files.opened_raw(location) as file:
            return archives.is_divisible(file, location)
    except OSError:  # reading reports it
        return False


def size(location: str) -> int:
    """Return the bytes of a file; 0 if they are unknown."""
    if is_remote(location):
        return remote_size(location)
    try:
        return Path(location).stat().st_size
    except OSError:
        return 0


def pages(part: Part, limits: Limits) -> Iterator[RawPage]:
    """Yield all records of a part, each with what is known of its place; the last with the problem that ended it."""
    location = part.locations[0]
    try:
        for page in _read(part, limits):
            yield page if page.record else replace(page, record=Record(page.name, 0, "resource"))
    except decompression_errors() as error:
        if is_remote(location):  # which may answer next time
            raise
        yield RawPage(location, problem=f"damaged: {error}", record=Record(location, part.start, "unknown"))


def _read(part: Part, limits: Limits) -> Iterator[RawPage]:
    location = part.locations[0]
    path = part.saved or location
    if part.kind == ARCHIVE:
        with files.opened_raw(path) as file:
            yield from archives.read(file, location, limits.bytes, part.start, part.end)
    elif part.kind == INDEX:
        with files.opened(location) as file:
            yield from cdx.read(file, location, limits.bytes, files.opened_raw)
    elif part.kind == TABLE:
        with files.opened_raw(location) as file:
            yield from tables.read(file, location, "html", tables.Rows(part.start, part.end))
    elif part.kind == LINES:
        with files.opened(path) as file:
            yield from json_lines.read_range(file, location, limits.bytes, part.start, part.end)
    elif part.saved:
        for page in read([path], limits):
            yield replace(page, name=location)
    else:
        yield from read(part.locations, limits)
