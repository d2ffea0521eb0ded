"""Report: an evaluation as one self-contained HTML file, without scripts and without a network.

Pages are hostile: whatever comes from one (ids, kinds, errors, gold, output) goes through `charts.text`, and a content
policy lets the file load nothing and run nothing, should something slip through.
"""

import platform
import shlex
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from importlib.resources import files
from math import isfinite, nan
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.evaluation import charts
from dehusk.evaluation.charts import Bar, Point, Series, share, text
from dehusk.evaluation.curves import (
    balanced_threshold,
    brier_score,
    calibration_error,
    precision_recall_curve,
    reliability_curve,
)
from dehusk.evaluation.peers import PEERS
from dehusk.evaluation.resample import paired_bootstrap
from dehusk.evaluation.run import ORACLE, BlockColumns, usual_metric
from dehusk.evaluation.session import Session
from dehusk.evaluation.summary import Figure, Timing, summarise, timings
from dehusk.evaluation.worst import worst_pages
from dehusk.gold.corpora import SETS, Corpus
from dehusk.models.registry import TABLE

TOP: Final = 4  # systems of ours, and of others, in small charts; tables have all
GROUPS: Final = 12  # kinds or languages shown, the largest first
BINS: Final = 20
CURVE_POINTS: Final = 200
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


@dataclass(frozen=True, slots=True)
class View:
    """A session with what several sections of its report need."""

    session: Session
    times: Sequence[Timing]
    corpora: Sequence[Corpus]
    figures: Sequence[Figure]

    @property
    def names(self) -> list[str]:
        """The corpora that have figures."""
        return list(dict.fromkeys(figure.corpus for figure in self.figures))

    def group(self, corpus: str, group: str = "all") -> list[Figure]:
        """Return the figures of a group of pages, the best first and those without a figure last."""
        found = [figure for figure in self.figures if (figure.corpus, figure.group) == (corpus, group)]
        return sorted(found, key=lambda figure: -figure.f1 if isfinite(figure.f1) else 1)


def write_report(path: Path, session: Session, times: Sequence[Timing], corpora: Sequence[Corpus]) -> None:
    """Write the report; the worst pages are read from `corpora` again, since a session keeps no text."""
    path.write_text(_document(View(session, times, corpora, summarise(session.rows))), encoding="utf-8")


def _document(view: View) -> str:
    css = files("dehusk.evaluation").joinpath("report.css").read_text(encoding="utf-8")
    digest = b64encode(sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    sections = [(name, title, make(view)) for name, title, make in SECTIONS]
    sections = [section for section in sections if section[2]]
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in sections)
    body = "".join(
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>{inside}</section>'
        for name, title, inside in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'
        f"<title>dehusk: evaluation on {text(', '.join(view.names) or 'no pages')}</title><style>{css}</style></head>"
        f'<body>{_header(view)}<nav aria-label="Sections"><ul>{links}</ul></nav><main>{body}</main></body></html>\n'
    )


# ── Header ──


def _header(view: View) -> str:
    rows = "".join(_corpus_row(view, name) for name in view.session.about["corpora"])
    headings = ("corpus", "pages", "part", "sample", "metric", "sha256")
    pages = len({(row.corpus, row.page) for row in view.session.rows})
    systems = view.session.about["systems"]
    return (
        f'<header><p class="brand">dehusk {text(_version())}</p><h1>Evaluation report</h1>'
        f'<p class="lead"><b>{len(systems)}</b> systems on <b>{pages:,}</b> pages of '
        f"<b>{text(', '.join(view.names) or 'no corpus')}</b></p>"
        f'<div class="about">{_table("What was measured", headings, rows, "plain")}{_setup(view)}</div></header>'
    )


