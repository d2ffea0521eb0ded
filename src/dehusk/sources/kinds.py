"""Kinds of input: one table of how each is recognised, read as a whole, divided into parts, and read in parts.

The kind of an input is decided once, by `inputs.look_at`, and travels with its location:

1. A signature decides, whatever the file is called: that of WARC, ARC and Parquet, compressed or not.
2. Otherwise its name does, if that says anything, so that a page or a text that begins with a brace stays one.
3. Otherwise (standard input, a pipe, no known ending) how its text begins: JSON lines and indexes.
4. Everything else is one page.
"""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from dehusk.compressed import plain_path, suffix_by_content
from dehusk.config import Limits
from dehusk.sources import archives, cdx, files, json_lines, tables
from dehusk.sources.account import Account
from dehusk.sources.raw_page import RawPage
from dehusk.sources.remote import is_remote

if TYPE_CHECKING:
    from dehusk.sources.fetcher import Policy

NEVER: Final = re.compile(b"(?!)")
Select = Callable[[str, bytes | None], bool]
Opener = Callable[[str], AbstractContextManager[IO[bytes]]]  # of a file, by its location


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What `sources.read` was asked for."""

    limits: Limits = field(default_factory=Limits)
    select: Select = lambda name, content: True
    field: str = "html"  # of a JSON line or a row: what holds the page
    private: bool = False  # whether URLs may lead to private networks
    exact: bool = False  # whether a stretch begins just where it is said to, and not at the next record
    account: Account | None = None  # to which the reader of records adds what becomes of the bytes


@dataclass(frozen=True, slots=True)
class Input:
    """A location whose kind is known."""

    location: str
    kind: "InputKind"
    file: str | IO[bytes]  # what to open or, of what can be read only once, the open stream at its beginning
    open: Opener = files.opened_raw  # opens it, and what it names

    def opened_raw(self) -> AbstractContextManager[IO[bytes]]:
        """Open it as it is."""
        if isinstance(self.file, str):
            return self.open(self.file)
        return nullcontext(self.file) if self.location == "-" else self.file

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open it; what is compressed is decompressed as it is read."""
        with self.opened_raw() as file:
            yield files.unpacked(file, self.location)


class RecordReader(Protocol):
    """Reads the records that begin in a stretch of an input, pages or not; of an index, all that it names."""

    def __call__(
        self, source: Input, options: ReadOptions, start: int = 0, end: int | None = None
    ) -> Iterator[RawPage]:
        """Yield the records; what cannot be read comes with its problem."""


@dataclass(frozen=True, slots=True)
class InputKind:
    """A kind of input."""

    name: str
    suffixes: frozenset[str]
    read: Callable[[Input, ReadOptions], Iterator[RawPage]]  # the pages that were selected
    records: RecordReader | None = None  # None: it is a single page
    signature: re.Pattern[bytes] = NEVER  # how its content begins, and no other's does
    beginning: re.Pattern[bytes] = NEVER  # how its content begins, which a page may do, too
    other_names: re.Pattern[str] | None = None  # of files without such a suffix
    units: Callable[[Input, int], int] = lambda source, size: 0  # that parts share: bytes, row groups; 0: one part only
    in_bytes: bool = False  # whether these are bytes, and the offset of a record says how far it is in its part
    as_lines: bool = False  # whether its pages come out as JSON lines
    in_folders: bool = True  # whether a folder stands for such files in it

    @property
    def many(self) -> bool:
        """Whether it holds more than one page."""
        return self.records is not None

    def is_name(self, path: Path) -> bool:
        """Return whether a file of this kind is called like this."""
        suffix = plain_path(path, files.ALL_SUFFIXES).suffix.lower()
        return suffix in self.suffixes or (self.other_names is not None and bool(self.other_names.fullmatch(path.name)))


def _pages_among_records(source: Input, options: ReadOptions) -> Iterator[RawPage]:
    """Yield the pages of an archive, or the plain texts, and what is damaged."""
    assert source.kind.records
    for page in source.kind.records(source, options):
        record = page.record
        is_page = record is None or (record.is_text if options.field == "text" else record.is_page)
        if (is_page or (record and record.kind == "unknown")) and options.select(page.name, None):
            yield page


