"""Keys: what documents that may be duplicates have in common, in files that are sorted by it."""

from bisect import bisect_left
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.corpus.settings import Duplicates

# A document that is compared: its row in the part, its length, the digest of its text, its id. Of duplicates the
# longest is kept; a document of an earlier corpus counts as longer than all others.
DOCUMENT: Final = np.dtype([("row", "u4"), ("length", "u4"), ("high", "u8"), ("low", "u8"), ("id", "S24")])
KEY: Final = np.dtype([("key", "u8"), ("document", "u8")])
MIX: Final = np.uint64(0x9E3779B97F4A7C15)
EARLIER_LENGTH: Final = 2**32 - 1
PART_BITS: Final = 32  # a document's number: its part, then its row


def numbers(part: int, rows: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return the numbers of documents, by which they are ordered in the whole corpus."""
    return (np.uint64(part) << np.uint64(PART_BITS)) | rows.astype(np.uint64)


def band_keys(
    signatures: NDArray[np.uint32], rows: NDArray[np.uint32], part: int, wanted: Duplicates
) -> NDArray[np.void]:
    """Return one key per band and document, sorted: the same for documents that agree in all hashes of the band."""
    count = len(signatures)
    bands = signatures.reshape(count, wanted.bands, wanted.rows).astype(np.uint64)
    keys = np.broadcast_to(np.arange(1, wanted.bands + 1, dtype=np.uint64) * MIX, (count, wanted.bands)).copy()
    for place in range(wanted.rows):
        keys = (keys ^ bands[:, :, place]) * MIX
        keys ^= keys >> np.uint64(31)
    return sorted_keys(keys.ravel(), np.repeat(numbers(part, rows), wanted.bands))


def sorted_keys(keys: NDArray[np.uint64], documents: NDArray[np.uint64]) -> NDArray[np.void]:
    """Return keys with their documents, which are in order, sorted by both."""
    order = np.argsort(keys, kind="stable")
    found = np.empty(len(keys), KEY)
    found["key"], found["document"] = keys[order], documents[order]
    return found


def count_ranges(files: list[Path], memory: int) -> int:
    """Return into how many ranges the keys of all files are divided, so that each fits into so many bytes."""
    total = sum(file.stat().st_size for file in files)
    # Sorting takes a few times the bytes of the keys.
    return max(1, -(-total * 5 // memory))


def key_range(files: list[Path], place: int, count: int) -> NDArray[np.void]:
    """Return the keys of all files in one of so many ranges, sorted."""
    bounds = place * 2**64 // count, (place + 1) * 2**64 // count
    found = np.concatenate([np.empty(0, KEY), *(_stretch(file, *bounds) for file in files)])
    return found[np.argsort(found["key"], kind="stable")]  # files are in the order of their documents


def _stretch(file: Path, low: int, high: int) -> NDArray[np.void]:
    """Return the keys of a file between two bounds.

    By bisection, since the file is not in memory; nothing of it stays mapped, which would count as memory.
    """
    array = np.load(file, mmap_mode="r")
    start, end = (bisect_left(array, bound, key=lambda entry: int(entry["key"])) for bound in (low, high))
    return np.array(array[start:end])


def shared_keys(keys: NDArray[np.void]) -> NDArray[np.void]:
    """Return those keys, which are sorted, that more than one document has."""
    same = keys["key"][1:] == keys["key"][:-1]
    shared = np.concatenate([[False], same])[: len(keys)] | np.concatenate([same, [False]])[: len(keys)]
    found: NDArray[np.void] = keys[shared]
    return found
