"""The duplicate step on millions of invented signatures with planted clusters: disk, memory, time and recall.

    python -m benchmarks.duplicates_scale 1000000        documents; 504 bytes of disk each, in --folder

One document of 50 is an exact copy of another one, anywhere before it, and 4 are near copies: each of their hashes is
that of the original with a probability between .8 and 1, which is what Jaccard similarity means for hashes.
There are no texts: where the step would read two to settle a doubt, it is told whether they were planted as similar.
"""

import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.cli.commands import Argument, Option, run
from dehusk.corpus.duplicates.find import Finder
from dehusk.corpus.duplicates.keys import DOCUMENT, PART_BITS, write_signatures
from dehusk.corpus.files import PartFiles
from dehusk.corpus.settings import Duplicates

SEED: Final = 27
EXACT, NEAR, BANK = 2, 8, 10  # per hundred documents of a part: its first ones are copies; its last ones are copied


class Planted:
    """Parts of so many documents, each made when it is needed, always the same."""

    def __init__(self, documents: int, per_part: int, hashes: int) -> None:
        self.parts, self.per_part, self.hashes = -(-documents // per_part), per_part, hashes
        self.exact, self.near, self.bank = (per_part * share // 100 for share in (EXACT, NEAR, BANK))

    def copied_from(self, part: int) -> int:
        """Return the part whose last documents the first ones of a part are copies of."""
        return int(np.random.default_rng((SEED, part)).integers(0, part)) if part else 0

    def originals(self, part: int) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """Return the signatures and the digests of the documents of a part that are copied."""
        random = np.random.default_rng((SEED, part, 1))
        signatures = random.integers(0, 2**32, (self.bank, self.hashes), np.uint32)
        return signatures, random.integers(0, 2**63, (self.bank, 2), np.uint64)

    def documents(self, part: int) -> tuple[NDArray[np.uint32], NDArray[np.void]]:
        """Return the signatures of a part and what else is known of its documents."""
        random = np.random.default_rng((SEED, part, 2))
        signatures = random.integers(0, 2**32, (self.per_part, self.hashes), np.uint32)
        digests = random.integers(0, 2**63, (self.per_part, 2), np.uint64)
        signatures[-self.bank :], digests[-self.bank :] = self.originals(part)
        if part:
            copied, copied_digests = self.originals(self.copied_from(part))
            exact, copies = self.exact, self.exact + self.near
            signatures[:exact], digests[:exact] = copied[:exact], copied_digests[:exact]
            same = random.random((self.near, self.hashes)) < random.uniform(0.8, 1, (self.near, 1))
            np.copyto(signatures[exact:copies], copied[exact:copies], where=same)
        documents = np.zeros(self.per_part, DOCUMENT)
        documents["row"], documents["length"] = np.arange(self.per_part), 1000
        documents["high"], documents["low"] = digests.T
        documents["id"] = np.char.zfill((np.arange(self.per_part) + part * self.per_part).astype("S24"), 24)
        return signatures, documents

    def originals_of(self, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return for each document, by its number in the corpus, the one that it was copied from, or itself."""
        parts, rows = numbers >> np.uint64(PART_BITS), numbers & np.uint64(2**PART_BITS - 1)
        sources = np.array([self.copied_from(part) for part in range(self.parts)], np.uint64)
        is_copy = (rows < self.exact + self.near) & (parts > 0)
        originals = (
            (sources[parts.astype(np.int64)] << np.uint64(PART_BITS)) + rows + np.uint64(self.per_part - self.bank)
        )
        return np.where(is_copy, originals, numbers)

    def copies(self) -> Iterator[NDArray[np.uint64]]:
        """Yield the numbers of all copies, part by part."""
        for part in range(1, self.parts):
            yield (np.uint64(part << PART_BITS)) + np.arange(self.exact + self.near, dtype=np.uint64)


class PlantedFinder(Finder):
    """Finds duplicates of which there are no texts: what was planted as similar counts as the same text."""

    def __init__(self, folder: Path, planted: Planted, wanted: Duplicates) -> None:
        super().__init__(folder, range(planted.parts), wanted)
        self._planted, self.texts_read = planted, 0

    def _shingles(self, documents: list[int]) -> dict[int, NDArray[np.uint64]]:
        self.texts_read += len(documents)
        originals = self._planted.originals_of(np.array(documents, np.uint64))
        return {document: original[None] for document, original in zip(documents, originals, strict=True)}


def check(found: NDArray[np.void], planted: Planted) -> tuple[float, int]:
    """Return the share of copies that are in one cluster with their original, and how many are in a wrong one."""
    documents, ids = found["document"], found["cluster"].astype(np.int64)
    roots = (ids // planted.per_part << PART_BITS | ids % planted.per_part).astype(np.uint64)
    wrong = int((planted.originals_of(documents) != planted.originals_of(roots)).sum())
    right = total = 0
    for copies in planted.copies():
        total += len(copies)
        right += int(
            (_looked_up(documents, roots, copies) == _looked_up(documents, roots, planted.originals_of(copies))).sum()
        )
    return right / max(total, 1), wrong


def _looked_up(
    documents: NDArray[np.uint64], roots: NDArray[np.uint64], wanted: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the clusters of documents; of one that is in none, itself."""
    if len(documents) == 0:
        return wanted
    places = np.minimum(np.searchsorted(documents, wanted), len(documents) - 1)
    return np.where(documents[places] == wanted, roots[places], wanted)


def measure(documents: int, per_part: int, memory: int, folder: Path) -> dict[str, Any]:
    """Write the files of the parts, find the duplicates, and return what that took and how much was found."""
    wanted = Duplicates(memory=memory)
    planted = Planted(documents, per_part, wanted.hashes)
    began = time.process_time()
    for part in range(planted.parts):
        signatures, known = planted.documents(part)
        write_signatures(PartFiles(folder, part), known, signatures, wanted)
    written, disk = time.process_time() - began, sum(path.stat().st_size for path in folder.iterdir())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    began, wall = time.process_time(), time.perf_counter()
    finder = PlantedFinder(folder, planted, wanted)
    duplicates = finder.run(folder / "found.npy")
    seconds, wall = time.process_time() - began, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    ranges = len(list(folder.glob("near-*.npy")))
    recall, wrong = check(np.load(folder / "found.npy"), planted)
    return {
        "documents": planted.parts * per_part, "disk GB": disk / 1e9,
        "CPU of writing s": written, "MB before": before, "ranges": ranges, "CPU s": seconds, "wall s": wall,
        "peak MB": peak, "duplicates": duplicates, "texts to compare": finder.texts_read, "recall": recall,
        "in a wrong cluster": wrong,
    }  # fmt: skip


def main(
    documents: Annotated[int, Argument("DOCUMENTS")],
    folder: Annotated[
        Path | None, Option(help="Where a folder for the files is made, which is removed at the end")
    ] = None,
    memory: Annotated[int, Option(help="Bytes for the keys of one range")] = 500_000_000,
    per_part: Annotated[int, Option(help="Documents in a part; a WARC file of Common Crawl has about 40,000")] = 50_000,
) -> None:
    """Simulate the duplicate step on so many documents."""
    work = Path(tempfile.mkdtemp(dir=folder))
    try:
        for name, value in measure(documents, per_part, memory, work).items():
            print(f"{name:20} {value:,.4g}" if isinstance(value, float) else f"{name:20} {value:,}", flush=True)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    run(main)
