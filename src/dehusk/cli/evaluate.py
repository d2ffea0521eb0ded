"""dehusk evaluate and dehusk compare: measure our methods and other tools on pages with gold text."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import click

from dehusk.cli.commands import Option
from dehusk.cli.options import Silent, method_names
from dehusk.cli.terminal import harmless_message
from dehusk.errors import UsageError
from dehusk.extras import require

# As in evaluation.run, which needs packages that only the extra `eval` installs.
METRICS: Final = ("bow", "words", "marked", "segments", "snippets", "similarity", "rouge5", "rougelsum")
NAMED: Final = 10  # pages listed in a message

Names = Annotated[
    list[str] | None,
    Option(
        "--method",
        "-m",
        metavar="NAME",
        complete=method_names,
        help="A method, the folder of a model that you trained, `oracle` or a peer; may be repeated"
        "  [default: all methods]",
    ),
]
Corpora = Annotated[
    list[str] | None,
    Option(
        "--corpus",
        metavar="NAME",
        help="A corpus in DEHUSK_DATA or a path to your own; may be repeated  [default: wcxb-dev]",
    ),
]
Part = Annotated[str, Option(metavar="PART", help="all, train, yardstick, never, heldout, dev, test …")]
Sample = Annotated[int | None, Option(metavar="N", min=1, help="Measure N pages of each corpus, chosen by --seed")]
Seed = Annotated[int, Option(metavar="N", help="Seed of the sample")]
MetricName = Annotated[
    str | None,
    Option("--metric", metavar="NAME", help=f"One of: {', '.join(METRICS)}  [default: depends on the corpus]"),
]
Peers = Annotated[bool, Option("--peers", help="Add all other tools that are installed")]
Time = Annotated[bool, Option("--time", help="Also measure time and memory, one page at a time")]
Against = Annotated[
    Path | None, Option(metavar="FILE", help="Compare page by page with the evaluation.json of an earlier run")
]
Output = Annotated[
    Path | None,
    Option(
        "--output", "-o", metavar="DIR", help="Write evaluation.json, figures.csv, pages.csv and report.html into DIR"
    ),
]
Jobs = Annotated[
    int | None,
    Option("--jobs", "-j", metavar="N", min=1, help="Worker processes  [default: one per core; 1 with --time]"),
]


class Request(NamedTuple):
    """The options of both commands."""

    methods: list[str] | None
    corpora: list[str] | None
    selection: tuple[str, int | None, int, str | None]
    peers: bool
    time: bool
    against: Path | None = None
    output: Path | None = None
    jobs: int | None = None
    quiet: bool = False


def evaluate(
    method: Names = None,
    corpus: Corpora = None,
    part: Part = "all",
    sample: Sample = None,
    seed: Seed = 0,
    metric: MetricName = None,
    peers: Peers = False,
    time: Time = False,
    against: Against = None,
    output: Output = None,
    jobs: Jobs = None,
    quiet: Silent = False,
) -> None:
    """Measure methods on pages with gold text.

    Prints mean F1 with its 95 % interval, precision and recall, over all pages, by page kind and by language.

    \b
      dehusk evaluate --method bte --corpus wcxb-dev --part yardstick
      dehusk evaluate --corpus mypages/ --peers --time --output lab

    Exit status: 0 measured, 2 wrong usage.
    """
    _measure(Request(method, corpus, (part, sample, seed, metric), peers, time, against, output, jobs, quiet))


def compare(
    method: Names = None,
    corpus: Corpora = None,
    part: Part = "all",
    sample: Sample = None,
    seed: Seed = 0,
    metric: MetricName = None,
    output: Output = None,
    quiet: Silent = False,
) -> None:
    """Measure our methods and the other tools that are installed: the same as evaluate --peers --time.

    \b
      dehusk compare --corpus wcxb-dev --sample 200 --output lab
      dehusk compare --method my-ncleaner --method kernel --corpus mypages/

    Exit status: 0 measured, 2 wrong usage.
    """
    _measure(Request(method, corpus, (part, sample, seed, metric), peers=True, time=True, output=output, quiet=quiet))


def _measure(request: Request) -> None:
    require("measuring", "rapidfuzz", "jinja2")
    from dehusk.cli import tables
    from dehusk.cli.progress import Progress
    from dehusk.evaluation import files, session, summary

    if request.output:
        _make_folder(request.output)  # now, not after an hour of measuring
    before, old = files.read_run(request.against) if request.against else ({}, [])
    corpora = session.open_corpora(request.corpora or ["wcxb-dev"])
    selection = session.Selection(*request.selection)
    systems, missing = session.choose_systems(request.methods or (), peers=request.peers)
    warn = (lambda message: None) if request.quiet else _warn
    _report_missing(missing, warn)
    jobs = request.jobs or (1 if request.time else os.cpu_count() or 1)
    # Reading the pages once to count them costs little compared with running the systems.
    with Progress(session.count_pages(corpora, selection), quiet=request.quiet) as progress:
        measured = session.measure(corpora, systems, selection, jobs=jobs, blocks=True, page_done=progress.advance)
    if request.against:
        files.check_comparable(measured.about, before, request.against)
    memory = session.memory_of(corpora[0], selection) if request.time else None
    times = summary.timings(measured.rows, memory) if request.time else []
    figures, changes = summary.summarise(measured.rows), summary.compare_runs(measured.rows, old)
    tables.print_figures(figures, measured.metrics)
    tables.print_means(figures)
    tables.print_timings(times)
    tables.print_changes(changes)
    if request.against and not changes:
        warn(f"{request.against} and this run have no method and page in common")
    _report_unaligned(measured.unaligned, warn)
    _report_languages(measured.unknown_languages, warn)
    if request.output:
        written = files.write_files(request.output, measured, figures, times, corpora)
        warn(f"wrote {', '.join(written[:-1])} and {written[-1]} into {request.output}")


def _warn(message: str) -> None:
    click.echo(f"dehusk: {harmless_message(message)}", err=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot create --output {folder}: {error.strerror}; name a folder") from error


def _report_missing(missing: dict[str, str], warn: Callable[[str], None]) -> None:
    for reason in dict.fromkeys(missing.values()):
        names = ", ".join(name for name, why in missing.items() if why == reason)
        warn(f"left out {names}: {reason}")


def _report_languages(unknown: Counter[tuple[str, str]], warn: Callable[[str], None]) -> None:
    for peer in dict.fromkeys(name for name, _ in unknown):
        codes = {code or "unknown": count for (name, code), count in unknown.most_common() if name == peer}
        listed = ", ".join(f"{code} ({count})" for code, count in codes.items())
        warn(f"{peer} knows no words of the language of these pages, and ran without it: {listed}")


def _report_unaligned(pages: list[str], warn: Callable[[str], None]) -> None:
    if pages:
        named = ", ".join(pages[:NAMED]) + (", …" if len(pages) > NAMED else "")
        count = "1 page that does" if len(pages) == 1 else f"{len(pages)} pages that do"
        warn(f"{count} not contain their gold, left out of the curves: {named}")
