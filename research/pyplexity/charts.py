"""Charts: similarity and remaining text by cut-off."""

from pathlib import Path
from typing import Final

from research.plots import saved_figure
from research.pyplexity import paper

# Colours that colour-blind readers can distinguish, each with its own marker and dash.
STYLES: Final[dict[tuple[str, int], dict[str, str]]] = {
    ("general", 2): {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    ("general", 3): {"color": "#0072b2", "marker": "s", "linestyle": "--"},
    ("science", 2): {"color": "#d55e00", "marker": "D", "linestyle": "-."},
    ("science", 3): {"color": "#d55e00", "marker": "^", "linestyle": ":"},
}


def draw(sweep: dict[tuple[str, int], list[tuple[float, float]]], folder: Path) -> None:
    """Write sweep.png: similarity on CleanEval on the left, remaining text on the right."""
    thousands = [cutoff / 1000 for cutoff in paper.CUTOFFS]
    with saved_figure(folder / "sweep.png", 1, 2, figsize=(11, 4.6)) as (_, (left, right)):
        for (kind, order), figures in sweep.items():
            label, style = f"{kind}, {'bigrams' if order == 2 else 'trigrams'}", STYLES[kind, order]
            left.plot(thousands, [similarity for similarity, _ in figures], label=label, markersize=5, **style)
            right.plot(thousands, [share for _, share in figures], markersize=5, **style)
            printed = [100 * size / paper.BASELINE_GIGABYTES for size in paper.GIGABYTES[kind, order]]
            right.plot(thousands, printed, alpha=0.35, markersize=4, **style)
        left.set(title="Similarity on CleanEval, per cent", xlabel="cut-off, thousands")
        right.set(title="Remaining text, per cent (pale: the paper's index)", xlabel="cut-off, thousands", ylim=0)
        left.legend(frameon=False)
