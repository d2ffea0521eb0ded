"""The reader of archives: the records of WARC and ARC files, and what became of every byte of them.

A file is a sequence of records, of padding, and of gaps: stretches in which no record can be read. What follows a place
where a record begins at the start of a frame, or among plain bytes, depends on nothing before it (but for a dictionary
at the beginning of the file), so that a file can be read in parts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Final, TypeAlias

from dehusk.reasons import Code, Reason
from dehusk.sources import arc, frames, http_message, warc
from dehusk.sources.account import Account, Gap
from dehusk.sources.content import FramedContent, PlainContent, next_start, opened
from dehusk.sources.extent import TAIL, Header, begins_at, end_of_record, garbage_start, header, holds_start, line_ends
from dehusk.sources.files import spooled
from dehusk.sources.raw_file import RawFile
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

FACTS: Final = 2**16  # bytes of a damaged record that are looked at for its status and type
LOOKED_AT: Final = 2**18  # bytes of content that show whether it has more than one record
SANE: Final = 2**32  # bytes of a record: a length above it is not believed
# Bytes of a frame that are not content, or not used up where its decompressor failed, at most; a record takes more.
TRAILER: Final = 128

Content: TypeAlias = PlainContent | FramedContent


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
    """Yield the records of an archive that begin at or after `start` and before `end`, and the gaps between them.

    A record that is damaged, cut off or of another length than it states comes with its problem, and so does a gap.
    Unless `exact`, the first record at or after `start` is found by its looks, and may turn out to be part of another
    record: then `account.start` is not where the part before ended.
    """
    account = Account() if account is None else account
    if file.seekable():
        yield from _Reader(RawFile(file, start), name, limit, account).read(start, end, exact=exact or not start)
        return
    content, problem = spooled(file)
    with content:
        yield from _Reader(RawFile(content, start), name, limit, account).read(start, end, exact=exact or not start)
    if problem:
        reason = Reason(Code.UNREADABLE, problem)
        account.gaps.append(Gap(account.end, account.end, reason))
        yield RawPage(name, problem=reason)


def is_divisible(file: IO[bytes], name: str) -> bool:
    """Return whether reading can begin in the middle: whether records are compressed one by one, or not at all."""
    content = _Reader(RawFile(file), name, 0, Account()).next_content(None)
    if content is None or isinstance(content, PlainContent):
        return True
    head, data = header(content, 0), content.read(0, LOOKED_AT)
    end = head.size + (head.length or 0) if head else 1
    return all(start < end for start in (*warc.starts(data), *arc.starts(data)))


@dataclass(slots=True)
class _Reader:
    raw: RawFile
    name: str
    limit: int
    account: Account
    position: int = 0  # up to where all bytes are accounted for

    def read(self, start: int, end: int | None, *, exact: bool) -> Iterator[RawPage]:
        if not exact:
            found = next_start(self.raw, start, end, aligned=True)
            start = found if found is not None else self.raw.size if end is None else end
        self.position = self.account.start = self.account.end = start
        while content := self.next_content(end):
            yield from self._records(content)
        self.account.end = self.position

    def next_content(self, end: int | None) -> Content | None:
        """Return the content after the padding; None if there is none, or none that begins before the `end`."""
        while True:
            self._pad(self.position + line_ends(self.raw.read, self.position))
            if self.position >= (self.raw.size if end is None else min(end, self.raw.size)):
                return None
            self.raw.begin(self.position)
            content = opened(self.raw, self.position)
            if isinstance(content, PlainContent):
                return content
            boundary = content.boundary(line_ends(content.read_in_frame, 0))
            if boundary is None:
                return content
            self._pad(boundary)  # a frame without content

    def _pad(self, position: int) -> None:
        self.account.padding += position - self.position
        self.position = position

    def _records(self, content: Content) -> Iterator[RawPage]:
        """Yield records and gaps up to a place from which one can read on."""
        first = line_ends(content.read, 0)
        offset: int | None = first
        try:
            while offset is not None:
                # A record that begins with its frame is named by the offset of that.
                name_offset = content.start + (0 if offset == first else offset)
                head = header(content, offset)
                if head is None:
                    following = content.find(offset + 1)
                    position = self._following_position(content, offset, following)
                    yield self._gap(name_offset, position, content.damage)
                else:
                    page, following = self._record(content, offset, head, name_offset)
                    position = self._following_position(content, offset, following)
                    is_damaged = following is None and bool(content.damage)
                    missing = offset + head.size + (head.length or 0) - content.end if offset == first else None
                    self._count(self._damage_end(content, missing, position) if is_damaged else position)
                    yield page
                    if self.position < position:
                        yield self._gap(self.position, position, content.damage)
                offset = following if following is not None and content.boundary(following) is None else None
                content.drop(offset or 0)
        finally:
            content.close()

    def _following_position(self, content: Content, offset: int, following: int | None) -> int:
        """Return where in the file comes what follows a record or a gap."""
        if following is not None:
            return content.place(following)
        position = content.place(content.end)
        # A frame without a checksum may have swallowed the beginning of others.
        if content.damage or not (position >= self.raw.size or self._is_boundary(position)):
            start = max(content.damage_start(offset), self.position)
            self.raw.begin(start)
            found = next_start(self.raw, start, sound_from=content.damage_end)
            return self.raw.size if found is None else found
        return position

    def _damage_end(self, content: Content, missing: int | None, position: int) -> int:
        """Return where in the file a damaged record ends at the latest.

        That is where the next one begins if it is the first of its frame, and if no more is stored there than the bytes
        that are `missing`. Otherwise others may have been in the rest of the frame.
        """
        end = min(max(content.damage_end, self.position), position)
        return end if missing is None or position - end > max(missing, 0) + TRAILER else position

    def _is_boundary(self, position: int) -> bool:
        return frames.is_frame(self.raw.read(position, 10)) or begins_at(self.raw.read, position)

    def _count(self, position: int) -> None:
        self.account.records += 1
        self.account.record_bytes += position - self.position
        self.position = position

    def _gap(self, offset: int, position: int, damage: str) -> RawPage:
        reason = Reason(Code.GAP, damage, seen=position - self.position)
        if self.position == 0 and position == self.raw.size:
            reason = Reason(Code.INVALID_RECORD, "not an archive: no record begins anywhere in it")
        self.account.gaps.append(Gap(self.position, position, reason))
        self.position = position
        return RawPage(f"{self.name}:{offset}", problem=reason, record=Record(self.name, offset, "unknown"))

    def _record(self, content: Content, offset: int, head: Header, name_offset: int) -> tuple[RawPage, int | None]:
        """Return a record and the offset of what follows it in its content, None if nothing does."""
        block, length = offset + head.size, head.length
        garbage = garbage_start(content.read(offset, head.size))
        if garbage is not None and holds_start(content.read, offset + 1, block):
            head = replace(head, is_whole=False)  # it goes on as that of another record
        following = end_of_record(content, block, block + length) if head.is_whole and length is not None else None
        if following is not None:
            data = content.read(block, min(length or 0, self.limit + http_message.LONGEST_HEADERS))
            return head.page(data, self.name, name_offset, self.limit, None), following
        data = content.read(block, min(length or 0, FACTS))
        # A record that is not as long as it states ends where another begins; if damage is why, its length counts.
        is_in_damage = head.is_whole and length is not None and length <= SANE and block + length + TAIL > content.end
        text = head.size if garbage is None else garbage
        following = None if content.damage and is_in_damage else content.find(offset + text)
        problem = self._problem(content, block, head, following)
        return head.page(data, self.name, name_offset, self.limit, problem), following

    def _problem(self, content: Content, block: int, head: Header, following: int | None) -> Reason:
        seen = (content.end if following is None else following) - block
        length, is_last = head.length, following is None
        if is_last and content.damage and not content.is_cut_off:
            return Reason(Code.DAMAGED, content.damage)
        if not head.is_whole:
            return Reason(Code.DAMAGED, "its header has no end")
        if length is None:
            return Reason(Code.WRONG_LENGTH, f"it states {head.stated[:50]!r}, and has {seen:,} bytes", seen=seen)
        if is_last and (content.is_cut_off or (seen < length and content.place(content.end) >= self.raw.size)):
            return Reason(Code.TRUNCATED, limit=length, seen=seen)
        return Reason(Code.WRONG_LENGTH, f"it states {length:,} bytes, and has {seen:,}", limit=length, seen=seen)
