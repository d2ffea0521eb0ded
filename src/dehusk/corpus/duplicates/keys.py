"""Keys: what documents that may be duplicates have in common, in files that are sorted by it."""

from bisect import bisect_left
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.corpus.files import PartFiles, write_array
from dehusk.corpus.settings import Duplicates

# A document that is compared: its row in the part, its length, the digest of its text, its id. Of duplicates the
# longest is kept; a document of an earlier corpus counts as longer than all others.
DOCUMENT: Final = np.dtype([("row", "u4"), ("length", "u4"), ("high", "u8"), ("low", "u8"), ("id", "S24")])
KEY: Final = np.dtype([("key", "u8"), ("document", "u8")])
MIX: Final = np.uint64(0x9E3779B97F4A7C15)
EARLIER_LENGTH: Final = 2**32 - 1
PART_BITS: Final = 32  # a document's number: its part, then its row


def document_numbers(part: int, rows: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return the numbers of documents, by which they are ordered in the whole corpus."""
    return (np.uint64(part) << np.uint64(PART_BITS)) | rows.astype(np.uint64)


def write_signatures(
    files: PartFiles, documents: NDArray[np.void], signatures: NDArray[np.uint32], settings: Duplicates
) -> None:
    """Write the documents of a part, the keys of their digests and of their bands, and their signatures."""
    write_array(files.documents, documents)
    if settings.exact:
        write_array(files.digests, sorted_keys(documents["high"], document_numbers(files.number, documents["row"])))
    if settings.near:
        # A quarter of the bits is enough (b-bit minwise hashing, Li and König 2010): different hashes have the same
        # ones once in 256 times, which adds less than .001 to an estimate of .8.
        write_array(files.signatures, signatures.astype(np.uint8))
        write_array(files.keys, band_keys(signatures, documents["row"], files.number, settings))


def band_keys(
    signatures: NDArray[np.uint32], rows: NDArray[np.uint32], part: int, settings: Duplicates
) -> NDArray[np.void]:
    """Return one key per band and document, sorted: the same for documents that agree in all hashes of the band."""
    count = len(signatures)
    bands = signatures.reshape(count, settings.bands, settings.rows).astype(np.uint64)
    keys = np.broadcast_to(np.arange(1, settings.bands + 1, dtype=np.uint64) * MIX, (count, settings.bands)).copy()
    for row in range(settings.rows):
        keys = (keys ^ bands[:, :, row]) * MIX
        keys ^= keys >> np.uint64(31)
    return sorted_keys(keys.ravel(), np.repeat(document_numbers(part, rows), settings.bands))


def sorted_keys(keys: NDArray[np.uint64], documents: NDArray[np.uint64]) -> NDArray[np.void]:
    """Return keys with their documents, which are in order, sorted by both."""
    order = np.argsort(keys, kind="stable")
    entries = np.empty(len(keys), KEY)
    entries["key"], entries["document"] = keys[order], documents[order]
    return entries


def count_ranges(files: list[Path], memory: int) -> int:
    """Return into how many ranges the keys of all files are divided, so that each fits into so many bytes."""
    total = sum(file.stat().st_size for file in files)
    # Sorting takes a few times the bytes of the keys.
    return max(1, -(-total * 5 // memory))


def key_range(files: list[Path], index: int, count: int) -> NDArray[np.void]:
    """Return the keys of all files in one of so many ranges, sorted."""
    bounds = index * 2**64 // count, (index + 1) * 2**64 // count
    keys = np.concatenate([np.empty(0, KEY), *(_stretch(file, *bounds) for file in files)])
    return keys[np.argsort(keys["key"], kind="stable")]  # files are in the order of their documents


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
    is_shared = np.concatenate([[False], same])[: len(keys)] | np.concatenate([same, [False]])[: len(keys)]
    shared: NDArray[np.void] = keys[is_shared]
    return shared