def _corpus_row(view: View, name: str) -> str:
    about = view.session.about["corpora"][name]
    pages = len({row.page for row in view.session.rows if row.corpus == name})
    sample = f"{about['sample']:,}, seed {about['seed']}" if about["sample"] else "all pages"
    metric = METRIC_NAMES.get(about["metric"], about["metric"])
    cells = (f"{pages:,}", text(about["part"]), text(sample), text(metric))
    return _row(text(name), cells, f'<code title="{text(about["sha256"])}">{text(about["sha256"][:12])}</code>')


def _setup(view: View) -> str:
    # A tool in several modes has one version.
    tools = {
        PEERS[name].package if name in PEERS else name: each for name, each in view.session.about["systems"].items()
    }
    versions = [f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"]
    versions += [f"{tool} {version}" for tool, version in tools.items() if version]
    return (
        f'<p class="soft">{text(" · ".join(versions), 2000)}</p><details><summary>How to repeat it</summary>'
        f"<pre><code>{text(_command(view), 4000)}</code></pre></details>"
    )


def _command(view: View) -> str:
    """Return the command that measures the same again."""
    about = view.session.about
    paths = {corpus.name: str(corpus.path) for corpus in view.corpora if corpus.name not in SETS}
    words = ["dehusk", "evaluate"]
    words += [word for name in about["corpora"] for word in ("--corpus", paths.get(name, name))]
    # A session has one selection: what was chosen of one corpus was chosen of all.
    for name, chosen in list(about["corpora"].items())[:1]:
        words += ["--part", chosen["part"]] if chosen["part"] != "all" else []
        words += ["--sample", str(chosen["sample"]), "--seed", str(chosen["seed"])] if chosen["sample"] else []
        words += ["--metric", chosen["metric"]] if chosen["metric"] != usual_metric(name) else []
    words += [word for system in about["systems"] for word in ("--method", system)]
    return shlex.join([*words, *(["--time"] if view.times else []), "--output", "lab"])


def _version() -> str:
    return metadata.version("dehusk")


# ── Tables ──


def _table(caption: str, headings: Sequence[str], rows: str, kind: str = "") -> str:
    """Return a table that scrolls by itself where the window is narrow; headings and rows are HTML."""
    head = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><caption><span>{caption}</span></caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(head: str, cells: Iterable[str], *more: str) -> str:
    inside = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in (*cells, *more))
    return f'<tr><th scope="row">{head}</th>{inside}</tr>'


def _tone(system: str) -> str:
    if system == ORACLE:
        return "oracle"
    return "ours" if _is_ours(system) else "peer"


def _is_ours(system: str) -> bool:
    return any(entry.name == system for entry in TABLE)


def _name(system: str) -> str:
    mark = {"ours": "ours", "oracle": "ceiling", "peer": ""}[_tone(system)]
    return text(system) + (f' <span class="mark {_tone(system)}">{mark}</span>' if mark else "")


def _best(values: Iterable[tuple[str, float]]) -> str:
    """Return the best value as it is shown, so that all that look alike are marked; the ceiling is out of the race."""
    return share(max((value for system, value in values if system != ORACLE and isfinite(value)), default=nan))


def _marked(value: float, best: str) -> str:
    shown = share(value)
    return f"<b>{shown}</b>" if shown == best != "–" else shown


# ── Summary ──


def _summary(view: View) -> str:
    return "".join(_corpus_summary(view, name) for name in view.names)


def _corpus_summary(view: View, corpus: str) -> str:
    figures = view.group(corpus)
    columns = _summary_columns(view, corpus)
    bests = [_best((figure.system, column(figure)) for figure in figures) for column in columns.values()]
    rows = "".join(_summary_row(figure, list(columns.values()), bests) for figure in figures)
    metric = view.session.metrics.get(corpus, "")
    caption = (
        f"<b>{text(corpus)}</b>: {figures[0].pages:,} pages, {text(METRIC_NAMES.get(metric, metric))}, mean over "
        "pages with its 95 % bootstrap interval; the best of each column in bold, the ceiling left out of the race"
    )
    headings = ("system", "F1", "0 to 1", "95 %", *list(columns)[1:], "errors")
    title = f"<h3>{text(corpus)}</h3>" if len(view.names) > 1 else ""
    return title + _cards(view, corpus) + _table(caption, headings, rows, "summary") + _failures(view, corpus)


