"""What the rules after the scores change: F1, tables with holes, repeated text, and the time they take.

Each page is scored once and selected twice, by the scores alone and with the rules.

    python benchmarks/selection.py                       the training part of every training set
    python benchmarks/selection.py wcxb-dev --sample 300
"""

from collections.abc import Iterator
from time import process_time
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from dehusk import Blocks, DehuskError, Extractor, Scores
from dehusk.assemble import assemble
from dehusk.cli.commands import Argument, Option, run
from dehusk.evaluation.bootstrap import paired_bootstrap
from dehusk.evaluation.metrics import MatchCounts
from dehusk.evaluation.run import METRICS, has_gold_for, usual_metric
from dehusk.gold.corpora import Corpus, training_corpora
from dehusk.gold.pages import GoldPage
from dehusk.html_tables import DataTables, enclosing_tables
from dehusk.methods.base import Method
from dehusk.models.registry import DEFAULT
from dehusk.page import as_page
from dehusk.page.leaves import BoolArray
from dehusk.selection import BY_SCORE, Selection, selected

ROUNDS: Final = 5  # of the clock; the fastest counts


class Outcome(NamedTuple):
    """What one selection makes of a page."""

    f1: float
    kept_tables: int  # tables of data of which anything is kept
    partial_tables: int  # of these, those that lack cells
    torn_tables: int  # of these, those with a row that is kept in part
    words: int
    repeated_words: int  # in blocks with the text of an earlier block that is kept
    seconds: float  # of the selection
    total: float  # of the whole path with it


def outcomes(page: GoldPage, extractor: Extractor) -> tuple[Outcome, Outcome]:
    """Return what the scores alone and what the rules make of a page."""
    method = extractor.method
    assert isinstance(method, Method)
    start = process_time()
    parsed = as_page(page.html)
    blocks = method.segment(parsed)
    scores = method.score(parsed, blocks)
    common = process_time() - start
    found = []
    for selection in (BY_SCORE, extractor.selection):
        document = assemble(parsed, blocks, scores, selection=selection)
        result: Any = METRICS[usual_metric(page.corpus)](document.text, page)
        f1 = result.prf.f1 if isinstance(result, MatchCounts) else float(result)
        seconds = _seconds(blocks, scores, selection)
        tables, words = table_counts(blocks, document.kept), len(document.text.split())
        found.append(Outcome(f1, *tables, words, repeated_words(blocks, document.kept), seconds, common + seconds))
    return found[0], found[1]


def _seconds(blocks: Blocks, scores: Scores, selection: Selection) -> float:
    best = 1e9
    for _ in range(ROUNDS):
        start = process_time()
        selected(blocks, scores, 0.5, selection)
        best = min(best, process_time() - start)
    return best


def table_counts(blocks: Blocks, kept: BoolArray) -> tuple[int, int, int]:
    """Return how many tables of data are kept at all, how many in part, and how many with a row kept in part."""
    if not len(blocks) or "table" not in blocks.elements.tag:
        return 0, 0, 0
    around, tables = enclosing_tables(blocks.elements)[0][blocks.owner], DataTables(blocks.elements)
    some = partial = torn = 0
    for table in set(around[kept].tolist()) - {-1}:
        rows = {cell.element: cell.row for cell in tables.cells(table)}
        if not rows:
            continue
        states: dict[int, bool] = {}
        for number in np.flatnonzero(around == table).tolist():
            cell = next((each for each in blocks.elements.chain(int(blocks.owner[number])) if each in rows), None)
            if cell is not None:
                states[cell] = states.get(cell, False) or bool(kept[number])
        by_row: dict[int, set[bool]] = {}
        for cell, is_kept in states.items():
            by_row.setdefault(rows[cell], set()).add(is_kept)
        some += any(states.values())
        partial += len(set(states.values())) == 2
        torn += any(len(row) == 2 for row in by_row.values())
    return some, partial, torn


def repeated_words(blocks: Blocks, kept: BoolArray) -> int:
    """Return the words of blocks that are kept and repeat an earlier one that is kept."""
    strings, repeats = blocks.strings(), blocks.repeats(among=kept)
    return sum(len(strings[number].split()) for number in np.flatnonzero(repeats >= 0).tolist())


def measured(corpus: Corpus, part: str, sample: int | None) -> Iterator[tuple[Outcome, Outcome]]:
    """Yield the outcomes of the pages of a corpus that have gold."""
    extractor = Extractor(DEFAULT)
    for page in corpus.pages(part, sample):
        if has_gold_for(page, usual_metric(corpus.name)):
            yield outcomes(page, extractor)


def main(
    corpora: Annotated[list[str] | None, Argument("CORPUS")] = None,
    part: Annotated[str, Option(help="Part of each corpus.")] = "train",
    sample: Annotated[int | None, Option(min=1, help="How many pages of each corpus to take.")] = None,
) -> None:
    """Print for each corpus what the scores alone give, and what the rules give."""
    titles = ("corpus", "pages", "F1 before", "after", "change, 95 %", "tables kept", "in part", "with holes")
    drawn = Table(*titles, "words repeated", "time of selection", "of the path")
    try:
        for corpus in training_corpora(corpora or ()):
            drawn.add_row(corpus.name, *_figures(list(measured(corpus, part, sample))))
    except DehuskError as error:
        raise SystemExit(f"selection.py: {error}") from error
    Console(width=200).print(drawn)


def _figures(pairs: list[tuple[Outcome, Outcome]]) -> list[str]:
    before, after = (np.array(side) for side in zip(*pairs, strict=True))
    change = paired_bootstrap(after[:, 0], before[:, 0])
    sums, seconds = (before.sum(axis=0), after.sum(axis=0)), [side[:, 6].mean() * 1e6 for side in (before, after)]
    counts = [f"{int(sums[0][column])} → {int(sums[1][column])}" for column in (1, 2, 3, 5)]
    return [
        str(len(pairs)),
        f"{100 * before[:, 0].mean():.2f}",
        f"{100 * after[:, 0].mean():.2f}",
        f"{100 * change.mean:+.2f} ({100 * change.low:+.2f} to {100 * change.high:+.2f})",
        *counts,
        f"{seconds[0]:.0f} → {seconds[1]:.0f} µs",
        f"{100 * (sums[1][6] - sums[0][6]) / sums[0][7]:.2f} %",
    ]


if __name__ == "__main__":
    run(main)
