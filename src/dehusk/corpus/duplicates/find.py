"""Finding duplicates: exact ones by their digests, near ones by signatures; and which one of a cluster is kept."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.corpus.duplicates.clusters import Numbers, clusters
from dehusk.corpus.duplicates.keys import EARLIER_LENGTH, PART_BITS, groups, numbers, ranges, sorted_keys
from dehusk.corpus.files import PartFiles, whole
from dehusk.corpus.settings import Duplicates
from dehusk.corpus.shingles import jaccard, shingles

# A document that is a duplicate or has one: its cluster, the one that is kept, and how similar it is to that.
FOUND: Final = np.dtype(
    [
        ("document", "u8"),
        ("cluster", "S24"),
        ("kept", "S24"),
        ("similarity", "f4"),
        ("exact", "?"),
        ("is_kept", "?"),
        ("earlier", "?"),  # the one that is kept is in an earlier corpus
    ]
)
# An estimate within so much of the threshold is settled by comparing the texts. With 120 hashes it deviates by more
# than .1 in less than 1 of 100 pairs.
DOUBT: Final = (0.15, 0.05)
ALL_PAIRS: Final = 40  # documents with the same key that are all compared with each other
CHUNK: Final = 20_000  # pairs whose signatures are in memory together


class Pairs(NamedTuple):
    """Pairs of documents, the earlier one first, and how similar they are."""

    first: Numbers
    second: Numbers
    similarity: NDArray[np.float32]


class Finder:
    """Finds the duplicates among all parts of a corpus."""

    def __init__(self, folder: Path, parts: Sequence[int], wanted: Duplicates) -> None:
        self._files = {number: PartFiles(folder, number) for number in parts}
        self._wanted = wanted
        self._folder = folder
        # Not all of them at once: what is mapped counts as memory of the process.
        self._mapped = lru_cache(8)(partial(np.load, mmap_mode="r"))

    def run(self, output: Path) -> int:
        """Write what was found, sorted by document, and return how many are duplicates of others."""
        exact = self._exact() if self._wanted.exact else (np.empty(0, np.uint64), np.empty(0, np.uint64))
        near = self._near(exact[0]) if self._wanted.near else no_pairs()
        found = self._decided(exact, near)
        with whole(output) as part, part.open("wb") as file:
            np.save(file, found)
        return int((~found["is_kept"]).sum())

    def _exact(self) -> tuple[Numbers, Numbers]:
        """Return documents with the text of an earlier one, sorted, and for each the first of these."""
        copies, originals = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
        digests = self._write_digests()
        for keys in ranges(digests, self._wanted.memory):
            for group in groups(keys):
                # The key is half of the digest; the other half decides.
                by_low = defaultdict(list)
                for document, low in zip(group.tolist(), self._column(group, "low"), strict=True):
                    by_low[int(low)].append(document)
                for same in by_low.values():
                    copies.append(np.array(same[1:], np.uint64))
                    originals.append(np.full(len(same) - 1, same[0], np.uint64))
        for file in digests:
            file.unlink()
        found = np.concatenate(copies)
        order = np.argsort(found)
        return found[order], np.concatenate(originals)[order]

    def _write_digests(self) -> list[Path]:
        paths = []
        for number, files in self._files.items():
            documents = np.load(files.documents)
            paths.append(self._folder / f"digests-{number:06}.npy")
            np.save(paths[-1], sorted_keys(documents["high"], numbers(number, documents["row"])))
        return paths

    def _near(self, copies: Numbers) -> Pairs:
        """Return pairs of near duplicates among all documents that are no exact copies."""
        found = [no_pairs()]
        for keys in ranges([files.keys for files in self._files.values()], self._wanted.memory):
            others = keys[~contains(copies, keys["document"])]
            found += map(self._verified, _chunks(groups(others)))
        first, second, similarity = (np.concatenate(columns) for columns in zip(*found, strict=True))
        _, unique = np.unique(np.stack([first, second], axis=1), axis=0, return_index=True)
        return Pairs(first[unique], second[unique], similarity[unique])

    def _verified(self, pairs: NDArray[np.uint64]) -> Pairs:
        """Return those of the candidates that are similar enough."""
        first, second = pairs[:, 0], pairs[:, 1]
        estimates = self._estimates(first, second)
        low, high = self._wanted.threshold - DOUBT[0], self._wanted.threshold + DOUBT[1]
        similarity = estimates.copy()
        doubtful = np.flatnonzero((estimates >= low) & (estimates < high))
        sets = self._shingles(np.unique(pairs[doubtful]).tolist()) if len(doubtful) else {}
        for place in doubtful.tolist():
            similarity[place] = jaccard(sets[int(first[place])], sets[int(second[place])])
        kept = (estimates >= high) | ((estimates >= low) & (similarity >= self._wanted.threshold))
        return Pairs(first[kept], second[kept], similarity[kept])

    def _estimates(self, first: Numbers, second: Numbers) -> NDArray[np.float32]:
        documents, places = np.unique(np.concatenate([first, second]), return_inverse=True)
        signatures = np.empty((len(documents), self._wanted.hashes), np.uint32)
        for number, here, rows in self._by_part(documents):
            signatures[here] = self._mapped(self._files[number].signatures)[rows]
        same = signatures[places[: len(first)]] == signatures[places[len(first) :]]
        estimates: NDArray[np.float32] = same.mean(axis=1).astype(np.float32)
        return estimates

    def _shingles(self, documents: list[int]) -> dict[int, NDArray[np.uint64]]:
        from dehusk.corpus.columns import stage_texts  # noqa: PLC0415  (pyarrow, in a process that may not need it)

        found = {}
        by_part: dict[int, list[int]] = defaultdict(list)
        for document in documents:
            by_part[document >> PART_BITS].append(document & (2**PART_BITS - 1))
        for number, rows in by_part.items():
            for row, text in stage_texts(self._files[number].rows, rows):
                found[number << PART_BITS | row] = shingles(text, self._wanted.words)
        return found

    def _by_part(self, documents: Numbers) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.intp]]]:
        """Yield for each part its number, which of the documents are in it, and their places in its files."""
        parts = (documents >> np.uint64(PART_BITS)).astype(np.int64)
        for number in np.unique(parts).tolist():
            here = np.flatnonzero(parts == number)
            rows = (documents[here] & np.uint64(2**PART_BITS - 1)).astype(np.uint32)
            yield number, here, np.searchsorted(self._mapped(self._files[number].documents)["row"], rows)

    def _column(self, documents: Numbers, name: str) -> NDArray[np.generic]:
        kind = self._mapped(next(iter(self._files.values())).documents).dtype[name]
        values = np.empty(len(documents), kind)
        for number, here, rows in self._by_part(documents):
            values[here] = self._mapped(self._files[number].documents)[name][rows]
        return values

    def _decided(self, exact: tuple[Numbers, Numbers], near: Pairs) -> NDArray[np.void]:
        """Return, for all documents that are duplicates or have some, what they belong to and which one is kept."""
        documents, roots = clusters(np.concatenate([near.first, exact[1]]), np.concatenate([near.second, exact[0]]))
        found = np.empty(len(documents), FOUND)
        found["document"] = documents
        if len(documents) == 0:
            return found
        # The longest is kept, of several the first: what others lack is lost with them.
        lengths = self._column(documents, "length").astype(np.int64)
        order = np.lexsort((documents, -lengths, roots))
        begins = np.concatenate([[True], roots[order][1:] != roots[order][:-1]])
        kept = np.empty(len(documents), np.uint64)
        kept[order] = documents[order][np.flatnonzero(begins)][np.cumsum(begins) - 1]
        ids = self._column(documents, "id")
        found["cluster"], found["kept"] = (ids[np.searchsorted(documents, each)] for each in (roots, kept))
        found["is_kept"] = kept == documents
        found["earlier"] = lengths[np.searchsorted(documents, kept)] == EARLIER_LENGTH
        found["exact"] = contains(exact[0], documents)
        found["similarity"] = 1.0
        for start in range(0, len(documents) if self._wanted.near else 0, CHUNK):
            here = slice(start, start + CHUNK)
            found["similarity"][here] = self._estimates(documents[here], kept[here])
        return found


def no_pairs() -> Pairs:
    """Return no pairs."""
    return Pairs(np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, np.float32))


def contains(sorted_numbers: Numbers, wanted: Numbers) -> NDArray[np.bool_]:
    """Return which of some numbers are among others, which are sorted.

    >>> contains(np.array([2, 5], np.uint64), np.array([1, 5, 9], np.uint64)).tolist()
    [False, True, False]
    """
    if len(sorted_numbers) == 0:
        return np.zeros(len(wanted), np.bool_)
    places = np.minimum(np.searchsorted(sorted_numbers, wanted), len(sorted_numbers) - 1)
    found: NDArray[np.bool_] = sorted_numbers[places] == wanted
    return found


def _chunks(found: Iterator[Numbers]) -> Iterator[NDArray[np.uint64]]:
    """Yield the candidates in groups that share a key, a bounded number of pairs at a time, each once in its chunk."""
    waiting: list[NDArray[np.uint64]] = []
    count = 0
    for group in found:
        waiting.append(_pairs(group))
        count += len(waiting[-1])
        if count >= CHUNK:
            yield np.unique(np.concatenate(waiting), axis=0)
            waiting, count = [], 0
    if waiting:
        yield np.unique(np.concatenate(waiting), axis=0)


def _pairs(group: Numbers) -> NDArray[np.uint64]:
    """Return the pairs of a group to compare: all, or in a large one each document with the first and the last one."""
    if len(group) <= ALL_PAIRS:
        left, right = np.triu_indices(len(group), 1)
    else:
        places = np.arange(1, len(group))
        left, right = np.concatenate([np.zeros_like(places), places - 1]), np.concatenate([places, places])
    return np.stack([group[left], group[right]], axis=1)