def _summary_columns(view: View, corpus: str) -> dict[str, Callable[[Figure], float]]:
    columns: dict[str, Callable[[Figure], float]] = {
        "F1": lambda figure: figure.f1,
        "precision": lambda figure: figure.precision,
        "recall": lambda figure: figure.recall,
    }
    inside = [row for row in view.session.rows if row.corpus == corpus]
    # A metric without counts (similarity) has nothing to pool.
    if any(row.tp or row.fp or row.fn for row in inside):
        columns["micro P"] = lambda figure: figure.micro_precision
        columns["micro R"] = lambda figure: figure.micro_recall
        columns["micro F1"] = lambda figure: figure.micro_f1
    if any(row.empty_gold for row in inside):
        columns["F1 with gold"] = lambda figure: figure.f1_with_gold
    return columns


def _summary_row(figure: Figure, columns: Sequence[Callable[[Figure], float]], bests: Sequence[str]) -> str:
    shares = [_marked(column(figure), best) for column, best in zip(columns, bests, strict=True)]
    bar = charts.interval_bar(figure.f1, figure.low, figure.high, _tone(figure.system))
    interval = f'<td class="soft">{share(figure.low)}–{share(figure.high)}</td>'
    return _row(_name(figure.system), (shares[0], bar, interval, *shares[1:], f"{figure.errors or ''}"))


def _cards(view: View, corpus: str) -> str:
    """Return the figures that a reader looks for first: our best, the best peer, how they compare, the ceiling."""
    first: dict[str, Figure] = {}
    for figure in view.group(corpus):
        first.setdefault(_tone(figure.system), figure)
    names = {"ours": "our best", "peer": "best peer", "oracle": "ceiling of block methods"}
    cards = [_card(names[tone], share(first[tone].f1), text(first[tone].system)) for tone in names if tone in first]
    if "ours" in first and "peer" in first:
        cards.insert(2, _gap_card(view, corpus, first["ours"].system, first["peer"].system))
    return f'<ul class="cards">{"".join(cards)}</ul>'


def _card(name: str, value: str, note: str) -> str:
    return f'<li><span>{name}</span><strong>{value}</strong><span class="soft">{note}</span></li>'


def _gap_card(view: View, corpus: str, ours: str, theirs: str) -> str:
    pages = _page_scores(view, corpus)
    shared = sorted(pages[ours].keys() & pages[theirs].keys())
    gap = paired_bootstrap(
        np.array([pages[ours][page] for page in shared]), np.array([pages[theirs][page] for page in shared])
    )
    if not isfinite(gap.mean):
        return _card("ours less theirs", "–", "")
    interval = f"{_signed(gap.low)} to {_signed(gap.high)}, p = {gap.p:.2g}"
    return _card("ours less theirs", _signed(gap.mean), interval)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _page_scores(view: View, corpus: str) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for row in view.session.rows:
        if row.corpus == corpus:
            scores.setdefault(row.system, {})[row.page] = row.f1
    return scores


def _failures(view: View, corpus: str) -> str:
    """Return what the errors were, the most frequent first."""
    found = Counter((row.system, row.error) for row in view.session.rows if row.corpus == corpus and row.error)
    rows = "".join(
        _row(_name(system), (f"{count:,}", f'<td class="words">{text(error)}</td>'))
        for (system, error), count in found.most_common(12)
    )
    table = _table("Errors; a page that failed counts as empty output", ("system", "pages", "error"), rows)
    return f"<details><summary>{found.total():,} errors</summary>{table}</details>" if found else ""


# ── Speed ──


def _speed(view: View) -> str:
    if not view.times:
        return ""
    plots = "".join(_speed_plot(view, name) for name in view.names)
    return plots + _timing_table(view.times)


