"""Account: what became of the bytes of an input. Each belongs to a record, to padding, or to a gap that is reported."""

from dataclasses import dataclass, field

from dehusk.reasons import Reason


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch that belongs to no record."""

    start: int
    end: int
    reason: Reason


@dataclass(slots=True)
class Account:
    """What became of the bytes of an input, or of a part of it; complete when its reader is at the end.

    Offsets are those in the file as it is stored. A part begins at its first record or gap, and ends where the next
    part must begin: if that began elsewhere, inside a record that holds an archive, it is to be read again.

    >>> account = Account(start=10, end=40, records=1, record_bytes=20, padding=10)
    >>> account.is_balanced
    True
    """

    start: int = 0
    end: int = 0
    records: int = 0
    record_bytes: int = 0
    padding: int = 0  # what may stand between records: line ends, frames without content, directories of a file
    gaps: list[Gap] = field(default_factory=list)  # where records may have been lost

    def add_packed(self, content: "Account", size: int, damage: Gap | None = None) -> None:
        """Add what became of so many compressed bytes, by the account of their content.

        Which record a compressed byte belongs to is not known: all belong to records, if there are any, but for those
        after damage.

        >>> account = Account()
        >>> account.add_packed(Account(records=3, record_bytes=100), 30)
        >>> account.records, account.record_bytes, account.is_balanced
        (3, 30, True)
        """
        lost = damage.end - damage.start if damage else 0
        self.end += size
        self.records += content.records
        if content.records:
            self.record_bytes += size - lost
        else:
            self.padding += size - lost
        self.gaps += [damage] if damage else []

    @property
    def is_balanced(self) -> bool:
        """Whether every byte is accounted for, once."""
        lost = sum(gap.end - gap.start for gap in self.gaps)
        return self.record_bytes + self.padding + lost == self.end - self.start
