"""Accounts: what became of the bytes of each input, part by part, and what manifest and exit status say of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

from dehusk.corpus.parts import Part
from dehusk.reasons import Code, Reason, reason_fields
from dehusk.sources.account import Account
from dehusk.sources.kinds import KINDS

MOST_GAPS: Final = 1000  # that are listed; all are counted
# What a record is rejected with that was read, and judged; all other codes say that something went wrong.
JUDGEMENTS: Final = frozenset({
    Code.REJECTED, Code.HTTP_STATUS, Code.OTHER_TYPE, Code.TOO_SMALL, Code.TOO_LARGE, Code.NOT_A_PAGE, Code.ROBOTS,
    Code.TDM, Code.NO_TEXT, Code.NO_MAIN_TEXT, Code.TOO_SHORT, Code.OTHER_LANGUAGE, Code.UNCERTAIN_LANGUAGE,
    Code.BADNESS, Code.PERPLEXITY, Code.SHAPE, Code.EXACT_DUPLICATE, Code.NEAR_DUPLICATE, Code.EARLIER_DUPLICATE,
})  # fmt: skip
COUNTED: Final = ("records", "record_bytes", "padding", "gap_bytes", "gap_count", "retries")
Summary = dict[str, Any]
ReasonFields = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class StretchAccount:
    """What became of the bytes of an input in one part."""

    account: Account
    records: int
    is_known: bool  # whether the reader gave an account; if not, all that is no gap counts as records
    open: Reason | None  # why there is a gap up to where the next part begins
    lost: Reason | None  # why the input could not be read to the end of the part
    size: int | None  # of the file when it was read
    retries: int

    def fields(self) -> dict[str, Any]:
        """Return it as the summary of a part has it."""
        account = self.account
        return {
            "start": account.start,
            "end": account.end,
            "records": self.records,
            "record_bytes": account.record_bytes,
            "padding": account.padding,
            "gap_bytes": sum(gap.end - gap.start for gap in account.gaps),
            "gap_count": len(account.gaps),
            "retries": self.retries,
            "gaps": [
                {"start": gap.start, "end": gap.end, **reason_fields(gap.reason)} for gap in account.gaps[:MOST_GAPS]
            ],
            "is_known": self.is_known,
            "open": reason_fields(self.open) if self.open else None,
            "lost": reason_fields(self.lost) if self.lost else None,
            "size": self.size,
        }


def misfits(parts: Iterable[Part], summaries: Mapping[int, Summary]) -> Iterator[Part]:
    """Yield the first part of each input that did not begin where the one before it ended, to be read from there.

    If that is in a record that goes on behind the part, the next one is known to begin there, too.

    A part looks for its first record. If it begins inside one that holds an archive, it finds those of that archive.
    """
    for _, same_input in groupby((part for part in parts if part.divisible), lambda part: part.input):
        end: int | None = 0
        for part in same_input:
            summary = summaries[part.number]
            stretch = summary["inputs"][0]
            if not stretch["is_known"]:
                break
            # It is not read again from where it was read already: a reader that begins elsewhere would do so again.
            if end not in (None, stretch["start"], summary["exact"]) and not is_only_gap(stretch):
                yield replace(part, start=end, exact=True)
                if part.end is None or end < part.end:
                    break
                continue  # nothing begins in it, so that it ends where it begins
            end = None if stretch["open"] else stretch["end"]


def input_entries(
    locations: Sequence[str], parts: Iterable[Part], summaries: Mapping[int, Summary]
) -> list[dict[str, Any]]:
    """Return what the manifest says of each input."""
    stretches: list[list[dict[str, Any]]] = [[] for _ in locations]
    sizes: list[int | None] = [None] * len(locations)
    for part in parts:
        if part.kind in KINDS:
            for index, stretch in enumerate(summaries[part.number]["inputs"]):
                stretches[part.input + index].append(stretch)
                sizes[part.input + index] = part.sizes[index]
    return [
        _Input(location, size).entry(each) for location, size, each in zip(locations, sizes, stretches, strict=True)
    ]


@dataclass(slots=True)
class _Input:
    """One input, while its parts are added up."""

    location: str
    size: int | None  # when the parts were planned
    position: int = 0
    totals: Counter[str] = field(default_factory=Counter)
    gaps: list[dict[str, Any]] = field(default_factory=list)
    lost: ReasonFields | None = None
    open: ReasonFields | None = None  # why the part that was added last has no certain end

    def entry(self, stretches: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return what the manifest says of it."""
        is_joined = True
        for stretch in stretches:
            if is_only_gap(stretch):  # which begins wherever the part before it ended
                self._add_gap(self.position, stretch["end"], stretch["open"])
                stretch = {**stretch, "gaps": [], "gap_bytes": 0, "gap_count": 0}  # noqa: PLW2901
            else:
                if self.open:
                    self._add_gap(self.position, stretch["start"], self.open)
                is_joined = is_joined and self.position == stretch["start"]
            self._add(stretch)
        self._check_size(next((each["size"] for each in stretches if each["size"] not in (None, self.size)), None))
        total = self.position if self.size is None else max(self.size, self.position)
        rest = total - sum(self.totals[name] for name in ("record_bytes", "padding", "gap_bytes"))
        if not all(each["is_known"] for each in stretches):
            self.totals["record_bytes"] += rest
        elif rest or not is_joined:
            self.lost = self.lost or reason_fields(Reason(Code.UNACCOUNTED, limit=total, seen=total - rest))
        return {
            "location": self.location,
            "bytes": total,
            **{name: self.totals[name] for name in COUNTED},
            "gaps": self.gaps[:MOST_GAPS],
            "lost": self.lost,
        }

    def _add(self, stretch: dict[str, Any]) -> None:
        for name in COUNTED:
            self.totals[name] += stretch[name]
        self.gaps += stretch["gaps"]
        self.lost, self.open = self.lost or stretch["lost"], stretch["open"]
        self.position = max(self.position, stretch["end"])

    def _add_gap(self, start: int, end: int, reason: ReasonFields) -> None:
        if end > start:
            self.gaps.append({"start": start, "end": end, **reason})
            self.totals.update(gap_bytes=end - start, gap_count=1)
            self.position = end

    def _check_size(self, other: int | None) -> None:
        """Note that the file had another size when it was read."""
        if other is not None and self.size is not None:
            changed = reason_fields(Reason(Code.CHANGED, limit=self.size, seen=other))
            self._add_gap(self.position, self.size, changed)
            self.lost = self.lost or changed


