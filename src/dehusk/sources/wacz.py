"""WACZ files: zip files with archives of crawls in them, which are read where they are, without unpacking to disk.

The archives, usually stored as they are, are in the folder archive/; pages, indexes and the rest are not read. What the
directory of the zip file does not name, or all if it has none, may hold archives, too, and is searched for records.
"""

import io
import re
import zlib
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any, Final

from dehusk.compressed import decompression_errors, plain_path
from dehusk.reasons import Code, Reason
from dehusk.sources import archives
from dehusk.sources.account import Account, Gap
from dehusk.sources.files import ALL_SUFFIXES
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from dehusk.sources.stretch import Stretch

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

SUFFIXES: Final = frozenset({".wacz"})
FOLDER: Final = "archive"
# The first file in it has a name that WACZ gives it: other documents are zip files, too.
SIGNATURE: Final = re.compile(
    rb"PK\x03\x04(?:.{0,25}\Z|.{26}(?:archive/|datapackage|fuzzy\.json|indexes/|pages/))", re.DOTALL
)
LARGEST_DIRECTORY: Final = 2**24  # bytes: a quarter of a million files
STORED, DEFLATED = 0, 8
EXPANSION, ALLOWANCE = 200, 2**30  # bytes for each compressed one, and on top: no archive comes near it
RECENT: Final = 2**20  # bytes of a compressed archive that are kept in case its reader goes back
DESCRIPTOR: Final = 24  # bytes that may follow a file in it


def members(file: IO[bytes]) -> int:
    """Return how many archives there are, each of which can be read separately; none if there is no directory."""
    try:
        return len(_Wacz.of(file, "", 0).infos)
    except OSError:
        return 0


def read(
    file: IO[bytes], name: str, limit: int, start: int = 0, end: int | None = None, account: Account | None = None
) -> Iterator[RawPage]:
    """Yield the records of the archives from the one with index `start` up to `end`; their names have its name."""
    account = account or Account()
    try:
        wacz = _Wacz.of(file, name, limit)
    except OSError as error:
        if error.errno is not None or not file.seek(0, io.SEEK_END):  # of the disk, or of a store; or nothing is there
            raise
        yield from archives.read(file, name, limit, account=account)
        return
    borders = wacz.borders()
    first, last = min(start, len(wacz.infos)), len(wacz.infos) if end is None else min(end, len(wacz.infos))
    account.start = account.end = borders[first]
    if not wacz.infos:
        account.records, account.record_bytes, account.end = 1, borders[-1], borders[-1]
        yield RawPage(name, problem=Reason(Code.INVALID_RECORD, "no archive in it; expected some in archive/"))
    for index in range(first, last):
        yield from wacz.records(index, borders[index + 1], account)
        yield from wacz.between(borders[index + 1], account)
    if last == len(wacz.infos):
        yield from wacz.between(borders[-1], account)


@dataclass(frozen=True, slots=True)
class _Wacz:
    file: IO[bytes]
    name: str
    limit: int
    zip: "ZipFile"
    infos: "list[ZipInfo]"  # of the archives, in the order of the file
    known: list[tuple[int, int]]  # where files begin and end, and the directory, in that order

    @classmethod
    def of(cls, file: IO[bytes], name: str, limit: int) -> "_Wacz":
        """Read the directory of a file; raise OSError if it has none."""
        from zipfile import BadZipFile, ZipFile  # noqa: PLC0415  (few need it)

        try:
            opened = ZipFile(_Bounded(file))
        except (BadZipFile, NotImplementedError, ValueError) as error:
            raise OSError(f"not a WACZ file: {error}") from error
        infos = sorted(opened.infolist(), key=lambda info: info.header_offset)
        if infos and infos[0].header_offset < 0:
            raise OSError("not a WACZ file: its beginning is missing")
        wacz = cls(file, name, limit, opened, [info for info in infos if _is_archive(info.filename)], [])
        for info in infos:
            wacz.known.append((info.header_offset, wacz._data_start(info) + info.compress_size))
        wacz.known.append((opened.start_dir, file.seek(0, io.SEEK_END)))
        return wacz

    def borders(self) -> list[int]:
        """Return where archives begin in the file, and its end; the first has what is before it, too."""
        size, borders = self.file.seek(0, io.SEEK_END), [0]
        for info in self.infos[1:]:
            borders.append(min(max(info.header_offset, borders[-1]), size))
        return [*borders, size]

    def records(self, index: int, end: int, account: Account) -> Iterator[RawPage]:
        """Yield the records of an archive, all of which must be before `end`."""
        info, inside = self.infos[index], Account()
        name = f"{self.name}:{info.filename}"
        start = min(max(self._data_start(info), account.end), end)
        yield from self.between(start, account)
        problem = self._problem(info, start, end)
        try:
            if not problem:
                problem = self._damage(info, start)
                for page in archives.read(self._opened(info, start), name, self.limit, account=inside):
                    yield replace(page, data=b"", problem=page.problem or problem) if problem else page
        except decompression_errors() as error:
            if getattr(error, "errno", None) is not None:  # of the disk, or of a store
                raise
            problem = Reason(Code.DAMAGED, str(error))
        if problem:
            yield RawPage(name, problem=problem, record=Record(name, 0, "unknown"))
        account.end = min(start + info.compress_size, end)
        _add(account, inside, start, problem, is_stored=info.compress_type == STORED)

    def between(self, end: int, account: Account) -> Iterator[RawPage]:
        """Account for what is between archives, and yield what is found where nothing was expected."""
        index = max(bisect(self.known, (account.end + 1,)) - 1, 0)
        until = bisect(self.known, (end,))
        for first, last in (*self.known[index:until], (end, end)):
            if min(first, end) - account.end > DESCRIPTOR:
                yield from self._unnamed(min(first, end), account)
            account.padding += max(min(last, end) - account.end, 0)
            account.end = max(min(last, end), account.end)

    def _unnamed(self, end: int, account: Account) -> Iterator[RawPage]:
        """Yield the records in a stretch that the directory does not name."""
        start, inside = account.end, Account()
        stretch = Stretch.buffered(self.file, start, end - start)
        yield from archives.read(stretch, f"{self.name}:{start}", self.limit, account=inside)
        account.end = end
        _add(account, inside, start, None, is_stored=True)

    def _data_start(self, info: "ZipInfo") -> int:
        """Return where the bytes of an archive begin: after its header, which need not be that of the directory."""
        self.file.seek(info.header_offset)
        header = self.file.read(30)
        names = sum(int.from_bytes(header[each : each + 2], "little") for each in (26, 28))
        return info.header_offset + (30 + names if header.startswith(b"PK\x03\x04") else 0)

    def _problem(self, info: "ZipInfo", start: int, end: int) -> Reason | None:
        """Return why an archive is not read; None if it is."""
        if info.flag_bits & 1:
            return Reason(Code.UNREADABLE, "encrypted")
        if info.compress_type not in (STORED, DEFLATED):
            return Reason(Code.UNREADABLE, f"compressed by method {info.compress_type}; expected none, or deflate")
        if self._data_start(info) != start or start == info.header_offset:
            return Reason(Code.DAMAGED, "no file begins where the directory of the zip file says")
        if info.file_size > ALLOWANCE + EXPANSION * info.compress_size:
            return Reason(Code.TOO_LARGE, f"bytes for each of {info.compress_size:,}", limit=EXPANSION)
        if start + info.compress_size > end:
            return Reason(Code.DAMAGED, "it goes on where the next file begins, or the zip file ends")
        return None

    def _damage(self, info: "ZipInfo", start: int) -> Reason | None:
        """Return what is wrong with a compressed archive, in which one wrong bit changes all that follows."""
        if info.compress_type == STORED:
            return None
        checksum = 0
        with self._opened(info, start) as file:
            while data := file.read(RECENT):
                checksum = zlib.crc32(data, checksum)
        return Reason(Code.DAMAGED, "its checksum is wrong") if checksum != info.CRC else None

    def _opened(self, info: "ZipInfo", start: int) -> IO[bytes]:
        if info.compress_type == STORED:
            return Stretch.buffered(self.file, start, info.compress_size)
        return io.BufferedReader(_Inflated(self.file, start, info))


