"""Reading: the records of a part, and what becomes of its bytes, whatever the readers of its inputs do."""

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Final

from dehusk.compressed import decompression_errors
from dehusk.corpus.accounts import StretchAccount
from dehusk.corpus.parts import Part
from dehusk.errors import DehuskError
from dehusk.reasons import Code, Reason
from dehusk.sources.account import Account, Gap
from dehusk.sources.kinds import KINDS, Input, ReadOptions
from dehusk.sources.patient import LostError, Patience
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from dehusk.worker import FULL

IN_VAIN: Final = 16  # times in a row that a reader may fail before its first record; then the rest is given up
Watch = Callable[[int], None]


class PartReader:
    """Reads the records of a part, one after the other."""

    def __init__(self, part: Part, options: ReadOptions, watch: Watch = lambda position: None) -> None:
        """Take what is to be read; `watch` is called with the position of a record before it is read."""
        self._readers = [_InputReader(part, index, options, watch) for index in range(len(part.locations))]
        self._current = 0

    def __iter__(self) -> Iterator[RawPage]:
        return iter(self.read, None)

    def read(self) -> RawPage | None:
        """Return the next record, with what is known of its origin or with its problem; None at the end."""
        while self._current < len(self._readers):
            if page := self._readers[self._current].read():
                return page
            self._current += 1
        return None

    def skip(self, reason: Reason, position: int) -> RawPage:
        """Give up the record that would be read next, which is at a position, and return what is known of it."""
        return next((each for each in self._readers if not each.is_over), self._readers[-1]).skip(reason, position)

    def give_up(self, reason: Reason) -> Iterator[RawPage]:
        """Give up all that was not read, and yield what is known of it: one record for each input."""
        return (reader.give_up(reason) for reader in self._readers[self._current :])

    def accounts(self) -> list[dict[str, Any]]:
        """Return what became of the bytes of each input, when reading has ended."""
        return [reader.account().fields() for reader in self._readers]


