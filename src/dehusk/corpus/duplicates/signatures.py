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
        # Half of the bits are enough: two different hashes have the same ones once in 65,536 times.
        _save(files.signatures, signatures.astype(np.uint16))
        _save(files.keys, band_keys(signatures, documents["row"], files.number, wanted))


def _save(path: Path, array: NDArray[np.generic]) -> None:
    with whole(path) as part, part.open("wb") as file:
        np.save(file, array)
