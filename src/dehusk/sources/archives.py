"""Archives of crawls: the records of WARC and ARC files, also after damaged ones.

Where a record cannot be read, reading goes on at the next one that begins like a record; what is skipped is reported as
one page with its problem.
"""

import io
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import IO, Final

from dehusk.compressed import decompression_errors, suffix_by_content
from dehusk.extras import require
from dehusk.reasons import Code, Reason
from dehusk.sources import frames
from dehusk.sources.account import Account
from dehusk.sources.files import spooled, unpacked
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

SUFFIXES: Final = frozenset({".arc", ".warc"})
WARC_BEGINNING: Final = b"WARC/1."
ARC_BEGINNING: Final = b"filedesc://"
# A version and a header, or the line of the first record, as far as there is some: a text may begin with such a word.
# Or LZ4, by which nothing else is compressed.
SIGNATURE: Final = re.compile(
    rb"WARC/1\.\d+[ \t]*(?:\r?\n[!-9;-~]*(?::|$)|$)|filedesc://\S*(?: [\d.]*(?: |$)|$)|\x04\x22\x4d\x18"
)
LARGEST: Final = 2**28  # bytes that are looked at again where something is damaged
LOOKED_AT: Final = 2**18  # bytes of a file's beginning, decompressed


def read(
    file: IO[bytes],
    name: str,
    limit: int,
    start: int = 0,
    end: int | None = None,
    *,
    exact: bool = False,
    account: Account | None = None,
) -> Iterator[RawPage]:
    """Yield the records of an archive that begin at or after `start` and before `end`.

    A record that is damaged, cut off or of another length than it states comes with its problem. An archive that was
    compressed as a whole, not record by record, is decompressed into a temporary file and read from its beginning.
    """
    if file.seekable():
        for page in _Archive.of(file, name, limit).read(start, end):
            yield page
            if account:
                account.records += 1
        if account:
            account.end = account.record_bytes = file.seek(0, io.SEEK_END)
        return
    content, problem = spooled(file)
    with content:
        yield from _Archive.of(content, name, limit).read(start, end)
    if problem:
        yield RawPage(name, problem=Reason(Code.DAMAGED, problem))


def is_divisible(file: IO[bytes], name: str) -> bool:
    """Return whether reading can begin in the middle: whether records are compressed one by one, or not at all."""
    return _Archive.of(file, name, 0).divisible


