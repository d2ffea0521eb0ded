"""What the measuring commands do; kept apart from their options, since only these need the packages of the lab."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import typer

from dehusk.cli.progress import Progress
from dehusk.cli.tables import print_changes, print_figures, print_timings
from dehusk.errors import UsageError
from dehusk.evaluation.peers import PEERS, installed_peers
from dehusk.evaluation.report import write_report
from dehusk.evaluation.run import known_systems, measurable, peak_memory, usual_metric
from dehusk.evaluation.session import Selection, Session, measure
from dehusk.evaluation.summary import (
    Figure,
    Timing,
    check_comparable,
    compare_runs,
    read_run,
    summarise,
    timings,
    write_csv,
    write_json,
)
from dehusk.gold.corpora import Corpus, open_corpus
from dehusk.models.registry import TABLE

NAMED = 10  # pages named in a message before it gets tiresome
MEMORY_PAGES = 100  # enough for the peak of an ordinary process to show


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asked for."""

    methods: list[str]
    corpora: list[str]
    selection: Selection
    peers: bool
    time: bool
    against: Path | None
    output: Path | None
    jobs: int | None


def run(wishes: Wishes) -> None:
    """Measure, print, and write what was asked for."""
    if wishes.output:
        _make(wishes.output)  # now, not after an hour of measuring
    before, old = read_run(wishes.against) if wishes.against else ({}, [])
    corpora = [open_corpus(name) for name in dict.fromkeys(wishes.corpora)]
    if len({corpus.name for corpus in corpora}) < len(corpora):
        raise UsageError("two corpora have the same name; rename one, or measure them one by one")
    jobs = wishes.jobs or (1 if wishes.time else os.cpu_count() or 1)
    session = _watched(corpora, _systems(wishes.methods, peers=wishes.peers), wishes.selection, jobs)
    if wishes.against:
        check_comparable(session.about, before, wishes.against)
    times = timings(session.rows, _memory(corpora[0], wishes.selection)) if wishes.time else []
    figures = summarise(session.rows)
    print_figures(figures, session.metrics)
    print_timings(times)
    changes = compare_runs(session.rows, old)
    print_changes(changes)
    if wishes.against and not changes:
        typer.echo(f"dehusk: {wishes.against} and this run have no method and page in common", err=True)
    if session.unaligned:
        named = ", ".join(session.unaligned[:NAMED]) + (", …" if len(session.unaligned) > NAMED else "")
        typer.echo(
            f"dehusk: {len(session.unaligned)} pages without their gold, left out of the curves: {named}", err=True
        )
    if wishes.output:
        _write(wishes.output, session, figures, times, corpora)


def _systems(methods: list[str], *, peers: bool) -> list[str]:
    """Return the systems to run, each once; a peer that cannot be imported is named and left out."""
    names = list(dict.fromkeys(methods or [entry.name for entry in TABLE]))
    for name in names:
        if name not in known_systems():
            raise UsageError(f"no method or peer is called {name!r}; there are {', '.join(known_systems())}")
    _, absent = installed_peers(name for name in names if name in PEERS)
    for name, reason in absent.items():
        raise UsageError(f"{name} cannot run: {reason}")
    if peers:
        available, missing = installed_peers()
        for reason in dict.fromkeys(missing.values()):
            without = ", ".join(name for name, why in missing.items() if why == reason)
            typer.echo(f"dehusk: left out {without}: {reason}", err=True)
        names += [name for name in available if name not in names]
    return names


def _watched(corpora: list[Corpus], systems: list[str], chosen: Selection, jobs: int) -> Session:
    """Measure with a progress bar; reading the pages once to count them costs little beside running the systems."""
    total = 0
    for corpus in corpora:
        metric = chosen.metric or usual_metric(corpus.name)
        pages = corpus.pages(chosen.part, chosen.sample, chosen.seed, skipped=Counter())
        fit = [measurable(page, metric) for page in pages]
        if not any(fit):
            raise UsageError(
                f"part {chosen.part!r} of {corpus.name} has {len(fit)} pages, none with the gold that {metric} needs; "
                "choose another --part or --metric (snippets needs `with` and `without`, segments text with marks, "
                "the others the full text)"
            )
        total += sum(fit)
    with Progress(total) as progress:
        return measure(corpora, systems, chosen, jobs=jobs, blocks=True, tick=progress.advance)


def _memory(corpus: Corpus, chosen: Selection) -> Callable[[str], float]:
    count = min(chosen.sample or MEMORY_PAGES, MEMORY_PAGES)
    pages = [page.html for page in corpus.pages(chosen.part, count, chosen.seed)]
    return lambda system: peak_memory(system, pages)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--output {folder} cannot be made: {error.strerror}; name a folder") from error


def _write(folder: Path, session: Session, figures: list[Figure], times: list[Timing], corpora: list[Corpus]) -> None:
    write_json(folder / "evaluation.json", session.about, session.rows, figures, times)
    write_csv(folder / "figures.csv", figures)
    write_csv(folder / "pages.csv", session.rows)
    write_report(folder / "report.html", session, times, corpora)
    typer.echo(f"dehusk: wrote evaluation.json, figures.csv, pages.csv and report.html into {folder}", err=True)