def _add(account: Account, inside: Account, start: int, problem: Reason | None, *, is_stored: bool) -> None:
    """Add the account of an archive in a zip file, whose bytes go from `start` to the end of the account so far."""
    account.records += inside.records
    size = account.end - start
    if is_stored and not problem:
        account.record_bytes += inside.record_bytes
        account.padding += inside.padding
        account.gaps += [Gap(gap.start + start, gap.end + start, gap.reason) for gap in inside.gaps]
        return
    # Which record a compressed byte belongs to is not known: where one may be lost, all of them may be.
    problem = problem or next((gap.reason for gap in inside.gaps), None)
    if problem:
        account.gaps.append(Gap(start, account.end, problem))
    else:
        account.record_bytes += size


def _is_archive(name: str) -> bool:
    """Return whether a file in a WACZ file is an archive.

    >>> [_is_archive(name) for name in ("archive/data.warc.gz", "a/b.warc", "archive/", "pages/pages.jsonl")]
    [True, True, False, False]
    """
    path = PurePosixPath(name)
    suffix = plain_path(path, ALL_SUFFIXES).suffix.lower()  # type: ignore[arg-type]
    return not name.endswith("/") and (suffix in archives.SUFFIXES or path.parts[:1] == (FOLDER,))


class _Bounded:
    """A file of which a directory may be read that is not too large: each of its entries takes room."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position; raise ValueError for one before the file, where each kind of file has its own error."""
        if whence == io.SEEK_SET and offset < 0:
            raise ValueError("its directory begins before the file")
        return self._file.seek(offset, whence)

    def read(self, count: int = -1) -> bytes:
        """Read so many bytes."""
        if count > LARGEST_DIRECTORY:
            raise OSError(f"not a WACZ file: a directory of {count:,} bytes")
        return self._file.read(count)


class _Inflated(Stretch):
    """An archive that is compressed in the zip file: going back a little is free, going back far begins again."""

    def __init__(self, file: IO[bytes], start: int, info: "ZipInfo") -> None:
        super().__init__(file, start)
        self._packed_size, self._size = info.compress_size, info.file_size
        self._restart()

    def _restart(self) -> None:
        self._packed = Stretch(self._file, self._start, self._packed_size)
        self._decompressor, self._rest = zlib.decompressobj(-15), b""
        self._recent, self._recent_end = bytearray(), 0

    def readinto(self, buffer: Any) -> int:
        if self._position < self._recent_end - len(self._recent):
            self._restart()
        while self._recent_end <= self._position < self._size and self._decompress():
            pass
        begin = max(self._position - (self._recent_end - len(self._recent)), 0)
        data = self._recent[begin : begin + len(buffer)] if self._position < self._recent_end else b""
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _decompress(self) -> bool:
        """Decompress the next bytes; return whether there were any."""
        packed = self._rest or self._packed.read(RECENT // 16) or b""
        if self._decompressor.eof or not packed:
            if not self._decompressor.eof:
                raise EOFError("compressed data ends too early")
            return False
        data = self._decompressor.decompress(packed, RECENT // 4)
        self._rest = self._decompressor.unconsumed_tail
        self._recent = (self._recent + data)[-RECENT:]
        self._recent_end += len(data)
        return True