@dataclass(frozen=True, slots=True)
class _Archive:
    file: IO[bytes]
    name: str
    limit: int
    format: ModuleType  # warc or arc
    framing: frames.Framing
    divisible: bool

    @classmethod
    def of(cls, file: IO[bytes], name: str, limit: int) -> "_Archive":
        """Look at the beginning of a file."""
        file.seek(0)
        head = file.read(LOOKED_AT)
        framing = frames.framing(head, name)
        is_other = suffix_by_content(head) in (".bz2", ".xz")  # formats that are never used record by record
        begins_at = _unpacked_beginning(file, name) if is_other else framing.beginning(head, LOOKED_AT)
        # Content decides; the name, if the beginning is damaged.
        is_arc = begins_at.startswith(ARC_BEGINNING) or not (
            begins_at.startswith(WARC_BEGINNING) or _is_called_warc(Path(name).name.lower())
        )
        if is_arc:
            require("reading ARC files", "warcio")
            from dehusk.sources import arc as records  # noqa: PLC0415
        else:
            require("reading WARC files", "fastwarc")
            from dehusk.sources import warc as records  # type: ignore[no-redef]  # noqa: PLC0415
        # LZ4 is read over the ends of frames, so two records may be in two; it is not used for whole archives.
        divisible = framing in (frames.PLAIN, frames.LZ4) or not _has_two(begins_at, records)
        return cls(file, name, limit, records, framing, divisible and not is_other)

    def read(self, start: int, end: int | None) -> Iterator[RawPage]:
        if not self.divisible:
            yield from self._unpacked()
            return
        if end is not None and end <= start:
            return
        position = self._next(start, end if start else None)
        if start == 0 and position is None and self._size():
            kind = "an ARC file" if self.format.__name__.endswith(".arc") else "a WARC file"
            problem = f"not {kind}: no record begins anywhere in it"
            yield RawPage(self.name, problem=Reason(Code.INVALID_RECORD, problem))
        elif start == 0 and position:
            yield self._damaged(0, "no record begins here")
        while position is not None and (end is None or position < end):
            position = yield from self._up_to_damage(position, end)

    def _up_to_damage(self, position: int, end: int | None) -> Generator[RawPage, None, int | None]:
        """Yield records up to one that is damaged; return where to go on, None at the end."""
        held: RawPage | None = None
        self.file.seek(position)
        try:
            for page in self.format.records(self.file, self.name, self.limit):
                # A record is known to be as long as it states only when the next one begins where it should.
                if held:
                    yield held
                if end is not None and page.record.offset >= end:
                    return None
                held = page
        except (OSError, EOFError, ValueError) as error:
            last = held.record.offset if held and held.record else position
            following = self._next(last + 1)
            yield from self._around_damage(held, last, following, error)
            return following
        if held:
            yield held
        return None

    def _around_damage(
        self, held: RawPage | None, last: int, following: int | None, error: Exception
    ) -> Iterator[RawPage]:
        """Yield the record before the damage, if that is whole, and what is lost."""
        until = self._size() if following is None else following
        try:
            if until - last > LARGEST:
                raise frames.DamagedFrameError(f"more than {LARGEST:,} bytes")
            self.file.seek(last)
            content, rest = self.framing.whole(self.file.read(until - last))
        except frames.DamagedFrameError as damage:
            yield self._damaged(last, str(error if held is None else damage), held)
            return
        problem = self.format.length_error(content)
        if held is None and not problem:
            # A reader that decompresses ahead fails before the record that is damaged.
            page = next(self.format.records(io.BytesIO(content), self.name, self.limit))
            held = replace(page, name=f"{self.name}:{last}", record=replace(page.record, offset=last))
        if held is None:
            yield self._damaged(last, str(problem))
        else:
            yield replace(held, data=b"", problem=problem) if problem else held
        if rest:
            yield self._damaged(until - rest, "no record begins here")

    def _unpacked(self) -> Iterator[RawPage]:
        """Yield the records of an archive that is compressed as a whole; their offsets are those in its content."""
        self.file.seek(0)
        content, problem = spooled(unpacked(self.file, self.name))
        with content:
            yield from replace(self, file=content, framing=frames.PLAIN, divisible=True).read(0, None)
            if problem:
                yield self._damaged(content.seek(0, io.SEEK_END), problem)

    def _damaged(self, start: int, problem: str, held: RawPage | None = None) -> RawPage:
        facts = held.record if held and held.record else Record(self.name, start, "unknown")
        url = held.url if held else None
        return RawPage(f"{self.name}:{start}", url=url, problem=Reason(Code.DAMAGED, problem), record=facts)

    def _next(self, position: int, end: int | None = None) -> int | None:
        return frames.next_start(self.file, position, self.framing, self.format.begins, end)

    def _size(self) -> int:
        return self.file.seek(0, io.SEEK_END)


def _is_called_warc(name: str) -> bool:
    """Return whether a name says WARC, and not ARC after it.

    >>> _is_called_warc("crawl.warc.gz"), _is_called_warc("warcs-1999.arc.gz"), _is_called_warc("crawl")
    (True, False, False)
    """
    return name[: name.rfind("arc")].endswith("w") if "arc" in name else False


def _unpacked_beginning(file: IO[bytes], name: str) -> bytes:
    file.seek(0)
    try:
        return unpacked(file, name).read(LOOKED_AT)
    except decompression_errors():  # which reading reports
        return b""


def _has_two(beginning: bytes, format: ModuleType) -> bool:
    """Return whether a second record begins in what was decompressed of the first frame."""
    starts = (match.start() for match in frames.PLAIN.magic.finditer(beginning, 1))
    second = next((start for start in starts if format.begins(beginning[start:])), None)
    return second is not None and not format.length_error(beginning[:second])
