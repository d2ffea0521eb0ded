"""Accuracy of title, author and date, compared with trafilatura on the same pages; and the time to read them.

The order of sources and all rules were chosen on one half of the sites (`testing.metadata_accuracy.chosen_on`) and
measured on the other.

    python benchmarks/metadata.py                     both halves of wcxb-dev, which is in the folder DEHUSK_DATA
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
from resiliparse.extract.html2text import extract_plain_text
from rich.console import Console
from rich.table import Table

from dehusk import Extractor, Page, formats, metadata
from dehusk.cli.commands import Option, run
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.metadata import claims, read
from dehusk.metadata.language import language_of
from testing.metadata_accuracy import FIELDS, MetadataTally, chosen_on, gold_facts, our_facts, trafilatura_facts

HALVES: Final = {True: "the half that rules were chosen on", False: "the other half"}
COUNTED: Final = ("right", "wrong", "missing", "invented")
ROUNDS: Final = 5
# The steps of reading: the module that calls each, and its name there.
STEPS: Final = {
    "meta and link": (claims, "Markup"),
    "JSON-LD": (claims, "LinkedData"),
    "title": (claims, "choose_title"),
    "dates": (metadata, "dates_of"),
    "authors": (metadata, "authors_of"),
    "description": (metadata, "description_of"),
    "url": (metadata, "address_of"),
    "image": (metadata, "image_of"),
    "licence": (metadata, "licence_of"),
    "tags": (metadata, "tags_of"),
}
WARM_UP: Final = "A few words, so that the detector is loaded before the time is measured."


def main(
    corpus: Annotated[str, Option(help="Corpus, file or folder, as for `dehusk compare`")] = "wcxb-dev",
    chosen: Annotated[bool | None, Option("--chosen/--other", help="Only one half of the sites")] = None,
    pages: Annotated[int | None, Option(help="Only the first N pages")] = None,
    speed: Annotated[bool, Option("--speed", help="Measure time instead of accuracy")] = False,
) -> None:
    """Print the tables."""
    gold_pages = list(islice(open_corpus(corpus).pages(), pages))
    if speed:
        print_speed(gold_pages)
        return
    for half in (True, False) if chosen is None else (chosen,):
        print_table([page for page in gold_pages if chosen_on(page.site) is half], f"{corpus}, {HALVES[half]}")


def print_table(pages: list[GoldPage], title: str) -> None:
    """Print how often each tool was right, wrong…, by field."""
    table = Table("field", "tool", *COUNTED, "right of those with gold", title=f"{title}: {len(pages)} pages")
    tallies = compare(pages)
    for name in FIELDS:
        for tool, tally in tallies.items():
            counts = [str(tally.counts[name, verdict]) for verdict in COUNTED]
            table.add_row(name, tool, *counts, f"{tally.percent(name):.1f} %")
    Console(width=110).print(table)


def decoded(page: GoldPage) -> str:
    """Return the page's HTML as a string, so that every tool reads the same."""
    return page.html if isinstance(page.html, str) else Page.from_bytes(page.html).html


def compare(pages: list[GoldPage]) -> dict[str, MetadataTally]:
    """Return the tally of each tool over the same pages."""
    tallies = {"dehusk": MetadataTally(), "trafilatura": MetadataTally()}
    extractor = Extractor()
    for page in pages:
        html = decoded(page)
        document = extractor.extract(html, url=page.url)
        ours = read(document.page, document.text, document.kind, language=False)
        tallies["dehusk"].add(gold_facts(page), our_facts(ours))
        tallies["trafilatura"].add(gold_facts(page), trafilatura_facts(html, page.url))
    return tallies


def print_speed(pages: list[GoldPage]) -> None:
    """Print the time for metadata, language and the whole json format as a multiple of resiliparse's."""
    language_of(WARM_UP)
    rounds = np.array([round_of(pages) for _ in range(ROUNDS)])
    for name, column in zip(("metadata", "language", "json, with both"), rounds[:, 1:].T, strict=True):
        print(f"{name}: {np.median(column / rounds[:, 0]):.2f} of resiliparse's time")
    print("of the metadata", ", ".join(f"{name} {ratio:.3f}" for name, ratio in steps_of(pages).items()))


def steps_of(pages: list[GoldPage]) -> dict[str, float]:
    """Return the time of each step of reading as a multiple of resiliparse's."""
    spent = dict.fromkeys(STEPS, 0.0)
    theirs, extractor = 0.0, Extractor()
    with ExitStack() as stack:
        for name, (module, function) in STEPS.items():
            stack.enter_context(patch.object(module, function, with_clock(name, getattr(module, function), spent)))
        for page in pages:
            html = decoded(page)
            start = process_time()
            extract_plain_text(html, main_content=True)
            theirs += process_time() - start
            document = extractor.extract(html, url=page.url)
            read(document.page, document.text, document.kind, language=False)
    return {name: seconds / theirs for name, seconds in spent.items()}


def with_clock(name: str, step: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    """Return a step that adds its CPU seconds to those `spent` under its name."""

    def timed(*values: Any, **options: Any) -> Any:
        start = process_time()
        try:
            return step(*values, **options)
        finally:
            spent[name] += process_time() - start

    return timed


def round_of(pages: list[GoldPage]) -> tuple[float, ...]:
    """Return the CPU seconds of one round: resiliparse's first."""
    return tuple(np.array(list(clocked(pages))).sum(axis=0))


def clocked(pages: list[GoldPage]) -> Iterator[tuple[float, ...]]:
    """Yield the CPU seconds of each page."""
    extractor = Extractor()
    for page in pages:
        html = decoded(page)
        start = process_time()
        extract_plain_text(html, main_content=True)
        theirs = process_time() - start
        # Metadata is read right after the page was extracted, as users do.
        document = extractor.extract(html, url=page.url)
        text = document.text
        times = [process_time()]
        read(document.page, text, document.kind, language=False)
        times.append(process_time())
        language_of(text)
        times.append(process_time())
        formats.render(document, "json")
        times.append(process_time())
        yield theirs, *np.diff(times)


if __name__ == "__main__":
    run(main)
