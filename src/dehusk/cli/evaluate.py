"""dehusk evaluate and dehusk compare: measure our methods and other tools on pages with gold text."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from dehusk.cli.commands import Option
from dehusk.cli.options import Silent, method_names
from dehusk.cli.terminal import print_message
from dehusk.errors import UsageError
from dehusk.extras import require

# As in evaluation.run, which needs packages that only the extra `eval` installs.
METRICS: Final = ("bow", "words", "marked", "segments", "snippets", "similarity", "rouge5", "rougelsum")
NAMED: Final = 10  # pages listed in a message

Output = Annotated[
    Path | None,
    Option(
        "--output", "-o", metavar="DIR", help="Write evaluation.json, figures.csv, pages.csv and report.html into DIR"
    ),
]


@dataclass(frozen=True)
class MeasureOptions:
    """What both commands measure, and on which pages."""

    method: Annotated[
        list[str] | None,
        Option(
            "--method",
            "-m",
            metavar="NAME",
            complete=method_names,
            help="A method, the folder of a model that you trained, `oracle` or a peer; may be repeated"
            "  [default: all methods]",
        ),
    ] = None
    corpus: Annotated[
        list[str] | None,
        Option(
            metavar="NAME", help="A corpus in DEHUSK_DATA or a path to your own; may be repeated  [default: wcxb-dev]"
        ),
    ] = None
    part: Annotated[str, Option(metavar="PART", help="all, train, yardstick, never, heldout, dev, test …")] = "all"
    sample: Annotated[
        int | None, Option(metavar="N", min=1, help="Measure N pages of each corpus, chosen by --seed")
    ] = None
    seed: Annotated[int, Option(metavar="N", help="Seed of the sample")] = 0
    metric: Annotated[
        str | None, Option(metavar="NAME", help=f"One of: {', '.join(METRICS)}  [default: depends on the corpus]")
    ] = None


def evaluate(
    options: MeasureOptions,
    peers: Annotated[bool, Option(help="Add all other tools that are installed")] = False,
    time: Annotated[bool, Option(help="Also measure time and memory, one page at a time")] = False,
    against: Annotated[
        Path | None, Option(metavar="FILE", help="Compare page by page with the evaluation.json of an earlier run")
    ] = None,
    output: Output = None,
    jobs: Annotated[
        int | None,
        Option("--jobs", "-j", metavar="N", min=1, help="Worker processes  [default: one per core; 1 with --time]"),
    ] = None,
    quiet: Silent = False,
) -> None:
    """Measure methods on pages with gold text.

    Prints mean F1 with its 95 % interval, precision and recall, over all pages, by page kind and by language.

    \b
      dehusk evaluate --method bte --corpus wcxb-dev --part yardstick
      dehusk evaluate --corpus mypages/ --peers --time --output lab

    Exit status: 0 measured, 2 wrong usage.
    """
    _measure(options, peers=peers, time=time, against=against, output=output, jobs=jobs, quiet=quiet)


def compare(options: MeasureOptions, output: Output = None, quiet: Silent = False) -> None:
    """Measure our methods and the other tools that are installed: the same as evaluate --peers --time.

    \b
      dehusk compare --corpus wcxb-dev --sample 200 --output lab
      dehusk compare --method my-ncleaner --method kernel --corpus mypages/

    Exit status: 0 measured, 2 wrong usage.
    """
    _measure(options, peers=True, time=True, output=output, quiet=quiet)


def _measure(
    options: MeasureOptions, *, peers: bool, time: bool, against: Path | None = None, output: Path | None = None,
    jobs: int | None = None, quiet: bool,
) -> None:  # fmt: skip
    require("measuring", "rapidfuzz", "jinja2")
    from dehusk.cli import tables
    from dehusk.cli.progress import ProgressDisplay
    from dehusk.evaluation import files, session, summary
    from dehusk.evaluation.peers import PEERS

    if output:
        _make_folder(output)  # now, not after an hour of measuring
    before, old = files.read_run(against) if against else ({}, [])
    corpora = session.open_corpora(options.corpus or ["wcxb-dev"])
    selection = session.PageSelection(options.part, options.sample, options.seed, options.metric)
    systems, missing = session.choose_systems(options.method or (), peers=peers)
    warn = (lambda message: None) if quiet else print_message
    for name, problem in PEERS.not_used().items():
        if peers or name in systems:
            warn(problem)
    for reason in dict.fromkeys(missing.values()):
        warn(f"left out {', '.join(name for name, why in missing.items() if why == reason)}: {reason}")
    jobs = jobs or (1 if time else os.cpu_count() or 1)
    # Reading the pages once to count them costs little compared with running the systems.
    with ProgressDisplay(session.count_pages(corpora, selection), quiet=quiet) as progress:
        measured = session.measure(corpora, systems, selection, jobs=jobs, blocks=True, page_done=progress.advance)
    if against:
        files.check_comparable(measured.about, before, against)
    times = summary.timings(measured.rows, session.memory_of(corpora[0], selection)) if time else []
    figures, changes = summary.summarise(measured.rows), summary.compare_runs(measured.rows, old)
    tables.print_figures(figures, measured.metrics)
    tables.print_means(figures)
    tables.print_timings(times)
    tables.print_changes(changes)
    if against and not changes:
        warn(f"{against} and this run have no method and page in common")
    if pages := measured.unaligned:
        named = ", ".join(pages[:NAMED]) + (", …" if len(pages) > NAMED else "")
        count = "1 page that does" if len(pages) == 1 else f"{len(pages)} pages that do"
        warn(f"{count} not contain their gold, left out of the curves: {named}")
    _report_languages(measured.unknown_languages, warn)
    if output:
        names = files.write_files(output, measured, figures, times, corpora)
        warn(f"wrote {', '.join(names[:-1])} and {names[-1]} into {output}")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot create --output {folder}: {error.strerror}; name a folder", setting="output"
        ) from error


def _report_languages(unknown: Counter[tuple[str, str]], warn: Callable[[str], None]) -> None:
    for peer in dict.fromkeys(name for name, _ in unknown):
        codes = {code or "unknown": count for (name, code), count in unknown.most_common() if name == peer}
        listed = ", ".join(f"{code} ({count})" for code, count in codes.items())
        warn(f"{peer} has no word list for the language of these pages, and ran without one: {listed}")
