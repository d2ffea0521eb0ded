"""Finding duplicates: exact ones by their digests, near ones by signatures; and which one of a cluster is kept.

Each range of keys is searched alone and leaves one file, so that an engine may search them anywhere and in any order.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.corpus.duplicates.candidates import candidates
from dehusk.corpus.duplicates.clusters import Documents, clusters
from dehusk.corpus.duplicates.keys import EARLIER_LENGTH, PART_BITS, count_ranges, key_range, shared_keys
from dehusk.corpus.files import PartFiles, write_array
from dehusk.corpus.settings import Duplicates
from dehusk.corpus.shingles import jaccard, shingles

# A document that is a duplicate or has one: its cluster, the one that is kept, and how similar it is to that.
RESULT: Final = np.dtype(
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
PAIRS: Final = 50_000  # whose signatures are compared at a time
EXACT, NEAR = "exact", "near"
Pairs = NDArray[np.uint64]  # two columns


class Search(NamedTuple):
    """One range of the keys of digests (`EXACT`) or of bands (`NEAR`)."""

    step: str
    range: int
    ranges: int

    @property
    def name(self) -> str:
        """The name of the file with the pairs that it returns."""
        return f"{self.step}-{self.range:06}.npy"


class Finder:
    """Finds the duplicates among all parts of a corpus."""

    def __init__(self, folder: Path, parts: Sequence[int], settings: Duplicates) -> None:
        self._files = {part: PartFiles(folder, part) for part in parts}
        self._settings = settings
        self._folder = folder
        # Not all of them at once: what is mapped counts as memory of the process.
        self._mapped = lru_cache(8)(partial(np.load, mmap_mode="r"))

    def run(self, output: Path, search_all: Callable[[Sequence[Search]], None] | None = None) -> int:
        """Write the `RESULT`, sorted by document, and return how many are duplicates of others.

        `search_all` calls `search`, here or elsewhere; by default here, one after the other.
        """
        search_all = search_all or self._search_here
        exact, near = self._folder / "exact.npy", np.empty((0, 2), np.uint64)
        searches = self._searches(EXACT) if self._settings.exact else []
        search_all(searches)
        copies = np.concatenate([near, *self._results(searches)])
        write_array(exact, copies[np.argsort(copies[:, 0])])
        if self._settings.near:
            searches = self._searches(NEAR)
            search_all(searches)
            near = merged(self._results(searches))
        result = self._decided(np.load(exact), near)
        write_array(output, result)
        return int((~result["is_kept"]).sum())

    def search(self, search: Search) -> None:
        """Search one range of keys; the pairs go to a file, which is left alone if it is there."""
        output = self._folder / search.name
        if not output.exists():
            keys = key_range(self._keys(search.step), search.range, search.ranges)
            write_array(output, self._exact(keys) if search.step == EXACT else self._near(keys))

    def _search_here(self, searches: Sequence[Search]) -> None:
        for search in searches:
            self.search(search)

    def _searches(self, step: str) -> list[Search]:
        count = count_ranges(self._keys(step), self._settings.memory)
        return [Search(step, index, count) for index in range(count)]

    def _keys(self, step: str) -> list[Path]:
        return [files.digests if step == EXACT else files.keys for files in self._files.values()]

    def _results(self, searches: Sequence[Search]) -> Iterator[Pairs]:
        return (np.load(self._folder / search.name) for search in searches)

    def _exact(self, keys: NDArray[np.void]) -> Pairs:
        """Return documents with the text of an earlier one, each with the first of these."""
        shared = shared_keys(keys)
        documents = np.sort(shared["document"])
        # The key is half of the digest; the other half decides.
        low = self._column(documents, "low")[np.searchsorted(documents, shared["document"])]
        order = np.lexsort((shared["document"], low, shared["key"]))
        document, key, low = shared["document"][order], shared["key"][order], low[order]
        is_copy = np.concatenate([[False], (key[1:] == key[:-1]) & (low[1:] == low[:-1])])[: len(order)]
        original = document[np.maximum.accumulate(np.where(is_copy, 0, np.arange(len(order))))]
        return np.stack([document[is_copy], original[is_copy]], axis=1)

    def _near(self, keys: NDArray[np.void]) -> Pairs:
        """Return pairs that connect all near duplicates which share one of the keys and are no exact copies."""
        copies = np.load(self._folder / "exact.npy", mmap_mode="r")[:, 0]
        others = keys[~contains(copies, keys["document"])]
        return merged(map(self._verified, candidates(others)))

    def _verified(self, pairs: Pairs) -> Pairs:
        """Return those of the candidates that are similar enough."""
        estimates = self._estimates(pairs)
        low, high = self._settings.threshold - DOUBT[0], self._settings.threshold + DOUBT[1]
        kept = estimates >= high
        doubtful = np.flatnonzero((estimates >= low) & ~kept)
        sets = self._shingles(np.unique(pairs[doubtful]).tolist()) if len(doubtful) else {}
        for index, (first, second) in zip(doubtful.tolist(), pairs[doubtful].tolist(), strict=True):
            kept[index] = jaccard(sets[first], sets[second]) >= self._settings.threshold
        return pairs[kept]

    def _estimates(self, pairs: Pairs) -> NDArray[np.float32]:
        """Return how similar the two documents of each pair are, by their signatures."""
        documents, indices = np.unique(pairs, return_inverse=True)
        signatures = np.empty((len(documents), self._settings.hashes), np.uint8)
        for part, span, entries in self._by_part(documents):
            signatures[span] = self._mapped(self._files[part].signatures)[entries]
        indices = indices.reshape(-1, 2)
        estimates = np.empty(len(pairs), np.float32)
        for start in range(0, len(pairs), PAIRS):
            left, right = indices[start : start + PAIRS].T
            estimates[start : start + PAIRS] = (signatures[left] == signatures[right]).mean(axis=1)
        return estimates

    def _shingles(self, documents: list[int]) -> dict[int, NDArray[np.uint64]]:
        from dehusk.corpus.columns import stage_texts  # noqa: PLC0415  (pyarrow, in a process that may not need it)

        sets = {}
        by_part: dict[int, list[int]] = defaultdict(list)
        for document in documents:
            by_part[document >> PART_BITS].append(document & (2**PART_BITS - 1))
        for part, rows in by_part.items():
            for row, text in stage_texts(self._files[part].rows, rows):
                sets[part << PART_BITS | row] = shingles(text, self._settings.words)
        return sets

    def _by_part(self, documents: Documents) -> Iterator[tuple[int, slice, NDArray[np.intp]]]:
        """Yield each part, where its documents are among these, which are sorted, and their indices in its files."""
        parts, begins = np.unique(documents >> np.uint64(PART_BITS), return_index=True)
        ends = np.append(begins, len(documents))[1:]
        for part, begin, end in zip(parts.tolist(), begins.tolist(), ends.tolist(), strict=True):
            rows = (documents[begin:end] & np.uint64(2**PART_BITS - 1)).astype(np.uint32)
            yield part, slice(begin, end), np.searchsorted(self._mapped(self._files[part].documents)["row"], rows)

    def _column(self, documents: Documents, name: str) -> NDArray[np.generic]:
        """Return what is known of documents, which are sorted."""
        kind = self._mapped(next(iter(self._files.values())).documents).dtype[name]
        values = np.empty(len(documents), kind)
        for part, span, entries in self._by_part(documents):
            values[span] = self._mapped(self._files[part].documents)[name][entries]
        return values

    def _decided(self, exact: Pairs, near: Pairs) -> NDArray[np.void]:
        """Return, for all documents that are duplicates or have some, what they belong to and which one is kept."""
        documents, roots = clusters(*np.concatenate([near, exact]).T)
        result = np.empty(len(documents), RESULT)
        result["document"] = documents
        if len(documents) == 0:
            return result
        # The longest is kept, of several the first: what others lack is lost with them.
        lengths = self._column(documents, "length").astype(np.int64)
        order = np.lexsort((documents, -lengths, roots))
        begins = np.concatenate([[True], roots[order][1:] != roots[order][:-1]])
        kept = np.empty(len(documents), np.uint64)
        kept[order] = documents[order][np.flatnonzero(begins)][np.cumsum(begins) - 1]
        ids = self._column(documents, "id")
        result["cluster"], result["kept"] = (ids[np.searchsorted(documents, each)] for each in (roots, kept))
        result["is_kept"] = kept == documents
        result["earlier"] = lengths[np.searchsorted(documents, kept)] == EARLIER_LENGTH
        result["exact"] = contains(exact[:, 0], documents)
        result["similarity"] = 1.0
        if self._settings.near:
            for start in range(0, len(documents), PAIRS):
                span = slice(start, start + PAIRS)
                result["similarity"][span] = self._estimates(np.stack([documents[span], kept[span]], axis=1))
        return result


def merged(batches: Iterable[Pairs]) -> Pairs:
    """Return the least pairs that connect the same documents as all of these do.

    >>> merged([np.array([(1, 2), (2, 3)], np.uint64), np.array([(1, 3)], np.uint64)]).tolist()
    [[2, 1], [3, 1]]
    """
    least, waiting, count = np.empty((0, 2), np.uint64), [], 0
    for pairs in batches:
        waiting.append(pairs)
        count += len(pairs)
        # Not for a few pairs: each time costs as much as all that there are.
        if count > max(len(least), PAIRS):
            least, waiting, count = _least([least, *waiting]), [], 0
    return _least([least, *waiting])


def _least(batches: list[Pairs]) -> Pairs:
    documents, roots = clusters(*np.concatenate(batches).T)
    pairs: Pairs = np.stack([documents, roots], axis=1)[documents != roots]
    return pairs


def contains(known: Documents, documents: Documents) -> NDArray[np.bool_]:
    """Return which of some documents are among the known ones, which are sorted.

    >>> contains(np.array([2, 5], np.uint64), np.array([1, 5, 9], np.uint64)).tolist()
    [False, True, False]
    """
    if len(known) == 0:
        return np.zeros(len(documents), np.bool_)
    indices = np.minimum(np.searchsorted(known, documents), len(known) - 1)
    is_known: NDArray[np.bool_] = known[indices] == documents
    return is_known
