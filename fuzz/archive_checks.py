"""What must hold of every archive, sound or damaged: no error, no silent loss, no ghost, and bytes that add up."""

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from dehusk.config import Limits
from dehusk.reasons import Code
from dehusk.sources.account import Account
from dehusk.sources.inputs import look_at
from dehusk.sources.kinds import ReadOptions
from fuzz.archive_cases import ArchiveCase
from fuzz.invariants import check
from testing.made_archives import CHECKED, DIVISIBLE

LIMITS: Final = Limits()
# warcio reads these; of others it says that they are not as they should be.
REFERENCE: Final = ("", ".gz")


class Seen(NamedTuple):
    """A record as it was read."""

    url: str | None
    body: bytes
    code: Code | None
    kind: str
    offset: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What came out of a file, or of a part of it."""

    records: tuple[Seen, ...]
    account: Account

    @property
    def has_trouble(self) -> bool:
        """Whether anything is reported as not readable."""
        return bool(self.account.gaps) or any(record.code for record in self.records)


def read(path: Path, start: int = 0, end: int | None = None, *, exact: bool = False) -> Reading:
    """Read the records that begin in a stretch of a file."""
    source = look_at(str(path))
    check(source.kind.records is not None, f"it is taken for one page: {path.name}")
    assert source.kind.records
    account = Account()
    options = ReadOptions(LIMITS, exact=exact, account=account)
    records = []
    for page in source.kind.records(source, options, start, end):
        body = page.data.encode("utf-8", "surrogatepass") if isinstance(page.data, str) else page.data
        facts = page.record
        code = page.problem.code if page.problem else None
        records.append(Seen(page.url, body, code, facts.kind if facts else "", facts.offset if facts else -1))
    return Reading(tuple(records), account)


def read_in_parts(path: Path, cuts: Sequence[int]) -> Reading:
    """Read a file in parts, each of which begins where the one before it ended: as a corpus does."""
    records: list[Seen] = []
    total = Account()
    for start, end in zip((0, *cuts), (*cuts, None), strict=True):
        part = read(path, start, end)
        if part.account.start != total.end:  # it began inside a record
            part = read(path, total.end, max(end, total.end) if end is not None else None, exact=True)
        check(part.account.start == total.end, f"a part begins at {part.account.start}, the last ended at {total.end}")
        records += part.records
        total.end = part.account.end
        total.record_bytes += part.account.record_bytes
        total.padding += part.account.padding
        total.gaps += part.account.gaps
    return Reading(tuple(records), total)


# Invariants of a case and what was read of it.


def bytes_add_up(case: ArchiveCase, reading: Reading) -> None:
    """Every byte belongs to a record, to padding or to a gap."""
    account = reading.account
    check(account.is_balanced, f"the account does not add up: {account}")
    check((account.start, account.end) == (0, len(case.data)), f"of {len(case.data)} bytes: {account}")


def gaps_are_in_order(case: ArchiveCase, reading: Reading) -> None:
    """No two gaps overlap; one inside of what is compressed may have no bytes of its own."""
    position = 0
    for gap in reading.account.gaps:
        check(position <= gap.start <= gap.end, f"gaps out of order: {reading.account.gaps}")
        position = gap.end


def required_pages_are_there(case: ArchiveCase, reading: Reading) -> None:
    """What was not touched is read, as often as it is there."""
    clean = Counter((record.url, record.body) for record in reading.records if record.code is None)
    required: Counter[tuple[str | None, bytes]] = Counter((known.url, known.body) for known in case.required)
    missing = required - clean
    if missing:
        url, body = next(iter(missing))
        near = [(record.code, len(record.body)) for record in reading.records if record.url == url]
        check(False, f"{missing.total()} of {required.total()} lost: {url} ({len(body)} bytes), seen: {near}")


def sound_archives_are_read_as_they_are(case: ArchiveCase, reading: Reading) -> None:
    """Of a file without faults there are exactly its records, in their order, and nothing is reported."""
    if not case.is_sound:
        return
    check(not reading.has_trouble, f"trouble: {[record.code for record in reading.records]}, {reading.account.gaps}")
    known = [each.url for frame in case.frames for each in frame.known]
    others = sum(frame.others for frame in case.frames)
    check(len(reading.records) == len(known) + others, f"{len(reading.records)} records of {len(known)} + {others}")
    order = [record.url for record in reading.records if record.url in set(known)]
    if not others:
        check(order == known, f"order: {order}, expected {known}")


def no_record_appears_from_nowhere(case: ArchiveCase, reading: Reading) -> None:
    """No page is there more often than in the file, and no record of an archive inside a record is."""
    seen = Counter(record.url for record in reading.records if record.code is None and record.kind == "response")
    there: Counter[str | None] = Counter(known.url for frame in case.frames for known in frame.known)
    can_double = any(name in case.changes for name in ("doubled", "put in", "left out", "junk between"))
    # What is compressed as a whole may be read as something else up to its sum, which comes last.
    if not can_double and (case.is_sound or case.pack in DIVISIBLE):
        for url, count in seen.items():
            check(url not in there or count <= there[url], f"{url} is there {count} times")
    if not any(frame.hidden and frame.is_touched for frame in case.frames):
        before = [frame.is_touched for frame in case.frames]
        hidden = {url for frame in case.frames for url in frame.hidden}
        ghosts = [record.url for record in reading.records if record.url in hidden]
        check(not ghosts or any(before), f"ghosts: {ghosts}")


def no_loss_is_silent(case: ArchiveCase, reading: Reading) -> None:
    """If a page is not there as it was, something is reported; where no sum guards it, it may also be another."""
    clean = {record.body for record in reading.records if record.code is None}
    lost = [known.url for frame in case.frames for known in frame.known if known.body not in clean]
    glued = [frame for frame in case.frames if frame.is_text and frame.is_touched and not frame.data.endswith(b"\n")]
    total = sum(len(frame.known) + frame.others for frame in case.frames if frame.data) - len(glued)
    if any(frame.data.startswith(b"!") for frame in case.frames):  # a comment in an index
        return
    check(not lost or reading.has_trouble or len(reading.records) >= total, f"silent loss of {lost}")


def sums_are_checked(case: ArchiveCase, reading: Reading) -> None:
    """Where a sum guards the content, none comes out that never was."""
    is_checked = case.pack in CHECKED and case.pack in DIVISIBLE and case.kind in ("warc", "arc")
    if (
        not is_checked
        or len({frame.data[:2] for frame in case.frames}) > 1
        or {"put in", "wrong length"} & {*case.changes}
    ):
        return
    known = {each.url for frame in case.frames for each in frame.known}
    bodies = {each.body for frame in case.frames for each in frame.known}
    for record in reading.records:
        if record.code is None and record.kind == "response" and record.url in known and record.body:
            check(record.body in bodies, f"{record.url} has a body that never was: {record.body[:80]!r}")


def untouched_bytes_are_records(case: ArchiveCase, reading: Reading) -> None:
    """What is read as records has at least the bytes of those that were not touched."""
    if case.kind != "warc" or case.pack not in ("", ".gz", ".zst", ".lz4") or case.needs_all:
        return
    # What may be called padding, and what a gap beside it may take.
    margin = sum(100 if frame.is_touched else 40 for frame in case.frames)
    least = sum(len(frame.data) for frame in case.frames if frame.known and not frame.is_touched) - margin
    check(reading.account.record_bytes >= least, f"{least} bytes of records at least: {reading.account}")


def warcio_reads_no_more(case: ArchiveCase, reading: Reading) -> None:
    """Of a file without faults we read what warcio reads."""
    packs = {frame.data[:4] for frame in case.frames}
    if case.is_sound and case.kind == "warc" and case.pack in REFERENCE and len(packs) == 1:
        count = sum(1 for _ in reference(case.data))
        check(count <= len(reading.records), f"warcio reads {count} records, we {len(reading.records)}")


def reference(data: bytes) -> Iterator[str]:
    """Yield the kinds of records that warcio reads."""
    with redirect_stdout(io.StringIO()):
        try:
            for record in ArchiveIterator(io.BytesIO(data)):
                yield record.rec_type
        except ArchiveLoadFailed:
            return


INVARIANTS: Final[tuple[Callable[[ArchiveCase, Reading], None], ...]] = (
    sound_archives_are_read_as_they_are, required_pages_are_there, no_record_appears_from_nowhere, no_loss_is_silent,
    sums_are_checked, bytes_add_up, gaps_are_in_order, untouched_bytes_are_records, warcio_reads_no_more,
)  # fmt: skip


def parts_are_the_whole(path: Path, whole: Reading, random: Random) -> None:
    """The records are the same in parts, wherever these begin."""
    source = look_at(str(path))
    size = path.stat().st_size
    if not source.kind.in_bytes or source.kind.units(source, size) != size or size < 2:
        return
    cuts = sorted(random.sample(range(1, size), min(size - 1, random.choice((1, 1, 2, 4)))))
    parts = read_in_parts(path, cuts)
    check(parts.records == whole.records, f"parts at {cuts}: {_difference(parts, whole)}")
    check(parts.account.is_balanced and parts.account.end == size, f"parts at {cuts} do not add up: {parts.account}")
    check(parts.account.gaps == whole.account.gaps, f"parts at {cuts} have other gaps: {parts.account.gaps}")


def _difference(parts: Reading, whole: Reading) -> str:
    one, other = ([(record.offset, record.url, record.code) for record in each.records] for each in (parts, whole))
    here, there = (sorted(set(a) - set(b), key=str)[:3] for a, b in ((one, other), (other, one)))
    return f"{len(one)} records, {len(other)} in the whole; only here {here}, only there {there}"
