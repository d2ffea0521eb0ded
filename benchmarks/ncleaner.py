"""Words per second that ncleaner scores on one core: n-grams alone, blocks of a page, and plain text.

    python -m benchmarks.ncleaner                    400 pages of wcxb-dev if DEHUSK_DATA is set, else the golden pages
    python -m benchmarks.ncleaner FOLDER --pages 50  the .html files below a folder

For the original the paper reports 5,600 words per second in Perl and 33,000 with its loops in C, in 2008.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Annotated, TypeVar

import click

from benchmarks.stages import load
from dehusk import Page
from dehusk.characters import word_totals
from dehusk.cli.commands import Argument, Option, run
from dehusk.methods.ncleaner import Ncleaner

T = TypeVar("T")


def measure(data: Sequence[bytes], rounds: int = 5) -> dict[str, float]:
    """Return words per second for each step, in the fastest round: the one other processes disturbed least."""
    method = Ncleaner.shipped()
    pages = [Page.from_bytes(each) for each in data]
    texts = [page.text for page in pages]
    cuts = [(page, method.segment(page)) for page in pages]
    tables = [(method.table_for(page), blocks) for page, blocks in cuts]
    words = sum(int(word_totals(text)[-1]) for text in texts)
    scored = _seconds(lambda cut: method.score(*cut), cuts, rounds)
    weighed = _seconds(lambda each: each[0].bits(each[1].text, each[1].start, each[1].end), tables, rounds)
    read = _seconds(_from_text, texts, rounds)
    return {"n-grams alone": words / weighed, "scores of blocks": words / scored, "text in, scores out": words / read}


def _from_text(text: str) -> None:
    method, page = Ncleaner.shipped(), Page.from_text(text)
    method.score(page, method.segment(page))


def _seconds(step: Callable[[T], object], inputs: Sequence[T], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = process_time()
        for each in inputs:
            step(each)
        best = min(best, process_time() - start)
    return best


def main(
    source: Annotated[Path | None, Argument("SOURCE")] = None,
    pages: Annotated[int, Option(min=1, help="Maximum number of pages")] = 400,
) -> None:
    """Print words per second.

    SOURCE is a folder of .html files, or a corpus.
    """
    for name, rate in measure(load(source, pages)).items():
        click.echo(f"{name:20} {rate:12,.0f} words per second")


if __name__ == "__main__":
    run(main)
