"""The files by which the documents of a part are compared with others."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dehusk.corpus.duplicates.keys import band_keys, numbers, sorted_keys
from dehusk.corpus.files import PartFiles, whole
from dehusk.corpus.settings import Duplicates


def write_signatures(
    files: PartFiles, documents: NDArray[np.void], signatures: NDArray[np.uint32], wanted: Duplicates
) -> None:
    """Write the documents of a part, the keys of their digests and of their bands, and their signatures."""
    _save(files.documents, documents)
    if wanted.exact:
        _save(files.digests, sorted_keys(documents["high"], numbers(files.number, documents["row"])))
    if wanted.near:
        # A quarter of the bits is enough (b-bit minwise hashing, Li and König 2010): different hashes have the same
        # ones once in 256 times, which adds less than .001 to an estimate of .8.
        _save(files.signatures, signatures.astype(np.uint8))
        _save(files.keys, band_keys(signatures, documents["row"], files.number, wanted))


def _save(path: Path, array: NDArray[np.generic]) -> None:
    with whole(path) as part, part.open("wb") as file:
        np.save(file, array)
