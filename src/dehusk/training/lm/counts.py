"""Counts: how often each n-gram occurs in each source, in sorted runs on disk.

Two things bound the memory: after `ROOM` entries these are sorted, summed and written as a run, and runs are merged one
part of the keys at a time, in up to 256 parts. Keys are hashes, so the parts are of about the same size.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError
from dehusk.lm.tokens import Keys, batches, histories, tokens
from dehusk.training.columns import Doubles, Longs

ROOM: Final = 6_000_000  # entries of 12 bytes; sorting takes about three times that
PART: Final = 250_000  # entries in a part of a merge, unless that makes more parts than
MOST_PARTS: Final = 256

UnsignedInts = NDArray[np.uint32]


class SortedRun(NamedTuple):
    """Where in the files of an order the sorted keys of one source are, and their counts."""

    source: int
    start: int
    end: int


class Merged(NamedTuple):
    """Keys of one part, their counts, their weights, and the weights of all n-grams with the same history."""

    keys: Keys
    counts: Longs
    weight: Doubles
    history_weight: Doubles


@dataclass(slots=True)
class NgramCounts:
    """The runs of all orders, and how many words each source has."""

    folder: Path
    order: int
    words: list[int] = field(default_factory=list)
    runs: dict[int, list[SortedRun]] = field(default_factory=dict)

    def add(self, sentences: Iterable[str]) -> None:
        """Count the sentences of another source."""
        source = len(self.words)
        self.words.append(0)
        held: list[tuple[int, Keys, UnsignedInts]] = []
        size = 0
        for batch in batches(sentences):
            words = tokens(batch)
            self.words[source] += len(words)
            for order in range(1, self.order + 1):
                # By keys that are adjacent if their n-grams have the same history.
                keys, counts = np.unique(words.key[1:] if order == 1 else histories(words, order), return_counts=True)
                held.append((order, keys, counts.astype(np.uint32)))
                size += len(keys)
            if size > ROOM:
                self._write(source, held)
                held, size = [], 0
        self._write(source, held)

    def _write(self, source: int, held: list[tuple[int, Keys, UnsignedInts]]) -> None:
        for order in {order for order, *_ in held}:
            keys, counts = summed(
                np.concatenate([keys for own, keys, _ in held if own == order]),
                np.concatenate([counts for own, _, counts in held if own == order]).astype(np.int64),
            )
            runs = self.runs.setdefault(order, [])
            # One file for all runs: there may be thousands of sources, and the number of open files is limited.
            files = self._files(order)
            _append(files[0], keys)
            _append(files[1], counts.astype(np.uint32))
            start = runs[-1].end if runs else 0
            runs.append(SortedRun(source, start, start + len(keys)))

    def _files(self, order: int) -> tuple[Path, Path]:
        return self.folder / f"{order}-keys", self.folder / f"{order}-counts"

    def merged(self, order: int, weights: list[float]) -> Iterator[Merged]:
        """Yield the n-grams of one order, part by part, with the weights of their sources."""
        runs = self.runs[order]
        keys, counts = (
            np.memmap(path, kind, "r").view(np.ndarray)
            for path, kind in zip(self._files(order), (np.uint64, np.uint32), strict=True)
        )
        bits = min((len(keys) // PART).bit_length(), MOST_PARTS.bit_length() - 1)
        edges = np.arange(1, 1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
        cuts = [
            [run.start, *(run.start + np.searchsorted(keys[run.start : run.end], edges)).tolist(), run.end]
            for run in runs
        ]
        total = None if order > 1 else self._total(counts, weights)
        for part in range(1 << bits):
            pieces = [
                (keys[at[part] : at[part + 1]], counts[at[part] : at[part + 1]], weights[run.source])
                for run, at in zip(runs, cuts, strict=True)
            ]
            yield _merge(pieces, total)

    def _total(self, counts: UnsignedInts, weights: list[float]) -> float:
        """Return the weight of all words, including the marks between sentences."""
        sums = [0] * len(self.words)
        for run in self.runs[1]:
            sums[run.source] += int(counts[run.start : run.end].sum(dtype=np.int64))
        return sum(weight * own for weight, own in zip(weights, sums, strict=True))


def _append(path: Path, column: Keys | UnsignedInts) -> None:
    try:
        with path.open("ab") as file:
            file.write(column.data)
    except OSError as error:
        raise InputError(
            f"counts cannot be written to {path.parent}: {error.strerror}; set TMPDIR to a folder with more room"
        ) from error


def summed(keys: Keys, *columns: NDArray[Any]) -> list[NDArray[Any]]:
    """Return each key once, sorted, and the sums of its values in the columns.

    >>> summed(np.array([7, 3, 7], np.uint64), np.array([1, 2, 3]))
    [array([3, 7], dtype=uint64), array([2, 4])]
    """
    order = np.argsort(keys, kind="stable")
    first = _firsts(keys[order])
    return [keys[order][first], *(np.add.reduceat(each[order], first) if len(first) else each for each in columns)]


def _firsts(keys: Keys) -> Longs:
    begins = np.ones(len(keys), np.bool_)
    begins[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(begins)


def _merge(pieces: list[tuple[Keys, UnsignedInts, float]], total: float | None) -> Merged:
    """Return one part of all runs merged; `total` is the weight of all words, for n-grams without a history."""
    keys, counts, weight = summed(
        np.concatenate([keys for keys, _, _ in pieces]),
        np.concatenate([counts for _, counts, _ in pieces]).astype(np.int64),
        np.concatenate([weight * counts for _, counts, weight in pieces]),
    )
    if total is not None or not len(keys):
        return Merged(keys, counts, weight, np.full(len(keys), total or 0.0))
    group = _firsts(keys >> np.uint64(32))
    sizes = np.diff(np.append(group, len(keys)))
    return Merged(keys, counts, weight, np.repeat(np.add.reduceat(weight, group), sizes))
