"""Charts: similarity and what is left of the text, by cut-off."""

from pathlib import Path
from typing import Any, Final

import matplotlib

from research.pyplexity import paper

# Colours that people with a weak sense of them can tell, each with a mark and a dash of its own.
STYLES: Final[dict[tuple[str, int], dict[str, str]]] = {
    ("general", 2): {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    ("general", 3): {"color": "#0072b2", "marker": "s", "linestyle": "--"},
    ("science", 2): {"color": "#d55e00", "marker": "D", "linestyle": "-."},
    ("science", 3): {"color": "#d55e00", "marker": "^", "linestyle": ":"},
}
FONT: Final[dict[Any, Any]] = {"font.family": "DejaVu Sans", "font.size": 10, "axes.titlelocation": "left"}


def draw(swept: dict[tuple[str, int], list[tuple[float, float]]], folder: Path) -> None:
    """Write sweep.png: the similarity on CleanEval on the left, what is left of the text on the right."""
    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415  (after the choice of what draws)

    folder.mkdir(parents=True, exist_ok=True)
    thousands = [cutoff / 1000 for cutoff in paper.CUTOFFS]
    with pyplot.rc_context(FONT):
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
        for (kind, order), found in swept.items():
            label, style = f"{kind}, {'bigrams' if order == 2 else 'trigrams'}", STYLES[kind, order]
            left.plot(thousands, [alike for alike, _ in found], label=label, markersize=5, **style)
            right.plot(thousands, [share for _, share in found], markersize=5, **style)
            printed = [100 * size / paper.BASELINE_GIGABYTES for size in paper.GIGABYTES[kind, order]]
            right.plot(thousands, printed, alpha=0.35, markersize=4, **style)
        left.set(title="Similarity on CleanEval, per cent", xlabel="cut-off, thousands")
        right.set(title="Text that is left, per cent (pale: the paper's index)", xlabel="cut-off, thousands", ylim=0)
        left.legend(frameon=False)
        for axes in (left, right):
            axes.grid(alpha=0.3)
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        figure.savefig(folder / "sweep.png", dpi=110)
        pyplot.close(figure)
