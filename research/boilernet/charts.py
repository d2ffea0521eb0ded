"""Charts: F1 by number of training pages."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from research.plots import saved_figure

# Colours that colour-blind readers can distinguish, each with its own marker and dash, and the F1 of the paper.
STYLES: Final[tuple[tuple[str, dict[str, Any], float], ...]] = (
    ("boilerplate", {"color": "#0072b2", "marker": "o", "linestyle": "-"}, 0.90),
    ("content", {"color": "#d55e00", "marker": "s", "linestyle": "--"}, 0.78),
)


def draw(f1_by_pages: Mapping[int, Sequence[tuple[float, float]]], path: Path) -> None:
    """Write the learning curve: means, and the range of the seeds."""
    counts = list(f1_by_pages)
    with saved_figure(path, figsize=(7.5, 4.5)) as (_, axes):
        for column, (name, style, printed) in enumerate(STYLES):
            values = [np.array(seeds)[:, column] for seeds in f1_by_pages.values()]
            axes.plot(counts, [each.mean() for each in values], label=name, **style)
            low, high = [each.min() for each in values], [each.max() for each in values]
            axes.fill_between(counts, low, high, color=style["color"], alpha=0.15, linewidth=0)
            axes.plot([50], [printed], "x", color=style["color"], markersize=9, markeredgewidth=2)
        title = "GoogleTrends-2017: F1 of text nodes by number of training pages"
        axes.set(title=title, xlabel="training pages", ylabel="F1")
        axes.legend(frameon=False, loc="lower right", title="bands: all seeds; crosses: the paper")