def _archive(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    with source.opened_raw() as file:
        yield from archives.read(file, source.location, options.limits.bytes, start, end)


def _archive_units(source: Input, size: int) -> int:
    with source.opened_raw() as file:
        return size if archives.is_divisible(file, source.location) else 0


def _index(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    with source.opened() as stream:
        yield from cdx.read(stream, source.location, options.limits.bytes, source.open)


def _selected_rows(source: Input, options: ReadOptions) -> Iterator[RawPage]:
    return (page for page in _rows(source, options) if options.select(page.name, None))


def _rows(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    with source.opened_raw() as file:
        content = files.unpacked(file, source.location)
        # A table has its directory at its end.
        is_whole = content is file and file.seekable()
        with nullcontext(file) if is_whole else files.spooled(content)[0] as table:
            yield from tables.read(table, source.location, options.field, start, end)


def _row_groups(source: Input, size: int) -> int:
    with source.opened_raw() as file:
        return tables.row_groups(file)


def _selected_lines(source: Input, options: ReadOptions) -> Iterator[RawPage]:
    with source.opened() as stream:
        yield from json_lines.read(stream, source.location, options.limits.bytes, options.select, options.field)


def _lines(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    with source.opened() as stream:
        yield from json_lines.read_range(stream, source.location, options.limits.bytes, start, end, options.field)


def _line_units(source: Input, size: int) -> int:
    is_packed = Path(source.location).suffix.lower() in files.ALL_SUFFIXES
    if not is_packed and not is_remote(source.location):  # where looking costs a request
        with source.opened_raw() as file:
            is_packed = bool(suffix_by_content(file.read(8)))
    return 0 if is_packed else size


def _page(source: Input, options: ReadOptions) -> Iterator[RawPage]:
    name = source.location
    if name != "-" and not options.select(name, None):
        return
    if files.URL.match(name):
        from dehusk.sources.fetcher import Policy  # noqa: PLC0415  (a tenth of the time to start, and not always needed)

        yield fetched(name, options.limits, Policy(private=options.private))
        return
    with source.opened() as stream:
        # Not the whole of a huge file: one byte over the limit is enough to have it refused.
        data = stream.read(options.limits.bytes + 1)
    if name != "-" or options.select(name, data):
        yield RawPage(name, data)


def fetched(url: str, limits: Limits, policy: "Policy") -> RawPage:
    """Return the page at a URL, decompressed, or with the problem that it has."""
    from dehusk.sources.fetcher import fetch  # noqa: PLC0415  (as above)

    page = fetch(url, limits, policy)
    # The fetcher decompresses what was compressed on the way; this is for files that lie compressed on the server.
    with files.unpacked(io.BytesIO(page.data), "-") as stream:  # type: ignore[arg-type]
        return replace(page, data=stream.read(limits.bytes + 1))


ARCHIVE: Final = InputKind(
    "archive", archives.SUFFIXES, _pages_among_records, _archive,
    signature=archives.SIGNATURE, units=_archive_units, in_bytes=True,
)  # fmt: skip
INDEX: Final = InputKind(
    "index", cdx.SUFFIXES, _pages_among_records, _index,
    beginning=cdx.BEGINNING, other_names=cdx.NAMES, in_folders=False,  # where the archives that it names are, too
)  # fmt: skip
TABLE: Final = InputKind(
    "table", tables.SUFFIXES, _selected_rows, _rows,
    signature=tables.SIGNATURE, units=_row_groups, as_lines=True,
)  # fmt: skip
LINES: Final = InputKind(
    "lines", json_lines.SUFFIXES, _selected_lines, _lines,
    beginning=json_lines.OBJECT, units=_line_units, in_bytes=True, as_lines=True,
)  # fmt: skip
PAGE: Final = InputKind("page", files.PAGE_SUFFIXES | files.TEXT_SUFFIXES, _page)
KINDS: Final = {kind.name: kind for kind in (ARCHIVE, INDEX, TABLE, LINES, PAGE)}
