"""Pages per second with several threads, as a multiple of the rate of one thread.

    python benchmarks/threads.py --threads 8

The two run in turn, so that a busy machine slows both alike; the median of the rounds is reported. The parser and the
walk over its tree hold the GIL, the networks do not: what they take of a page bounds what threads can gain.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated

from benchmarks.stages import load
from dehusk import Extractor
from dehusk.cli.commands import Argument, Option, run


def rate(pages: Sequence[bytes], threads: int) -> float:
    """Return the pages per second from bytes to clean text."""
    extractor = Extractor()
    start = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(lambda page: extractor.extract(page).text, pages):
            pass
    return len(pages) / (perf_counter() - start)


def main(
    source: Annotated[Path | None, Argument("SOURCE")] = None,
    pages: Annotated[int, Option(min=1, help="How many pages to take.")] = 200,
    threads: Annotated[int, Option(min=1, help="How many threads.")] = 8,
    rounds: Annotated[int, Option(min=1, help="How often to time each.")] = 5,
) -> None:
    """Print the rate of several threads as a multiple of that of one."""
    loaded = load(source, pages)
    rate(loaded, 1)
    pairs = [(rate(loaded, 1), rate(loaded, threads)) for _ in range(rounds)]
    gain = median(many / one for one, many in pairs)
    one = median(alone for alone, _ in pairs)
    print(f"1 thread: {one:.0f} pages per second; {threads} threads: {gain:.2f} times as many")


if __name__ == "__main__":
    run(main)
