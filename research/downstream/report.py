"""Report: the tables, with the paper's figures beside ours where there are any."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from research import Line, PaperTable
from research.downstream import paper
from research.downstream.classification import CLASSIFIERS, p_value
from research.downstream.paper import CLASSES
from research.downstream.queries import KINDS
from research.downstream.runs import Runs
from research.downstream.search import measures
from research.downstream.texts import BASELINE, METHODS

ALPHA: Final = 0.05
MEASURES: Final = ("MRR", "NDCG@10", "P@1", "P@5")
MODELS: Final = {"QL": "likelihood", "BM25": "bm25"}
BESIDE: Final = "RoBERTa base"  # the paper's best, whose figures stand beside ours
PERPLEXITY: Final = "pyplexity"

Doubles = NDArray[np.float64]


def tables(work: Runs) -> Iterator[PaperTable]:
    """Yield all tables."""
    yield from (classification_table(work, classifier) for classifier in CLASSIFIERS)
    yield from (search_table(work, kind) for kind in KINDS)
    yield cost_table(work)


def classification_table(work: Runs, classifier: str) -> PaperTable:
    """Return table 6 of the paper for a classifier and all methods."""
    classified = {method: work.classified(method, classifier) for method in METHODS}
    nothing = (None,) * (1 + len(CLASSES))
    lines = [
        Line(f"{name}, {which}", row, nothing)
        for name, rows in paper.WEBKB.items()
        for which, row in zip(("tags removed", "perplexity below 8K"), rows, strict=True)
    ]
    beside: dict[str, tuple[float | None, ...]] = {
        BASELINE: paper.WEBKB[BESIDE][0],
        PERPLEXITY: paper.WEBKB[BESIDE][1],
    }
    for method in METHODS:
        p = p_value(classified[method], classified[BASELINE])
        mark = arrow(classified[method].f1[0] - classified[BASELINE].f1[0], p)
        lines.append(Line(f"{method}{mark}", beside.get(method, nothing), classified[method].f1))
    note = (
        f"{len(classified[BASELINE].gold):,} pages of four universities, each predicted by a classifier of the others' "
        f"pages. Arrows: macro F1 differs from that of {BASELINE} (randomisation test, {ALPHA}). Beside {BASELINE} "
        f"and {PERPLEXITY}: the paper's {BESIDE}."
    )
    return PaperTable(f"Table 6: WebKB, {classifier}", ("macro F1", *CLASSES), tuple(lines), note)


def search_table(work: Runs, kind: str) -> PaperTable:
    """Return the figures of one kind of query, by both models."""
    chosen = work.kinds() == kind
    lines = []
    for method in METHODS:
        ours: list[float] = []
        marks = ""
        for model in MODELS.values():
            values = [*measures(getattr(work.searched(method), model)[chosen])]
            base = [*measures(getattr(work.searched(BASELINE), model)[chosen])]
            ours += [100 * float(each.mean()) for each in values]
            marks += arrow(float((values[0] - base[0]).mean()), paired_p(values[0], base[0]))
        lines.append(Line(f"{method}{marks}", (None,) * len(ours), tuple(ours)))
    columns = tuple(f"{model}: {name}" for model in MODELS for name in MEASURES)
    note = (
        f"{int(chosen.sum()):,} queries, per cent. Arrows: the reciprocal rank differs from that of {BASELINE} "
        f"(Wilcoxon test, {ALPHA}), first by query likelihood, then by BM25."
    )
    return PaperTable(f"Known-item search by {kind}", columns, tuple(lines), note)


def cost_table(work: Runs) -> PaperTable:
    """Return sizes and times, and the share that the paper's index had."""
    base, lines = work.searched(BASELINE), []
    whole = work.cost(BASELINE).characters
    for method in METHODS:
        search, cost = work.searched(method), work.cost(method)
        shares = (100 * cost.characters / whole, 100 * search.index_bytes / base.index_bytes)
        times = (search.index_seconds, 1e6 * search.search_seconds / len(work.items), 1000 * cost.seconds / cost.pages)
        printed = paper.INDEX_SHARE if method == PERPLEXITY else None
        ours = (100 * cost.empty / cost.pages, shares[0], search.index_bytes / 1e6, shares[1], *times)
        lines.append(Line(method, (None, None, None, printed, None, None, None), ours))
    columns = ("empty %", "text %", "index MB", "index %", "index s", "search µs", "cleaning ms per page")
    note = f"{work.cost(BASELINE).pages:,} pages; shares of {BASELINE}. CPU time in one thread, search per query."
    return PaperTable("Tables 2 to 4: what an index costs", columns, tuple(lines), note)


def arrow(difference: float, p: float) -> str:
    """Return whether a figure is significantly above or below another.

    >>> arrow(0.1, 0.01), arrow(-0.1, 0.01), arrow(0.1, 0.5)
    (' ↑', ' ↓', ' =')
    """
    if p >= ALPHA or not difference:
        return " ="
    return " ↑" if difference > 0 else " ↓"


def paired_p(values: Doubles, base: Doubles) -> float:
    """Return the p-value of the Wilcoxon test on pairs, as in the paper; 1 if ranks and means disagree.

    >>> paired_p(np.array([1.0, 0.5]), np.array([1.0, 0.5]))
    1.0
    """
    difference = float((values - base).mean())
    if not np.any(values != base) or not difference:
        return 1.0
    from scipy.stats import wilcoxon  # noqa: PLC0415  (slow to import)

    side = wilcoxon(values, base, alternative="greater" if difference > 0 else "less")
    return min(2 * float(side.pvalue), 1.0)