def is_only_gap(stretch: Mapping[str, Any]) -> bool:
    """Return whether nothing of a part was read."""
    return bool(stretch["open"]) and not stretch["record_bytes"] and not stretch["padding"] and stretch["gap_count"] < 2


def exit_status(manifest: Mapping[str, Any]) -> int:
    """Return the exit status of a corpus: 0, 1 if something was lost, 2 if nothing could be read, or all failed.

    >>> exit_status({"inputs": [{"lost": None, "gap_count": 1}], "kept": 5, "rejected": {"damaged": 1}})
    1
    """
    is_lost = any(each["lost"] or each["gap_count"] for each in _inputs(manifest))
    codes = set(manifest["rejected"]) - {Code.OTHER_KIND}
    if manifest["kept"] == 0 and (codes or is_lost) and not codes & JUDGEMENTS:
        return 2
    return int(is_lost)


def _inputs(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what is said of the inputs; nothing, if the corpus is of a version that knew their names only."""
    return [each for each in manifest["inputs"] if isinstance(each, dict)]


def incomplete_inputs(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what is said of the inputs of which something is missing."""
    return [each for each in _inputs(manifest) if each["lost"] or each["gap_count"]]


def losses(manifest: Mapping[str, Any]) -> list[str]:
    """Return in words what was lost of the inputs; nothing if all was read."""
    entries, words = incomplete_inputs(manifest), []
    if lost := [each for each in entries if each["lost"]]:
        first = f"{lost[0]['location']} ({lost[0]['lost']['reason']})"
        words.append(f"lost, in whole or in part: {_counted(len(lost), 'input')}, {first}" + ", …" * (len(lost) > 1))
    if gaps := [each for each in entries if each["gap_count"]]:
        count, size = (sum(each[name] for each in gaps) for name in ("gap_count", "gap_bytes"))
        words.append(f"{_counted(count, 'gap')} of {_counted(size, 'byte')} in {_counted(len(gaps), 'input')}")
    return words


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
