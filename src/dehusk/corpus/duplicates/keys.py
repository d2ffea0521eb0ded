"""Keys: what documents that may be duplicates have in common, in files that are sorted by it."""

from collections.abc import Iterator
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
    """Return keys with their documents, sorted by both."""
    found = np.empty(len(keys), KEY)
    found["key"], found["document"] = keys, documents
    return found[np.lexsort((documents, keys))]


def ranges(files: list[Path], memory: int) -> Iterator[NDArray[np.void]]:
    """Yield the keys of all files, one range after the other, each sorted; a range takes at most so many bytes."""
    total = sum(file.stat().st_size for file in files)
    # Sorting takes a few times the bytes of the keys.
    count = max(1, -(-total * 5 // memory))
    bounds = [place * 2**64 // count for place in range(1, count)]
    cuts = [_cuts(file, bounds) for file in files]
    for place in range(count):
        stretches = (_stretch(file, cut[place], cut[place + 1]) for file, cut in zip(files, cuts, strict=True))
        found = np.concatenate([np.empty(0, KEY), *stretches])
        yield found[np.argsort(found["key"], kind="stable")]  # files are in the order of their documents


def _stretch(file: Path, start: int, end: int) -> NDArray[np.void]:
    """Return a part of a file; nothing of the file stays mapped, which would count as memory of this process."""
    return np.array(np.load(file, mmap_mode="r")[start:end])


def _cuts(file: Path, bounds: list[int]) -> list[int]:
    """Return where in a sorted file keys of at least so much begin, with its beginning and its end.

    By bisection, since the file is not in memory.
    """
    array = np.load(file, mmap_mode="r")
    places = [0]
    for bound in bounds:
        low, high = 0, len(array)
        while low < high:
            middle = (low + high) // 2
            if int(array[middle]["key"]) < bound:
                low = middle + 1
            else:
                high = middle
        places.append(low)
    return [*places, len(array)]


def groups(keys: NDArray[np.void]) -> Iterator[NDArray[np.uint64]]:
    """Yield the documents that share a key, wherever that is more than one."""
    if len(keys) == 0:
        return
    begins = np.flatnonzero(np.concatenate([[True], keys["key"][1:] != keys["key"][:-1]]))
    ends = np.append(begins[1:], len(keys))
    for place in np.flatnonzero(ends - begins > 1).tolist():
        yield keys["document"][begins[place] : ends[place]]
