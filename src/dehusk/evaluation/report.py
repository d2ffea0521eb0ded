"""Report: an evaluation as one self-contained HTML file, without scripts and without network access.

Pages are hostile: the template escapes whatever comes from one (ids, kinds, errors, gold, output), and a content
security policy lets the file load nothing and run nothing, should something slip through.
"""

import platform
import shlex
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from importlib.resources import files
from math import isfinite, nan
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dehusk.evaluation import charts
from dehusk.evaluation.block_charts import curve_figures, recall_chart, reliability_chart
from dehusk.evaluation.bootstrap import paired_bootstrap
from dehusk.evaluation.charts import Bar, Point, share, text
from dehusk.evaluation.peers import ORACLE, PEERS
from dehusk.evaluation.run import BlockScores, is_ours, is_peer, usual_metric
from dehusk.evaluation.session import Session
from dehusk.evaluation.summary import Figure, Timing, summarise, timings
from dehusk.evaluation.worst_pages import WorstPage, worst_pages
from dehusk.gold.corpora import SETS, Corpus

TOP: Final = 4  # systems of ours, and of others, in small charts; tables have all
GROUPS: Final = 12  # kinds or languages shown, the largest first
BINS: Final = 20
METRIC_NAMES: Final = {
    "bow": "bag-of-words F1",
    "words": "word F1 by alignment",
    "marked": "word F1 by alignment, marks counted",
    "segments": "F1 of CleanEval's marks",
    "snippets": "snippet F1",
    "similarity": "edit similarity of words",
    "rouge5": "ROUGE-5",
    "rougelsum": "ROUGE-LSum",
}


def write_report(path: Path, session: Session, times: Sequence[Timing], corpora: Sequence[Corpus]) -> None:
    """Write the report; the worst pages are read from `corpora` again, since a session keeps no text."""
    css = files("dehusk.evaluation").joinpath("report.css").read_text(encoding="utf-8")
    html = (
        _environment()
        .get_template("report.html.jinja")
        .render(
            view=_View(session, times, corpora, summarise(session.rows)),
            version=metadata.version("dehusk"),
            css=Markup(css),  # ours, and the policy allows no other
            digest=b64encode(sha256(css.encode()).digest()).decode(),
        )
    )
    path.write_text(html.lstrip(), encoding="utf-8")


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dehusk", "evaluation"),
        autoescape=True,
        finalize=text,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"interval_bar": charts.interval_bar, "swatch": charts.swatch, "nan": nan}
    environment.filters |= {
        "recall_chart": recall_chart,
        "reliability_chart": reliability_chart,
        "count": "{:,}".format,
        "curve_figures": curve_figures,
        "group_heading": _group_heading,
        "heat_level": _heat_level,
        "metric_name": lambda metric: METRIC_NAMES.get(metric, metric),
        "share": share,
        "text": text,
        "tone": _tone,
        "value_of": _value_of,
    }
    return environment


class _Card(NamedTuple):
    """One of the large figures above a summary."""

    title: str
    value: str
    note: str


