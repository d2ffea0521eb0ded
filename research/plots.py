"""Plots: the frame that the figures of all papers share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import matplotlib

FONT: Final[dict[Any, Any]] = {"font.family": "DejaVu Sans", "font.size": 10, "axes.titlelocation": "left"}


@contextmanager
def saved_figure(path: Path, *grid: int, **options: Any) -> Iterator[tuple[Any, Any]]:
    """Yield a figure and its axes to draw on, then write it as a PNG; `grid` is rows and columns of axes."""
    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415  (after the choice of the backend)

    path.parent.mkdir(parents=True, exist_ok=True)
    with pyplot.rc_context(FONT):
        figure, axes = pyplot.subplots(*grid, layout="constrained", **options)
        yield figure, axes
        for each in figure.axes:
            each.grid(alpha=0.3)
            each.set_axisbelow(True)
            each.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, dpi=110)
        pyplot.close(figure)
