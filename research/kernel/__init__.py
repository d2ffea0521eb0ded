"""kernel: how good our own model is on sites, and on whole corpora, that it was not trained on.

Intermediate results are kept in the folder `kernel-work`, which `dehusk train kernel` uses too. The model that scores a
page has seen no page of its site, and the numbers chosen after training come from pages of other folds, or of other
corpora.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.assemble import assemble
from dehusk.blocks import cut
from dehusk.errors import InputError
from dehusk.evaluation.run import METRICS, Row, has_gold_for, score_row, usual_metric
from dehusk.evaluation.summary import summarise
from dehusk.features.text import text_features
from dehusk.gold.corpora import Corpus, training_corpora, training_pages
from dehusk.gold.pages import GoldPage
from dehusk.methods.kernel import Kernel
from dehusk.methods.kernel.decision import Tuning
from dehusk.pool import Pool
from dehusk.reasons import Reason
from dehusk.scores import Scores
from dehusk.selection import Selection
from dehusk.training.examples import LIMITS, parse
from dehusk.training.kernel import load_features
from dehusk.training.kernel.cross_validation import cross_validate, leave_out
from dehusk.training.kernel.predictions import Predictions, joined
from dehusk.training.kernel.recipe import RECIPE
from dehusk.training.kernel.tuning import scores, tuned, tuned_on_others, with_labels
from research import Line, PaperTable, Progress
from research.kernel.cuts import cut_table

PAPER: Final = "kernel, our own model: cross-validation by site, and each corpus measured by a model trained without it"
WORK: Final = Path("kernel-work")
FEATURES: Final = WORK / "features.npz"
NAME: Final = "kernel"
SELECTION: Final = Selection(refine=Kernel.capabilities.refines)
COLUMNS: Final = ("F1", "precision", "recall")

Task = tuple[GoldPage, NDArray[np.float16] | None, Tuning | None]


def tables(progress: Progress) -> Iterator[PaperTable]:
    """Yield the cross-validation, then the corpora that were left out, then what other cuts would give."""
    corpora, jobs = training_corpora(), os.cpu_count() or 1
    progress("features")
    packed = load_features(FEATURES, jobs=jobs)
    progress("cross-validation")
    folds = cross_validate(packed, RECIPE, WORK)
    tunings = tuned_on_others(packed, folds)
    by_fold = [(predictions, tunings[fold]) for fold, predictions in folds.items()]
    rows = measured(corpora, by_fold, jobs)
    yield _table("Cross-validation, five folds by site, mean over pages, per cent", rows)
    progress("corpora left out")
    left = leave_out(packed, RECIPE, WORK)
    known = joined(folds.values())
    others = {name: tuned(with_labels(packed, known.without(name))) for name in left}
    without = [(predictions, others[name]) for name, predictions in left.items()]
    rows = measured(corpora, without, jobs)
    yield _table("Each corpus by a model trained without it, mean over pages, per cent", rows)
    progress("cuts")
    yield cut_table(packed, by_fold, without)


def measured(corpora: Iterable[Corpus], parts: Iterable[tuple[Predictions, Tuning]], jobs: int) -> list[Row]:
    """Return the scores of predictions on the text of the training pages, by each corpus's default metric."""
    known = {name: (logits, tuning) for predictions, tuning in parts for name, logits in predictions}
    rows = []
    with Pool(row_of, jobs, LIMITS) as pool:
        for (page, *_), answer in pool.map(_tasks(corpora, known)):
            if isinstance(answer, Reason):
                raise InputError(f"{page.corpus} {page.id} could not be measured: {answer}")
            rows.append(answer)
    return rows


def _tasks(
    corpora: Iterable[Corpus], known: Mapping[tuple[str, str], tuple[NDArray[np.float16], Tuning]]
) -> Iterator[Task]:
    for page in training_pages(corpora):
        if has_gold_for(page, usual_metric(page.corpus)):
            yield page, *known.get((page.corpus, page.id), (None, None))


def row_of(task: Task) -> Row:
    """Return the scores of one page's predictions, in a worker."""
    page, logits, tuning = task
    output = _text(page, logits, tuning)
    return score_row(page, NAME, METRICS[usual_metric(page.corpus)](output, page), size=len(page.html))


def _text(gold: GoldPage, logits: NDArray[np.float16] | None, tuning: Tuning | None) -> str:
    """Return the main text that kernel would have extracted."""
    page = parse(gold.html)
    blocks = cut(page)
    if len(blocks) != (0 if logits is None else len(logits)):
        raise InputError(f"it has {len(blocks)} blocks now; remove the predictions and compute them again")
    if logits is None or tuning is None:
        return ""
    kept = scores(tuning, logits.astype(np.float32), text_features(blocks).words)
    return assemble(page, blocks, Scores(blocks, 1 - kept, NAME), selection=SELECTION).text


def _table(title: str, rows: Sequence[Row]) -> PaperTable:
    lines = []
    for figure in summarise(rows):
        part = "" if figure.group == "all" else f", {figure.group.partition('=')[2]}"
        ours = 100 * figure.f1, 100 * figure.precision, 100 * figure.recall
        lines.append(Line(f"{figure.corpus}{part} ({figure.pages} pages)", (None,) * len(COLUMNS), ours))
    return PaperTable(title, COLUMNS, tuple(lines))