def _speed_plot(view: View, corpus: str) -> str:
    # Time and accuracy of one corpus stand side by side, so the time is that of its own pages. The ceiling is no
    # program that anybody would run: its time means nothing, and its height would press the others together.
    costs = {each.system: each.mean for each in timings([row for row in view.session.rows if row.corpus == corpus])}
    points = [
        Point(figure.system, costs[figure.system], figure.f1, _tone(figure.system))
        for figure in view.group(corpus)
        if figure.system != ORACLE
    ]
    plot = charts.scatter(f"Speed against accuracy on {corpus}", points)
    note = "The dashed line joins what nothing cheaper outdoes."
    return _figure(f"<b>{text(corpus)}</b>: CPU time a page against mean F1. {note}", plot) if plot else ""


def _figure(caption: str, chart: str) -> str:
    return f'<figure><figcaption>{caption}</figcaption><div class="scroll" tabindex="0">{chart}</div></figure>'


def _timing_table(times: Sequence[Timing]) -> str:
    headings = ["system", "ms a page", "median", "p95", "× resiliparse", "MB/s", "errors"]
    measured = any(isfinite(each.peak_memory) for each in times)
    if measured:
        headings.insert(6, "peak MB")
    rows = ""
    for each in times:
        cells = [share(value, 2) for value in (each.mean, each.median, each.p95, each.ratio)]
        cells += [share(each.megabytes_a_second, 1), *([share(each.peak_memory, 0)] if measured else [])]
        rows += _row(_name(each.system), cells, f"{each.errors or ''}")
    return _table("CPU time of all pages, systems in turn on each page; the fastest first", headings, rows)


# ── By kind and language ──


def _parts(view: View) -> str:
    return "".join(_part(view, corpus, attribute) for corpus in view.names for attribute in ("kind", "language"))


def _part(view: View, corpus: str, attribute: str) -> str:
    sizes = {
        figure.group: figure.pages
        for figure in view.figures
        if figure.corpus == corpus and figure.group.startswith(attribute + "=")
    }
    if not sizes:
        return ""
    groups = sorted(sizes, key=lambda group: (-sizes[group], group))[:GROUPS]
    shown = {figure.system for figure in _top(view.group(corpus))}
    panels = "".join(_part_panel(view, corpus, group, shown) for group in groups)
    return (
        f"<h3>{text(corpus)}, by {attribute}</h3>{_heat(view, corpus, groups)}"
        "<p>The best of ours and of the other tools, each tool in its best mode, with 95 % intervals:</p>"
        f'<div class="multiples">{panels}</div>'
    )


def _top(figures: Sequence[Figure]) -> list[Figure]:
    """Return our best methods and the best other tools, each tool once, without the ceiling, the best first."""
    ours = [figure for figure in figures if _is_ours(figure.system)]
    others: dict[str, Figure] = {}
    for figure in figures:
        if _tone(figure.system) == "peer":
            others.setdefault(PEERS[figure.system].package if figure.system in PEERS else figure.system, figure)
    chosen = [*ours[:TOP], *list(others.values())[:TOP]]
    return [figure for figure in figures if figure in chosen]


def _part_panel(view: View, corpus: str, group: str, shown: set[str]) -> str:
    # The same order in every panel: a reader looks for a system where it stood before.
    order = [figure.system for figure in view.group(corpus) if figure.system in shown]
    found = {figure.system: figure for figure in view.group(corpus, group)}
    name = group.partition("=")[2]
    bars = [
        Bar(system, found[system].f1, found[system].low, found[system].high, _tone(system))
        for system in order
        if system in found
    ]
    pages = max((figure.pages for figure in found.values()), default=0)
    caption = f'{text(name, 40)} <span class="soft">{pages:,} pages</span>'
    return f"<figure><figcaption>{caption}</figcaption>{charts.bar_panel(f'Mean F1 on {name} pages', bars)}</figure>"


