"""A kind of input whose reader does as its records say: raise an error, or kill its process.

A record is a line, such as "@toy 00000123", and so many bytes, which may look like other records. The part of a file
that begins inside such bytes takes them for records, as it does with an archive inside of another one.
"""

import io
import os
import re
import signal
from collections.abc import Iterable, Iterator
from typing import Any, Final

from dehusk.corpus import work
from dehusk.reasons import Code, Reason
from dehusk.sources import patient
from dehusk.sources.account import Account, Gap
from dehusk.sources.kinds import KINDS, Input, InputKind, ReadOptions
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

HEADER: Final = re.compile(rb"@toy (\d{8})\n")
HEADER_BYTES: Final = 14
RAISE, KILL, ALARM, NOISE = b"raise", b"kill", b"alarm", b"noise"


def toy_record(block: bytes) -> bytes:
    """Return a record."""
    return b"@toy %08d\n" % len(block) + block


def toy_archive(blocks: Iterable[bytes]) -> bytes:
    """Return a file of records; a block that is `NOISE` becomes bytes between records."""
    return b"".join(block * 9 if block == NOISE else toy_record(block) for block in blocks)


def read_toys(source: Input, options: ReadOptions, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    """Yield the records of a stretch and keep its account."""
    account = options.account or Account()
    with source.opened_raw() as file:
        size = file.seek(0, io.SEEK_END)
        if start and not options.exact:
            file.seek(start)
            start = _next_start(file.read(), start) if end is None or start < end else end
        account.start = account.end = start
        while account.end < min(size, size if end is None else end):
            file.seek(account.end)
            header = HEADER.match(file.read(HEADER_BYTES))
            if header is None:
                following = _next_start(file.read(), account.end + HEADER_BYTES)
                account.gaps.append(Gap(account.end, following, Reason(Code.DAMAGED, "noise")))
                account.end = following
                continue
            block = file.read(int(header[1]))
            _misbehave(block)
            page = RawPage(
                f"{source.location}:{account.end}", block, record=Record(source.location, account.end, "resource")
            )
            account.records += 1
            account.record_bytes += HEADER_BYTES + len(block)
            account.end += HEADER_BYTES + len(block)
            yield page


def _next_start(data: bytes, offset: int) -> int:
    found = HEADER.search(data)
    return offset + (found.start() if found else len(data))


def _misbehave(block: bytes) -> None:
    if block == RAISE:
        raise LookupError("as planted")
    if block == KILL:
        os.kill(os.getpid(), signal.SIGKILL)
    if block == ALARM:  # as if its time were over
        os.kill(os.getpid(), signal.SIGALRM)


TOY: Final = InputKind(
    "toy", frozenset({".toy"}), read_toys, read_toys,
    units=lambda source, size: size, in_bytes=True,
)  # fmt: skip


PAUSES: Final = (0.0,) * 60  # instead of those of `patient`


def perform(state: Any, task: Any) -> Any:
    """Run in a worker that knows this kind, and does not wait before it tries again."""
    KINDS[TOY.name] = TOY
    setattr(patient, "PAUSES", PAUSES)  # noqa: B010  (mypy)
    return work.perform(state, task)
