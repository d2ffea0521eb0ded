"""Charts: the figures of texrex's paper, redrawn."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk.methods.texrex.features import NAMES
from research.plots import saved_figure
from research.texrex import metrics
from research.texrex.paper import BALANCED, LANGUAGES
from research.texrex.runs import Runs

# Colours that colour-blind readers can distinguish, each with its own marker and dash.
STYLES: Final = {
    "en": {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    "fr": {"color": "#d55e00", "marker": "s", "linestyle": "--"},
    "de": {"color": "#009e73", "marker": "D", "linestyle": "-."},
    "sv": {"color": "#7a5195", "marker": "^", "linestyle": ":"},
}


def draw(runs: Runs, folder: Path) -> None:
    """Write figure-1.png, figure-2.png and figure-3.png."""
    with saved_figure(folder / "figure-1.png", 1, 2, figsize=(11, 5), sharey=True) as (figure, axes):
        _curves(runs, figure, axes)
    with saved_figure(folder / "figure-2.png", 2, 3, figsize=(12, 7.5), sharex=True, sharey=True) as (figure, axes):
        _other_languages(runs, figure, axes)
    with saved_figure(folder / "figure-3.png", figsize=(11, 5.5)) as (_, axes):
        _merits(runs, axes)


def _line(axes: Any, curve: metrics.Curve, language: str, label: str) -> None:
    inside = curve.recall > 0
    axes.plot(
        curve.recall[inside], curve.precision[inside], label=label, markevery=10, markersize=4.5, **STYLES[language]
    )


def _frame(axes: Any, title: str, low: float) -> None:
    axes.set(title=title, xlabel="recall", ylabel="precision", xlim=(low, 1.002), ylim=(low, 1.002))


def _curves(runs: Runs, figure: Any, axes: Any) -> None:
    for each, by_page in zip(axes, (False, True), strict=True):
        for language, name in LANGUAGES.items():
            gold = runs.vectors[language].targets > 0.5
            _line(each, metrics.curve(runs.outputs(language, by_page=by_page), gold), language, name)
        _frame(each, "Folds by page" if by_page else "Folds at random, as in the paper", 0.85)
    for language in LANGUAGES:
        f1 = BALANCED[language][1]
        axes[0].plot([f1], [f1], "x", color=STYLES[language]["color"], markersize=9, markeredgewidth=2)
    axes[0].legend(frameon=False, loc="lower left", title="crosses: precision = recall in the paper")
    figure.suptitle("Boilerplate at every threshold: precision and recall", x=0.01, ha="left")


def _other_languages(runs: Runs, figure: Any, axes: Any) -> None:
    outputs = runs.other_languages()
    nets = {**LANGUAGES, "germanic": "Germanic languages", "all": "all languages"}
    for panel, (net, title) in zip(axes.flat, nets.items(), strict=True):
        for language, name in LANGUAGES.items():
            gold = runs.vectors[language].targets > 0.5
            _line(panel, metrics.curve(outputs[net, language], gold), language, f"on {name}")
        _frame(panel, f"Network of {title}", 0.8)
    axes.flat[0].legend(frameon=False, loc="lower left")
    figure.suptitle("Networks on their training language, and on others", x=0.01, ha="left")


def _merits(runs: Runs, axes: Any) -> None:
    merits = {language: 100 * runs.merits(language) for language in LANGUAGES}
    mean = np.mean([*merits.values()], axis=0)
    order = np.argsort(-mean, kind="stable")
    axes.plot(mean[order], color="#999999", linewidth=2, label="mean", zorder=1)
    for language, name in LANGUAGES.items():
        style = {key: value for key, value in STYLES[language].items() if key != "linestyle"}
        axes.plot(merits[language][order], linestyle="none", markersize=5, label=name, **style)
    axes.set(ylabel="points of accuracy above the baseline", title="What each feature is worth alone")
    axes.set_xticks(range(len(order)), [NAMES[row] for row in order.tolist()], rotation=90)
    axes.legend(frameon=False)