def _heat(view: View, corpus: str, groups: Sequence[str]) -> str:
    values = {(figure.system, figure.group): figure for figure in view.figures if figure.corpus == corpus}
    systems = [figure.system for figure in view.group(corpus)]
    bests = [_best((system, _f1(values.get((system, group)))) for system in systems) for group in groups]
    rows = "".join(
        _row(
            _name(system),
            (_heat_cell(_f1(values.get((system, group))), best) for group, best in zip(groups, bests, strict=True)),
        )
        for system in systems
    )
    pages = {group: max(figure.pages for (_, inside), figure in values.items() if inside == group) for group in groups}
    headings = [f'{text(group.partition("=")[2], 40)} <span class="soft">{pages[group]:,}</span>' for group in groups]
    caption = "Mean F1; the stronger the colour, the better; below each name the number of its pages"
    return _table(caption, ("system", *headings), rows, "heat")


def _f1(figure: Figure | None) -> float:
    return figure.f1 if figure else nan


def _heat_cell(value: float, best: str) -> str:
    # Nearly all figures lie above 0.3: colours spent below it would be missing where they tell systems apart.
    level = round(10 * min(1.0, max(0.0, (value - 0.3) / 0.7))) if isfinite(value) else 0
    return f'<td class="h{level}">{_marked(value, best)}</td>'


# ── Curves ──


def _curves(view: View) -> str:
    columns = [column for column in view.session.columns.values() if len(column.scores)]
    if not columns:
        return ""
    return (
        "<p>Blocks of all pages together, against gold alignment: a block is boilerplate if less than half of its "
        "words are in the gold. A method that only says yes or no has points in place of a curve.</p>"
        f'{_curve_table(columns)}<div class="pair">{_recall_chart(columns)}{_reliability_chart(columns)}</div>'
        f"{_unaligned(view)}"
    )


def _recall_chart(columns: Sequence[BlockColumns]) -> str:
    rate = float(np.concatenate([column.boilerplate for column in columns]).mean())
    titles = ("recall of boilerplate", "precision of boilerplate")
    series = [_recall_series(column) for column in columns]
    chart = charts.curves("Precision and recall of boilerplate blocks", series, titles, ((0, rate), (1, rate)))
    caption = "<b>Precision and recall</b>: the large mark is threshold 0.5; dashed: everything called boilerplate"
    return _figure(caption, chart)


def _reliability_chart(columns: Sequence[BlockColumns]) -> str:
    titles = ("mean score", "share that is boilerplate")
    series = [_reliability_series(column) for column in columns]
    chart = charts.curves("Reliability of block scores", series, titles, ((0, 0), (1, 1)))
    caption = "<b>Calibration</b>: on the dashed line 0.8 is right 8 times of 10; the larger a mark, the more blocks"
    return _figure(caption, chart)


def _is_graded(column: BlockColumns) -> bool:
    """Return whether the scores are more than a yes and a no with a few blocks that were cut in between."""
    _, counts = np.unique(column.scores, return_counts=True)
    return bool(np.sort(counts)[:-2].sum() > 0.02 * len(column.scores))


def _recall_series(column: BlockColumns) -> Series:
    curve = precision_recall_curve(column.scores, column.boilerplate)
    default = int(np.searchsorted(curve.thresholds, 0.5))
    graded = _is_graded(column)
    picked = np.unique(np.linspace(0, len(curve.recall) - 1, CURVE_POINTS).astype(int))
    picked = np.union1d(picked, [min(default, len(curve.recall) - 1)])
    # Of a yes and a no there are two places: the threshold between them, and everything called boilerplate.
    small = 0.0 if graded else 4.0
    radius = [{0: small, default: 6.5}.get(place, 0.0) for place in picked.tolist()]
    return Series(column.system, curve.recall[picked].tolist(), curve.precision[picked].tolist(), graded, radius)


