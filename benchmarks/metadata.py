"""Title, author and date against gold, beside trafilatura's on the same pages; and what reading them costs.

The order of trust and every rule were chosen on one half of the sites (`dehusk.evaluation.metadata.chosen_on`) and
measured on the other.

    python benchmarks/metadata.py                     both halves of wcxb-dev; DEHUSK_DATA says where it lies
    python benchmarks/metadata.py --corpus fundus     any corpus whose gold has titles, authors and dates
    python benchmarks/metadata.py --speed             time as a ratio to resiliparse's, page by page in one run
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from time import process_time
from typing import Annotated, Any, Final
from unittest.mock import patch

import numpy as np
import typer
from resiliparse.extract.html2text import extract_plain_text
from rich.console import Console
from rich.table import Table

from dehusk import Extractor, Page, formats, metadata
from dehusk.evaluation.metadata import FIELDS, Tally, chosen_on, gold_facts, our_facts, trafilatura_facts
from dehusk.gold.corpora import GoldPage, open_corpus
from dehusk.metadata import read, said
from dehusk.metadata.language import language_of

HALVES: Final = {True: "the half that rules were chosen on", False: "the other half"}
COUNTED: Final = ("right", "wrong", "missing", "invented")
ROUNDS: Final = 5
# The steps of reading: what each is called, and where it is called from.
STEPS: Final = {
    "meta and link": (said, "Tags"),
    "JSON-LD": (said, "LinkedData"),
    "title": (said, "title_of"),
    "dates": (metadata, "dates_of"),
    "authors": (metadata, "authors_of"),
    "description": (metadata, "description_of"),
    "url": (metadata, "address_of"),
    "image": (metadata, "image_of"),
    "licence": (metadata, "licence_of"),
    "tags": (metadata, "tags_of"),
}
SOME_TEXT: Final = "A few words, so that the detector is loaded before the clock runs."


def main(
    corpus: Annotated[str, typer.Option(help="A set, a file or a folder, as `dehusk compare` takes it")] = "wcxb-dev",
    chosen: Annotated[bool | None, typer.Option("--chosen/--other", help="One half of the sites only")] = None,
    pages: Annotated[int | None, typer.Option(help="Only the first pages")] = None,
    speed: Annotated[bool, typer.Option("--speed", help="Measure time instead")] = False,
) -> None:
    """Print the tables."""
    found = list(islice(open_corpus(corpus).pages(), pages))
    if speed:
        print_speed(found)
        return
    for half in (True, False) if chosen is None else (chosen,):
        print_table([page for page in found if chosen_on(page.site) is half], f"{corpus}, {HALVES[half]}")


def print_table(pages: list[GoldPage], title: str) -> None:
    """Print how often each tool was right, wrong…, field by field."""
    table = Table("field", "tool", *COUNTED, "right of those with gold", title=f"{title}: {len(pages)} pages")
    tallies = compare(pages)
    for name in FIELDS:
        for tool, tally in tallies.items():
            counts = [str(tally.counts[name, verdict]) for verdict in COUNTED]
            table.add_row(name, tool, *counts, f"{tally.percent(name):.1f} %")
    Console(width=110).print(table)


def compare(pages: list[GoldPage]) -> dict[str, Tally]:
    """Return the tally of each tool over the same pages."""
    tallies = {"dehusk": Tally(), "trafilatura": Tally()}
    extractor = Extractor()
    for page in pages:
        html = page.html if isinstance(page.html, str) else Page.from_bytes(page.html).html
        document = extractor.extract(html, url=page.url)
        ours = read(document.page, document.text, document.kind, language=False)
        tallies["dehusk"].add(gold_facts(page), our_facts(ours))
        tallies["trafilatura"].add(gold_facts(page), trafilatura_facts(html, page.url))
    return tallies


def print_speed(pages: list[GoldPage]) -> None:
    """Print what metadata, the language and the whole json format take as a multiple of resiliparse's time."""
    language_of(SOME_TEXT)
    rounds = np.array([round_of(pages) for _ in range(ROUNDS)])
    for name, column in zip(("metadata", "language", "json, with both"), rounds[:, 1:].T, strict=True):
        print(f"{name}: {np.median(column / rounds[:, 0]):.2f} of resiliparse's time")
    print("of the metadata", ", ".join(f"{name} {ratio:.3f}" for name, ratio in steps_of(pages).items()))


def steps_of(pages: list[GoldPage]) -> dict[str, float]:
    """Return what each step of reading takes as a multiple of resiliparse's time."""
    spent = dict.fromkeys(STEPS, 0.0)
    theirs, extractor = 0.0, Extractor()
    with ExitStack() as stack:
        for name, (module, function) in STEPS.items():
            stack.enter_context(patch.object(module, function, with_clock(name, getattr(module, function), spent)))
        for page in pages:
            html = page.html if isinstance(page.html, str) else Page.from_bytes(page.html).html
            start = process_time()
            extract_plain_text(html, main_content=True)
            theirs += process_time() - start
            document = extractor.extract(html, url=page.url)
            read(document.page, document.text, document.kind, language=False)
    return {name: seconds / theirs for name, seconds in spent.items()}


def with_clock(name: str, step: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    """Return a step that adds the CPU seconds it takes to those that were `spent` under its name."""

    def timed(*values: Any, **options: Any) -> Any:
        start = process_time()
        try:
            return step(*values, **options)
        finally:
            spent[name] += process_time() - start

    return timed


def round_of(pages: list[GoldPage]) -> tuple[float, ...]:
    """Return the CPU seconds of one round: resiliparse's, then ours."""
    return tuple(np.array(list(clocked(pages))).sum(axis=0))


def clocked(pages: list[GoldPage]) -> Iterator[tuple[float, ...]]:
    """Yield the CPU seconds of each page."""
    extractor = Extractor()
    for page in pages:
        html = page.html if isinstance(page.html, str) else Page.from_bytes(page.html).html
        start = process_time()
        extract_plain_text(html, main_content=True)
        theirs = process_time() - start
        # What is read is read of a page that has just been extracted, as whoever asks for it does.
        document = extractor.extract(html, url=page.url)
        text = document.text
        marks = [process_time()]
        read(document.page, text, document.kind, language=False)
        marks.append(process_time())
        language_of(text)
        marks.append(process_time())
        formats.render(document, "json")
        marks.append(process_time())
        yield theirs, *np.diff(marks)


if __name__ == "__main__":
    typer.run(main)