@dataclass(frozen=True)
class _View:
    """What the template asks of a session."""

    session: Session
    times: Sequence[Timing]
    corpora: Sequence[Corpus]
    figures: Sequence[Figure]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(figure.corpus for figure in self.figures))

    def page_count(self, corpus: str | None = None) -> int:
        return len({(row.corpus, row.page) for row in self.session.rows if corpus in (None, row.corpus)})

    def group(self, corpus: str, group: str = "all") -> list[Figure]:
        """Return the figures of a group of pages, the best first and those without a figure last."""
        figures = [figure for figure in self.figures if (figure.corpus, figure.group) == (corpus, group)]
        return sorted(figures, key=lambda figure: -figure.f1 if isfinite(figure.f1) else 1)

    def best(self, corpus: str, group: str = "all", column: str = "f1") -> str:
        """Return the best value as shown, so that all that look alike are marked; the ceiling does not compete."""
        values = [getattr(figure, column) for figure in self.group(corpus, group) if figure.system != ORACLE]
        return share(max(filter(isfinite, values), default=nan))

    def best_figures(self, corpus: str) -> list[Figure]:
        """Return the best of our methods and of the other tools, each tool once, without the ceiling; best first."""
        figures, others = self.group(corpus), dict[str, Figure]()
        for figure in figures:
            if _tone(figure.system) == "peer":
                others.setdefault(_package(figure.system), figure)
        ours = [figure for figure in figures if _tone(figure.system) == "ours"]
        chosen = [*ours[:TOP], *list(others.values())[:TOP]]
        return [figure for figure in figures if figure in chosen]

    # ── Header ──

    @property
    def versions(self) -> list[str]:
        # A tool in several modes has one version.
        tools = {_package(system): version for system, version in self.session.about["systems"].items() if version}
        python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
        return [python, *(f"{tool} {version}" for tool, version in tools.items())]

    @property
    def command(self) -> str:
        """The command that measures the same again."""
        paths = {corpus.name: str(corpus.path) for corpus in self.corpora if corpus.name not in SETS}
        words = ["dehusk", "evaluate"]
        words += [word for name in self.session.about["corpora"] for word in ("--corpus", paths.get(name, name))]
        # A session has one selection for all corpora.
        for name, chosen in list(self.session.about["corpora"].items())[:1]:
            words += ["--part", chosen["part"]] if chosen["part"] != "all" else []
            words += ["--sample", str(chosen["sample"]), "--seed", str(chosen["seed"])] if chosen["sample"] else []
            words += ["--metric", chosen["metric"]] if chosen["metric"] != usual_metric(name) else []
        words += [word for system in self.session.about["systems"] for word in ("--method", system)]
        return shlex.join([*words, *(["--time"] if self.times else []), "--output", "lab"])

    # ── Summary ──

    def summary_columns(self, corpus: str) -> dict[str, str]:
        """Return the columns after F1, heading → attribute of `Figure`."""
        columns = {"precision": "precision", "recall": "recall"}
        rows = [row for row in self.session.rows if row.corpus == corpus]
        # A metric without counts (similarity) has nothing to pool.
        if any(row.tp or row.fp or row.fn for row in rows):
            columns |= {"micro P": "micro_precision", "micro R": "micro_recall", "micro F1": "micro_f1"}
        return columns | ({"F1 with gold": "f1_with_gold"} if any(row.empty_gold for row in rows) else {})

    def cards(self, corpus: str) -> list[_Card]:
        """Return the figures that a reader looks for first: our best, the best peer, their difference, the ceiling."""
        first: dict[str, Figure] = {}
        for figure in self.group(corpus):
            first.setdefault(_tone(figure.system), figure)
        titles = {"ours": "our best", "peer": "best peer", "oracle": "ceiling of block methods"}
        cards = [
            _Card(title, share(first[tone].f1), first[tone].system) for tone, title in titles.items() if tone in first
        ]
        if "ours" in first and "peer" in first:
            cards.insert(2, self._difference_card(corpus, first["ours"].system, first["peer"].system))
        return cards

    def _difference_card(self, corpus: str, ours: str, theirs: str) -> _Card:
        pages = self._page_scores(corpus)
        shared = sorted(pages[ours].keys() & pages[theirs].keys())
        first, second = (np.array([pages[system][page] for page in shared]) for system in (ours, theirs))
        gap = paired_bootstrap(first, second)
        if not isfinite(gap.mean):
            return _Card("ours minus theirs", "–", "")
        low, mean, high = (f"{value:+.3f}".replace("-", "−") for value in (gap.low, gap.mean, gap.high))
        return _Card("ours minus theirs", mean, f"{low} to {high}, p = {gap.p:.2g}")

    def _page_scores(self, corpus: str) -> dict[str, dict[str, float]]:
        scores: dict[str, dict[str, float]] = {}
        for row in self.session.rows:
            if row.corpus == corpus:
                scores.setdefault(row.system, {})[row.page] = row.f1
        return scores

    def errors(self, corpus: str) -> Counter[tuple[str, str]]:
        return Counter((row.system, row.error) for row in self.session.rows if row.corpus == corpus and row.error)

    # ── Speed ──

    @property
    def has_memory(self) -> bool:
        return any(isfinite(timing.peak_memory) for timing in self.times)

    def speed_plot(self, corpus: str) -> Markup:
        rows = [row for row in self.session.rows if row.corpus == corpus]
        costs = {timing.system: timing.mean for timing in timings(rows)}
        # The ceiling is not a program that anybody would run: its time means nothing, and its height would press the
        # others together.
        points = [
            Point(figure.system, costs[figure.system], figure.f1, _tone(figure.system))
            for figure in self.group(corpus)
            if figure.system != ORACLE
        ]
        return charts.scatter(f"Speed against accuracy on {corpus}", points)

    # ── By kind and language ──

    def largest_groups(self, corpus: str, attribute: str) -> dict[str, int]:
        """Return the groups by kind or language with their numbers of pages, the largest first."""
        sizes: dict[str, int] = {}
        for figure in self.figures:
            if figure.corpus == corpus and figure.group.startswith(attribute + "="):
                sizes[figure.group] = max(figure.pages, sizes.get(figure.group, 0))
        return dict(sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:GROUPS])

    def f1_by_group(self, corpus: str) -> dict[tuple[str, str], float]:
        return {(figure.system, figure.group): figure.f1 for figure in self.figures if figure.corpus == corpus}

    def group_chart(self, corpus: str, group: str) -> Markup:
        """Return the bars of the best systems on a group, in the same order for every group."""
        figures = {figure.system: figure for figure in self.group(corpus, group)}
        shown = [figures[best.system] for best in self.best_figures(corpus) if best.system in figures]
        bars = [Bar(figure.system, figure.f1, figure.low, figure.high, _tone(figure.system)) for figure in shown]
        return charts.bar_panel(f"Mean F1 on {_value_of(group)} pages", bars)

    # ── Block and page scores ──

    @property
    def scored_blocks(self) -> list[BlockScores]:
        return [blocks for blocks in self.session.block_scores.values() if len(blocks.scores)]

    def histograms(self, corpus: str) -> list[tuple[Figure, Markup, str]]:
        """Return for each of the best systems its figure, the histogram of its pages, and the share below 0.5."""
        scores, best = self._page_scores(corpus), self.best_figures(corpus)
        counts = [np.histogram(list(scores[figure.system].values()), BINS, (0, 1))[0].tolist() for figure in best]
        highest = max(map(max, counts), default=0)
        drawn = []
        for figure, bins in zip(best, counts, strict=True):
            title = f"Histogram of page scores of {figure.system}"
            chart = charts.histogram(title, bins, highest, figure.f1, _tone(figure.system))
            drawn.append((figure, chart, f"{sum(bins[: BINS // 2]) / max(1, figure.pages):.0%}"))
        return drawn

    # ── Worst pages ──

    @property
    def best_method(self) -> str:
        """Our method with the best mean over all pages, "" if none was measured."""
        scores: dict[str, list[float]] = {}
        for row in self.session.rows:
            if _tone(row.system) == "ours" and isfinite(row.f1):
                scores.setdefault(row.system, []).append(row.f1)
        return max(scores, key=lambda system: float(np.mean(scores[system])), default="")

    def worst(self) -> list[WorstPage]:
        rows = [row for row in self.session.rows if row.system == self.best_method]
        return worst_pages(self.best_method, rows, self.corpora)


def _tone(system: str) -> str:
    """Return the class that colours a system: ours, oracle or peer."""
    if system == ORACLE:
        return "oracle"
    return "ours" if is_ours(system) else "peer"


def _package(system: str) -> str:
    return PEERS[system].package if is_peer(system) else system


def _value_of(group: str) -> str:
    return group.partition("=")[2]


def _group_heading(item: tuple[str, int]) -> Markup:
    group, pages = item
    return Markup('{} <span class="soft">{:,}</span>').format(text(_value_of(group), 40), pages)


def _heat_level(value: float) -> int:
    # Nearly all figures are above 0.3: colours spent below it would be missing where they distinguish systems.
    return round(10 * min(1.0, max(0.0, (value - 0.3) / 0.7))) if isfinite(value) else 0
