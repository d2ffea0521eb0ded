"""Charts: the figures of texrex's paper, drawn anew."""

from pathlib import Path
from typing import Any, Final

import matplotlib
import numpy as np

from dehusk.methods.texrex.features import NAMES
from research.texrex import figures
from research.texrex.paper import BALANCED, LANGUAGES
from research.texrex.runs import Runs

# Colours that people with a weak sense of them can tell, each with a mark and a dash of its own.
STYLES: Final = {
    "en": {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    "fr": {"color": "#d55e00", "marker": "s", "linestyle": "--"},
    "de": {"color": "#009e73", "marker": "D", "linestyle": "-."},
    "sv": {"color": "#7a5195", "marker": "^", "linestyle": ":"},
}
FONT: Final[dict[Any, Any]] = {"font.family": "DejaVu Sans", "font.size": 10, "axes.titlelocation": "left"}


def draw(runs: Runs, folder: Path) -> None:
    """Write figure-1.png, figure-2.png and figure-3.png."""
    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415  (after the choice of what draws)

    with pyplot.rc_context(FONT):
        for number, drawn in enumerate((_curves, _crossed, _merits), 1):
            figure = drawn(runs, pyplot)
            figure.savefig(folder / f"figure-{number}.png", dpi=110)
            pyplot.close(figure)


def _line(axes: Any, found: figures.Curve, language: str, label: str) -> None:
    inside = found.recall > 0
    axes.plot(
        found.recall[inside], found.precision[inside], label=label, markevery=10, markersize=4.5, **STYLES[language]
    )


def _frame(axes: Any, title: str, low: float) -> None:
    axes.set(title=title, xlabel="recall", ylabel="precision", xlim=(low, 1.002), ylim=(low, 1.002))
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _curves(runs: Runs, pyplot: Any) -> Any:
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 5), layout="constrained", sharey=True)
    for each, by_page in zip(axes, (False, True), strict=True):
        for language, name in LANGUAGES.items():
            gold = runs.vectors[language].targets > 0.5
            _line(each, figures.curve(runs.outputs(language, by_page=by_page), gold), language, name)
        _frame(each, "Folds by page" if by_page else "Folds at random, as in the paper", 0.85)
    for language in LANGUAGES:
        f1 = BALANCED[language][1]
        axes[0].plot([f1], [f1], "x", color=STYLES[language]["color"], markersize=9, markeredgewidth=2)
    axes[0].legend(frameon=False, loc="lower left", title="crosses: the paper's balance")
    figure.suptitle("Boilerplate at every threshold: precision and recall", x=0.01, ha="left")
    return figure


def _crossed(runs: Runs, pyplot: Any) -> Any:
    outputs = runs.crossed()
    figure, axes = pyplot.subplots(2, 3, figsize=(12, 7.5), layout="constrained", sharex=True, sharey=True)
    nets = {**LANGUAGES, "germanic": "Germanic languages", "all": "all languages"}
    for place, (net, title) in zip(axes.flat, nets.items(), strict=True):
        for language, name in LANGUAGES.items():
            gold = runs.vectors[language].targets > 0.5
            _line(place, figures.curve(outputs[net, language], gold), language, f"on {name}")
        _frame(place, f"Net of {title}", 0.8)
    axes.flat[0].legend(frameon=False, loc="lower left")
    figure.suptitle("Nets on the language that they were trained on, and on others", x=0.01, ha="left")
    return figure


def _merits(runs: Runs, pyplot: Any) -> Any:
    merits = {language: 100 * runs.merits(language) for language in LANGUAGES}
    mean = np.mean([*merits.values()], axis=0)
    order = np.argsort(-mean, kind="stable")
    figure, axes = pyplot.subplots(figsize=(11, 5.5), layout="constrained")
    axes.plot(mean[order], color="#999999", linewidth=2, label="mean", zorder=1)
    for language, name in LANGUAGES.items():
        style = {key: value for key, value in STYLES[language].items() if key != "linestyle"}
        axes.plot(merits[language][order], linestyle="none", markersize=5, label=name, **style)
    axes.set(ylabel="points of accuracy above the baseline", title="What each feature is worth alone")
    axes.set_xticks(range(len(order)), [NAMES[row] for row in order.tolist()], rotation=90)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure
