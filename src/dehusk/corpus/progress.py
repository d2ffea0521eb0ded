"""Progress inside parts: what workers have noted in their markers, looked at again and again while a run goes on."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from dehusk.corpus.files import PartFiles, read_json
from dehusk.corpus.marker import PartProgress, read_progress
from dehusk.corpus.parts import Part

INTERVAL: Final = 1.0  # seconds
LOOKED_AT: Final = 256  # parts that may be ahead of what was added up


class Ahead(NamedTuple):
    """What is done beyond the parts that were added up already."""

    counts: Counter[str]
    bytes: int  # read, decompressed
    input_bytes: float


def ahead(folder: Path, parts: Sequence[Part]) -> Ahead:
    """Return what is done in parts that are begun, or finished and not added up yet."""
    counts: Counter[str] = Counter()
    read, done = 0, 0.0
    for part in parts:
        files = PartFiles(folder, part.number)
        try:
            summary = read_json(files.summary)
            progress = PartProgress(summary["counts"], summary["bytes"], 1.0)
        except (OSError, ValueError):
            progress = read_progress(files.marker)
        counts.update(progress.counts)
        read += progress.bytes
        done += progress.share * part.bytes
    return Ahead(counts, read, done)


@contextmanager
def repeated(function: Callable[[], None], seconds: float = INTERVAL) -> Iterator[None]:
    """Call a function every so many seconds, from another thread, while the block runs."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(seconds):
            function()

    thread = threading.Thread(target=run, name="dehusk progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