def _reliability_series(column: BlockColumns) -> Series:
    curve = reliability_curve(column.scores, column.boilerplate)
    radius = (2.0 + 7.0 * np.sqrt(curve.count / curve.count.sum())).round(1)
    return Series(column.system, curve.score.tolist(), curve.share.tolist(), _is_graded(column), radius.tolist())


def _curve_table(columns: Sequence[BlockColumns]) -> str:
    headings = ("method", "line", "blocks", "boilerplate", "P at 0.5", "R at 0.5", "P = R at", "P = R", "Brier", "ECE")
    rows = "".join(_curve_row(place, column) for place, column in enumerate(columns))
    caption = "Precision (P) and recall (R) of boilerplate; Brier score and expected calibration error: 0 is best"
    return _table(caption, headings, rows)


def _curve_row(place: int, column: BlockColumns) -> str:
    scores, gold = column.scores, column.boilerplate
    called = scores >= 0.5
    hits = int((called & gold).sum())
    balance = balanced_threshold(precision_recall_curve(scores, gold))
    # Where a method only says yes or no, precision equals recall at none of its thresholds.
    threshold, level = (balance.threshold, balance.precision) if _is_graded(column) else (nan, nan)
    figures = (
        float(gold.mean()),
        hits / called.sum() if called.any() else nan,
        hits / gold.sum() if gold.any() else nan,
        threshold,
        level,
        brier_score(scores, gold),
        calibration_error(reliability_curve(scores, gold)),
    )
    return _row(text(column.system), (charts.swatch(place), f"{len(scores):,}", *(share(each) for each in figures)))


def _unaligned(view: View) -> str:
    pages = view.session.unaligned
    named = ", ".join(pages[:8]) + (", …" if len(pages) > 8 else "")
    found = f"{len(pages):,} pages without their gold are left out of the curves: {text(named, 1000)}"
    return f'<p class="soft">{found}</p>' if pages else ""


# ── Page scores ──


def _histograms(view: View) -> str:
    return "".join(_corpus_histograms(view, name) for name in view.names)


def _corpus_histograms(view: View, corpus: str) -> str:
    pages = _page_scores(view, corpus)
    top = _top(view.group(corpus))
    counts = {each.system: np.histogram(list(pages[each.system].values()), BINS, (0, 1))[0].tolist() for each in top}
    highest = max((max(bins) for bins in counts.values()), default=0)
    panels = "".join(_histogram(figure, counts[figure.system], highest) for figure in top)
    if not panels:
        return ""
    title = f"<h3>{text(corpus)}</h3>" if len(view.names) > 1 else ""
    note = "How many pages reach which F1, on one scale; the line is the mean."
    return f'{title}<p>{note}</p><div class="multiples narrow">{panels}</div>'


def _histogram(figure: Figure, counts: Sequence[int], highest: int) -> str:
    low = sum(counts[: BINS // 2]) / max(1, figure.pages)
    caption = f'{_name(figure.system)} <span class="soft">mean {share(figure.f1)}, {low:.0%} of pages below 0.5</span>'
    title = f"Histogram of page scores of {figure.system}"
    chart = charts.histogram(title, counts, highest, figure.f1, _tone(figure.system))
    return f"<figure><figcaption>{caption}</figcaption>{chart}</figure>"


# ── Worst pages ──


def _worst(view: View) -> str:
    scores: dict[str, list[float]] = {}
    for row in view.session.rows:
        if _is_ours(row.system) and isfinite(row.f1):
            scores.setdefault(row.system, []).append(row.f1)
    if not scores:
        return ""
    method = max(scores, key=lambda system: float(np.mean(scores[system])))
    return worst_pages(method, [row for row in view.session.rows if row.system == method], view.corpora)


SECTIONS: Final[tuple[tuple[str, str, Callable[[View], str]], ...]] = (
    ("summary", "Summary", _summary),
    ("speed", "Speed against accuracy", _speed),
    ("parts", "By page kind and language", _parts),
    ("curves", "Block scores", _curves),
    ("pages", "Page scores", _histograms),
    ("worst", "Worst pages", _worst),
)
