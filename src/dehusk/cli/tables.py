"""Tables: what the measuring commands print."""

from collections.abc import Sequence
from math import isnan

from rich.console import Console
from rich.table import Table

from dehusk.evaluation.summary import Change, Figure, Timing, means

SHOWN = 5  # pages listed on each side of a comparison
# Heading → attribute of `Figure`.
SHARES = {
    "precision": "precision", "recall": "recall", "± sd": "sd", "micro P": "micro_precision",
    "micro R": "micro_recall", "micro F": "micro_f1", "F1 with gold": "f1_with_gold",
}  # fmt: skip


def print_figures(figures: Sequence[Figure], metrics: dict[str, str]) -> None:
    """Print one table per corpus, and one of mean F1 by kind and by language if its pages differ in them."""
    for corpus in dict.fromkeys(figure.corpus for figure in figures):
        inside = [figure for figure in figures if figure.corpus == corpus]
        whole = [figure for figure in inside if figure.group == "all"]
        _print_whole(corpus, metrics[corpus], whole)
        for attribute in ("kind", "language"):
            parts = [figure for figure in inside if figure.group.startswith(attribute + "=")]
            if parts:
                _print_parts(corpus, attribute, parts, [figure.system for figure in whole])


def print_means(figures: Sequence[Figure]) -> None:
    """Print one figure per system over all corpora, if there are several."""
    if over_all := means(figures):
        count = len({figure.corpus for figure in figures})
        table = new_table(f"Mean F1 over {count} corpora", ("system", "F1"))
        for system, f1 in over_all.items():
            table.add_row(system, f"{f1:.3f}")
        console().print(table)


def _print_whole(corpus: str, metric: str, figures: Sequence[Figure]) -> None:
    pages, headings = figures[0].pages, ("system", "F1", "95 %", *SHARES, "errors")
    table = new_table(f"{corpus}: {pages:,} page{'s' * (pages != 1)}, metric {metric}", headings)
    for figure in figures:
        interval = f"{figure.low:.3f}–{figure.high:.3f}"
        shares = [_share(getattr(figure, attribute)) for attribute in SHARES.values()]
        table.add_row(figure.system, f"{figure.f1:.3f}", interval, *shares, str(figure.errors or ""))
    console().print(table)


def _print_parts(corpus: str, attribute: str, figures: Sequence[Figure], systems: Sequence[str]) -> None:
    groups = sorted(
        {(figure.group.partition("=")[2], figure.pages) for figure in figures}, key=lambda group: (-group[1], group[0])
    )
    table = new_table(f"{corpus}: F1 by {attribute}", ("system", *(f"{name} ({pages})" for name, pages in groups)))
    values = {(figure.system, figure.group): figure.f1 for figure in figures}
    for system in systems:
        cells = [values.get((system, f"{attribute}={name}"), float("nan")) for name, _ in groups]
        table.add_row(system, *map(_share, cells))
    console().print(table)


def print_timings(timings: Sequence[Timing]) -> None:
    """Print CPU time and memory of each system, the fastest first."""
    if not timings:
        return
    headings = ("system", "ms per page", "median", "p95", "× resiliparse", "MB/s", "peak MB", "errors")
    table = new_table("CPU time per page, single thread, systems taking turns on each page", headings)
    for timing in timings:
        spent = [f"{value:.2f}" for value in (timing.mean, timing.median, timing.p95, timing.ratio)]
        size = (f"{timing.megabytes_a_second:.1f}", f"{timing.peak_memory:.0f}")
        table.add_row(timing.system, *spent, *size, str(timing.errors or ""))
    console().print(table)


def print_changes(changes: Sequence[Change]) -> None:
    """Print which pages are better and worse than in an earlier run."""
    if not changes:
        return
    headings = ("corpus", "system", "pages", "F1 gain", "95 %", "p", "better", "worse")
    table = new_table("Compared with the earlier run", headings)
    for change in changes:
        gain = change.difference
        figures = (f"{gain.mean:+.4f}", f"{gain.low:+.3f} to {gain.high:+.3f}", f"{gain.p:.3f}")
        counts = (str(len(change.better)), str(len(change.worse)))
        table.add_row(change.corpus, change.system, str(change.pages), *figures, *counts)
    output = console()
    output.print(table)
    for change in changes:
        for name, pages in (("better", change.better), ("worse", change.worse)):
            if pages:
                named = ", ".join(f"{page} {gain:+.2f}" for page, gain in pages[:SHOWN])
                output.print(f"{change.corpus}, {change.system}, {name}: {named}", markup=False, highlight=False)


def console() -> Console:
    """Return a console that is wide enough for a table if no terminal sets the width."""
    output = Console()
    return output if output.is_terminal else Console(width=180)


def new_table(title: str, headings: Sequence[str]) -> Table:
    """Return an empty table: the first column aligned left, figures aligned right."""
    # Rich would wrap a title that is wider than its table.
    table = Table(
        title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", min_width=len(title)
    )
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index else "left")
    return table


def _share(value: float) -> str:
    return "" if isnan(value) else f"{value:.3f}"
