"""Charts: what each method does to classification, search and the size of an index."""

from pathlib import Path
from typing import Any, Final

from research.downstream.classification import CLASSIFIERS
from research.downstream.queries import KINDS
from research.downstream.runs import Runs
from research.downstream.search import Longs, measures
from research.downstream.texts import BASELINE, METHODS
from research.plots import saved_figure

# Colours that colour-blind readers can distinguish, each with its own marker.
STYLES: Final[tuple[dict[str, Any], ...]] = (
    {"color": "#0072b2", "marker": "o"},
    {"color": "#d55e00", "marker": "s"},
    {"color": "#009e73", "marker": "D"},
)


def draw(work: Runs, path: Path) -> None:
    """Write three panels that share their rows, one per method; dotted lines are the text of whole pages."""
    rows, kinds = range(len(METHODS)), work.kinds()
    macro = {name: [100 * work.classified(method, name).f1[0] for method in METHODS] for name in CLASSIFIERS}
    ranks = {method: work.searched(method).likelihood for method in METHODS}
    means_by_kind = {kind: [_mean(ranks[method][kinds == kind]) for method in METHODS] for kind in KINDS}
    with saved_figure(path, 1, 3, figsize=(13, 5.2), sharey=True) as (_, (left, middle, right)):
        for axes, lines in ((left, macro), (middle, means_by_kind)):
            for style, (name, values) in zip(STYLES, lines.items(), strict=False):
                axes.plot(values, rows, linestyle="none", label=name, **style)
                axes.axvline(values[METHODS.index(BASELINE)], color=style["color"], linestyle=":", linewidth=1)
            axes.legend(frameon=False, fontsize=8, loc="best")
        sizes = [work.searched(method).index_bytes / 1e6 for method in METHODS]
        right.barh(rows, sizes, color="#999999")
        for row, size in zip(rows, sizes, strict=True):
            right.annotate(f" {size:.1f}", (size, row), va="center", fontsize=8)
        left.set(title="WebKB: macro F1, per cent", yticks=rows, yticklabels=METHODS)
        left.invert_yaxis()
        middle.set(title="Known-item search (QL): MRR, per cent")
        right.set(title="Index, MB")


def _mean(ranks: Longs) -> float:
    return 100 * float(next(measures(ranks)).mean())
