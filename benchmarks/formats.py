"""The time to write a page in each format, as a ratio to resiliparse's main-content extraction of the same page.

Only `formats.render` is timed, from a document to a string, with the outline, the metadata and whatever else a format
needs. Both run on each page in turn, so that a busy machine slows both alike; a ratio is the sum of our times over the
sum of theirs in one round over all pages, and the median of the rounds is reported. The formats of a page are written
in alphabetical order, so `json` is the first to need the metadata.

    python -m benchmarks.formats                    400 pages of wcxb-dev if DEHUSK_DATA is set, else the golden pages
    python -m benchmarks.formats FOLDER --pages 50  the .html files below a folder
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Annotated

from rich.console import Console
from rich.table import Table

from benchmarks.stages import WARM_UP, load, peer
from dehusk import Extractor, formats
from dehusk.cli.commands import Argument, Option, run
from dehusk.formats import PLAIN, Look
from dehusk.models.registry import DEFAULT
from dehusk.page.charset import decode


def measure(
    pages: Sequence[bytes], rounds: int = 5, method: str = DEFAULT, look: Look = PLAIN
) -> list[dict[str, float]]:
    """Return the time of each format as a multiple of resiliparse's, one dict per round."""
    resiliparse, extractor, names = peer(), Extractor(method), formats.names()
    laps: list[dict[str, float]] = []
    for lap in range(-1, rounds):
        spent = dict.fromkeys(["resiliparse", *names], 0.0)
        for data in pages if lap >= 0 else pages[:WARM_UP]:
            html = decode(data)[0]
            start = process_time()
            resiliparse(html)
            spent["resiliparse"] += process_time() - start
            document = extractor.extract(data)
            for name in names:
                start = process_time()
                formats.render(document, name, look=look)
                spent[name] += process_time() - start
        laps.append(spent)
    return [{name: lap[name] / lap["resiliparse"] for name in names} for lap in laps[1:]]


def main(
    source: Annotated[Path | None, Argument("SOURCE")] = None,
    pages: Annotated[int, Option(min=1, help="Number of pages.")] = 400,
    rounds: Annotated[int, Option(min=1, help="Number of times to time each page.")] = 5,
    method: Annotated[str, Option(help="Method whose documents are written.")] = DEFAULT,
    rich: Annotated[bool, Option("--rich", help="With links and images.")] = False,
) -> None:
    """Print the time to write each format, as a multiple of resiliparse's time.

    SOURCE is a folder of .html files, or a corpus.
    """
    table = Table("format", title=f"{pages} pages, {method}, CPU time, median of {rounds} rounds", title_justify="left")
    table.add_column("× resiliparse", justify="right")
    laps = measure(load(source, pages), rounds, method, Look(links=rich, images=rich))
    for name in laps[0]:
        table.add_row(name, f"{median(lap[name] for lap in laps):.3f}")
    Console().print(table)


if __name__ == "__main__":
    run(main)
