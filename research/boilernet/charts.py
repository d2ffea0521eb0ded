"""Charts: how much boilernet learns from fewer pages."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib
import numpy as np

# Colours that people with a weak sense of them can tell, each with a mark and a dash of its own.
STYLES: Final[tuple[tuple[str, dict[str, Any], float], ...]] = (
    ("boilerplate", {"color": "#0072b2", "marker": "o", "linestyle": "-"}, 0.90),
    ("content", {"color": "#d55e00", "marker": "s", "linestyle": "--"}, 0.78),
)
FONT: Final[dict[Any, Any]] = {"font.family": "DejaVu Sans", "font.size": 10, "axes.titlelocation": "left"}


def draw(found: Mapping[int, Sequence[tuple[float, float]]], path: Path) -> None:
    """Write the learning curve: means, and the range of the seeds."""
    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415  (after the choice of what draws)

    with pyplot.rc_context(FONT):
        figure, axes = pyplot.subplots(figsize=(7.5, 4.5), layout="constrained")
        counts = list(found)
        for column, (name, style, printed) in enumerate(STYLES):
            values = [np.array(seeds)[:, column] for seeds in found.values()]
            axes.plot(counts, [each.mean() for each in values], label=name, **style)
            low, high = [each.min() for each in values], [each.max() for each in values]
            axes.fill_between(counts, low, high, color=style["color"], alpha=0.15, linewidth=0)
            axes.plot([50], [printed], "x", color=style["color"], markersize=9, markeredgewidth=2)
        axes.set(
            title="GoogleTrends-2017: F1 of text nodes by pages to learn from", xlabel="training pages", ylabel="F1"
        )
        axes.grid(alpha=0.3)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.legend(frameon=False, loc="lower right", title="bands: all seeds; crosses: the paper")
        figure.savefig(path, dpi=110)
        pyplot.close(figure)
