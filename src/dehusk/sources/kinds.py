"""Kinds of input: one table of how each is recognised, read as a whole, divided into parts, and read in parts.

The kind of an input is decided once, by `inputs.look_at`, and travels with its location:

1. A signature decides, whatever the file is called: that of WARC, ARC, WACZ and Parquet, compressed or not.
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

from dehusk.compressed import decompression_errors, plain_path, suffix_by_content
from dehusk.config import Limits
from dehusk.reasons import Code, Reason
from dehusk.sources import archives, cdx, files, json_lines, tables, wacz
from dehusk.sources.account import Account, Gap
from dehusk.sources.raw_page import RawPage
from dehusk.sources.reach import Reach
from dehusk.sources.record import Record
from dehusk.sources.remote import is_remote

if TYPE_CHECKING:
    from dehusk.sources.fetcher import Policy

NEVER: Final = re.compile(b"(?!)")
LARGEST_EMPTY: Final = 100  # bytes of a compressed file without content; others lead their decompressor astray
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
    archives: tuple[str, ...] = ()  # folders and addresses of which an index may name archives, besides its own


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
    """Yield the pages of an archive, with or without their markup, or the plain texts, and what is damaged."""
    assert source.kind.records
    for page in source.kind.records(source, options):
        record = page.record
        is_page = record is None or (record.is_text if options.field == "text" else record.is_page)
        is_page = is_page or (record is not None and record.is_converted)
        if (is_page or (record and record.kind == "unknown")) and options.select(page.name, None):
            yield page


def _archive(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    with source.opened_raw() as file:
        exact, account = options.exact, options.account
        yield from archives.read(file, source.location, options.limits.bytes, start, end, exact=exact, account=account)


def _archive_units(source: Input, size: int) -> int:
    with source.opened_raw() as file:
        return size if archives.is_divisible(file, source.location) else 0


def _wacz(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    def records(file: IO[bytes], account: Account) -> Iterator[RawPage]:
        return wacz.read(file, source.location, options.limits.bytes, start, end, account)

    return _in_whole_file(source, options, records)


def _wacz_members(source: Input, size: int) -> int:
    with source.opened_raw() as file:
        return wacz.members(file)


def _index(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    reach = Reach.of(source.location, options.archives, source.open)

    def records(stream: IO[bytes], account: Account) -> Iterator[RawPage]:
        return cdx.read(stream, source.location, options.limits.bytes, reach, account)

    return _in_content(source, options, records)


def _in_content(
    source: Input, options: ReadOptions, records: Callable[[IO[bytes], Account], Iterator[RawPage]]
) -> Iterator[RawPage]:
    """Yield the records in the content of an input; the account is of its bytes as they are, compressed or not."""
    with source.opened_raw() as file:
        stream, account = files.unpacked(file, source.location), options.account or Account()
        if stream is file:
            yield from records(stream, account)
            return
        content, problem = Account(), None
        try:
            yield from records(stream, content)
        except decompression_errors() as error:
            # An error with a number is one of the disk or of a store.
            if getattr(error, "errno", None) is not None:
                raise
            problem = Reason(Code.DAMAGED, str(error))
            unknown = Record(source.location, content.end, "unknown")
            yield RawPage(source.location, problem=problem, record=unknown)
        if file.seekable():
            position, size = file.tell(), file.seek(0, io.SEEK_END)
            if not content.end and not problem and size > LARGEST_EMPTY:
                problem = Reason(Code.GAP, seen=size)
                yield RawPage(source.location, problem=problem, record=Record(source.location, 0, "unknown"))
            start = min(position, size - 1) if content.records else 0
            account.add_packed(content, size, Gap(start, size, problem) if problem else None)


def _selected_rows(source: Input, options: ReadOptions) -> Iterator[RawPage]:
    pages = _table_rows(source, options, 0, None, with_others=True)
    return (page for page in pages if options.select(page.name, None))


def _rows(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    return _table_rows(source, options, start, end, with_others=False)


def _table_rows(
    source: Input, options: ReadOptions, start: int, end: int | None, *, with_others: bool
) -> Iterator[RawPage]:
    reader = tables.TableReader(source.location, options.field, options.limits.bytes, with_others)
    return _in_whole_file(source, options, lambda file, account: reader.read(file, start, end, account))


def _in_whole_file(
    source: Input, options: ReadOptions, records: Callable[[IO[bytes], Account], Iterator[RawPage]]
) -> Iterator[RawPage]:
    """Yield the records in an input that has its directory at its end; what is compressed is unpacked first."""
    with source.opened_raw() as file:
        content, account = files.unpacked(file, source.location), options.account or Account()
        if content is file and file.seekable():
            yield from records(file, account)
            return
        inside = Account()
        with files.spooled(content)[0] as unpacked:
            yield from records(unpacked, inside)
        if file.seekable():
            size = file.seek(0, io.SEEK_END)
            account.add_packed(inside, size, next((Gap(0, size, gap.reason) for gap in inside.gaps), None))


def _row_groups(source: Input, size: int) -> int:
    with source.opened_raw() as file:
        return tables.row_groups(file)


def _selected_lines(source: Input, options: ReadOptions) -> Iterator[RawPage]:
    with source.opened() as stream:
        yield from json_lines.read(stream, source.location, options.limits.bytes, options.select, options.field)


def _lines(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    def records(stream: IO[bytes], account: Account) -> Iterator[RawPage]:
        first = start if options.exact else json_lines.line_start(stream, start)
        return json_lines.read_range(stream, source.location, options.limits.bytes, first, end, options.field, account)

    return _in_content(source, options, records)


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
WACZ: Final = InputKind(
    "wacz", wacz.SUFFIXES, _pages_among_records, _wacz, signature=wacz.SIGNATURE, units=_wacz_members,
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
KINDS: Final = {kind.name: kind for kind in (ARCHIVE, WACZ, INDEX, TABLE, LINES, PAGE)}
