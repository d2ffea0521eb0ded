"""Memory and time of the duplicate step on invented signatures, for corpora of two sizes.

    python -m benchmarks.duplicates_memory 50000 500000        documents

Every tenth document is a copy of another one in which a tenth of the hashes are others. Each size runs in a process of
its own, with the same memory for keys.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Final

import numpy as np

from dehusk.cli.commands import Argument, Option, run
from dehusk.corpus.duplicates.find import Finder
from dehusk.corpus.duplicates.keys import DOCUMENT, write_signatures
from dehusk.corpus.files import PartFiles
from dehusk.corpus.settings import Duplicates

PER_PART: Final = 5_000
WANTED: Final = Duplicates(exact=False, memory=50_000_000)


def write_parts(folder: Path, count: int) -> int:
    """Write the files of so many documents and return the number of parts."""
    random = np.random.default_rng(27)
    parts = -(-count // PER_PART)
    originals = random.integers(0, 2**32, (PER_PART // 10, WANTED.hashes), np.uint32)
    for number in range(parts):
        signatures = random.integers(0, 2**32, (PER_PART, WANTED.hashes), np.uint32)
        copies = originals.copy()
        copies[:, random.permutation(WANTED.hashes)[: WANTED.hashes // 10]] += np.uint32(number + 1)
        # Copies of the part before, so that clusters stay small.
        originals, signatures[: len(copies)] = signatures[-len(copies) :].copy(), copies
        documents = np.zeros(PER_PART, DOCUMENT)
        documents["row"] = np.arange(PER_PART)
        documents["length"] = 1000
        documents["id"] = [f"{number * PER_PART + row:024}" for row in range(PER_PART)]
        files = PartFiles(folder, number)
        write_signatures(files, documents, signatures, WANTED)
    return parts


def measure(folder: Path, parts: int) -> None:
    """Find the duplicates and print what that took."""
    began = time.process_time()
    found = Finder(folder, list(range(parts)), WANTED).run(folder / "found.npy")
    seconds, peak = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"{parts * PER_PART:,} documents: {found:,} duplicates, {seconds:.1f} s, peak {peak:,.0f} MB", flush=True)


def main(
    counts: Annotated[list[int], Argument("DOCUMENTS")],
    folder: Annotated[
        Path | None, Option(help="Of one that was written; for the processes that this one starts")
    ] = None,
) -> None:
    """Measure corpora of these sizes."""
    if folder:
        measure(folder, counts[0])
        return
    for count in counts:
        with tempfile.TemporaryDirectory() as work:
            parts = write_parts(Path(work), count)
            command = [sys.executable, "-m", "benchmarks.duplicates_memory", str(parts), "--folder", work]
            subprocess.run(command, check=True, env=os.environ)


if __name__ == "__main__":
    run(main)