@dataclass(slots=True)
class _InputReader:
    """Reads the records of one input; where its reader fails, it goes on behind the record that this was at."""

    part: Part
    index: int  # of the input in the part
    options: ReadOptions
    watch: Watch
    patience: Patience = field(init=False)
    source: Input = field(init=False)
    records: Generator[RawPage, None, None] = field(init=False)
    runs: list[Account] = field(default_factory=list)  # of the reader, which is started again where it fails
    failures: list[Gap] = field(default_factory=list)  # each at the end of a run; the next run has its end
    position: int = 0  # behind the beginning of the last record
    pages: int = 0
    in_vain: int = 0  # runs without a record
    data_bytes: int = 0
    lost: Reason | None = None
    is_over: bool = False

    def __post_init__(self) -> None:
        location, kind = self.part.locations[self.index], KINDS[self.part.kind]
        path = self.part.saved or location
        self.patience = Patience(path)
        self.source = Input(location, kind, path, self.patience.open)
        self._start(self.part.start, exact=self.part.exact)

    def _start(self, start: int, *, exact: bool = False) -> None:
        self.position = start
        self.runs.append(_WatchedAccount(self.watch))
        self.records = self._begun(start, replace(self.options, exact=exact, account=self.runs[-1]))

    def _begun(self, start: int, options: ReadOptions) -> Generator[RawPage, None, None]:
        """Yield the records from an offset on; a generator, since a reader may fail before its first record."""
        kind, end = self.source.kind, self.part.end
        if options.exact and end is not None and start >= end:  # all of the part is in a record that began before it
            self.runs[-1].start = self.runs[-1].end = start
        elif kind.records:
            yield from kind.records(self.source, options, start, end)
        else:
            yield from kind.read(self.source, options)

    def read(self) -> RawPage | None:
        """Return the next record; None at the end."""
        if self.is_over:
            return None
        try:
            page = next(self.records, None)
        except LostError as error:
            self.lost = error.reason
            return self.give_up(error.reason)
        except Exception as error:
            return self.skip(self._reason(error))
        if page is None:
            self.is_over = True
            return None
        self.pages, self.in_vain, self.data_bytes = self.pages + 1, 0, self.data_bytes + len(page.data)
        if not self.source.kind.many:
            self.is_over = True
            self.lost = page.problem if page.problem and page.problem.code is Code.FETCH_FAILED else None
        if page.record and self.part.divisible:
            self.position = page.record.offset + 1
        return page if page.record else replace(page, record=Record(page.name, 0, "resource"))

    def _reason(self, error: Exception) -> Reason:
        """Return why a reader failed; raise what is not the fault of the input."""
        # A disk may be full where archives are unpacked.
        if isinstance(error, DehuskError) or getattr(error, "errno", None) in FULL:
            raise error
        if isinstance(error, MemoryError):
            return Reason(Code.OUT_OF_MEMORY)
        if isinstance(error, decompression_errors()):
            code = Code.DAMAGED if self.source.kind.many else Code.UNREADABLE
            return Reason(code, str(getattr(error, "strerror", None) or error))
        return Reason(Code.FAILED, f"{type(error).__name__}: {error}")

    def skip(self, reason: Reason, position: int = 0) -> RawPage:
        """Give up the record that would be read next, and return it with the reason."""
        self.in_vain += 1
        if not self.part.divisible or self.in_vain > IN_VAIN:
            return self.give_up(reason, position)
        page = self._failed(reason, position)
        self._start(self.failures[-1].start + 1)
        return page

    def give_up(self, reason: Reason, position: int = 0) -> RawPage:
        """Give up all that was not read, and return a record with the reason."""
        self.is_over = True
        return self._failed(reason, position)

    def _failed(self, reason: Reason, position: int) -> RawPage:
        with suppress(Exception):  # it may have failed already
            self.records.close()
        self.pages += 1
        run = self.runs[-1]
        if _is_begun(run):  # its reader writes where it ends when it is at the end
            run.end = run.start + run.record_bytes + run.padding + sum(gap.end - gap.start for gap in run.gaps)
        position = max(run.end if _is_begun(run) else self.position, position)
        name, is_page = self.source.location, not self.source.kind.many
        if self.lost or not is_page:  # of a page that failed there is nothing else to read
            self.failures.append(Gap(position, position, reason))
        kind = "resource" if is_page else "unknown"
        return RawPage(name if is_page else f"{name}:{position}", problem=reason, record=Record(name, position, kind))

    def account(self) -> StretchAccount:
        """Return what became of the bytes, when reading has ended."""
        known = [run for run in self.runs if _is_begun(run)]
        start = known[0].start if known else self.part.start if self.source.kind.in_bytes else 0
        total, gap = Account(start, start), None
        for run, failure in zip_longest(self.runs, self.failures):
            if run and _is_begun(run):
                _add(total, run, gap)
                gap = None
            gap = gap or failure
        if gap:
            _add(total, Account(max(gap.start, self._end()), max(gap.start, self._end())), gap)
        is_known = bool(known) or (self.pages == len(self.failures) and self.source.kind.many)
        return StretchAccount(
            total if is_known else replace(total, end=self._end()),
            self.pages,
            is_known,
            gap.reason if gap else None,
            self.lost,
            self.patience.size,
            self.patience.retries,
        )

    def _end(self) -> int:
        """Return where the stretch ends, as far as that is known; 0 if the next part knows it."""
        if self.part.end is not None:
            return self.part.end if self.source.kind.in_bytes else 0
        known = (self.patience.size, self.part.sizes[self.index], self.data_bytes)
        return next(size for size in known if size is not None)


def _add(total: Account, run: Account, gap: Gap | None) -> None:
    """Add the account of a run, and the gap before it, to that of the runs before it."""
    if gap and run.start > gap.start:
        total.gaps.append(replace(gap, end=run.start))
        total.start = min(total.start, gap.start)
    total.end = run.end
    total.records += run.records
    total.record_bytes += run.record_bytes
    total.padding += run.padding
    total.gaps.extend(run.gaps)


def _is_begun(account: Account) -> bool:
    """Return whether a reader has written anything into an account."""
    return bool(account.start or account.end or account.gaps)


class _WatchedAccount(Account):
    """An account that tells how far it goes, so that others know it when the process is killed."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        super().__init__()

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "end":
            self._watch(value)
