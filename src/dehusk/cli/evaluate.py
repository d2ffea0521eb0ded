"""dehusk evaluate and dehusk compare: methods, and the tools that people use, measured on pages with gold."""

from pathlib import Path
from typing import Annotated

import typer

from dehusk.errors import UsageError

# As in evaluation.run, which only those who measure have the packages for.
METRICS = ("bow", "words", "marked", "segments", "snippets", "similarity", "rouge5", "rougelsum")

Names = Annotated[
    list[str] | None,
    typer.Option(
        "--method", metavar="NAME", help="One of ours, `oracle` or a peer; may be repeated  [default: all of ours]"
    ),
]
Corpora = Annotated[
    list[str] | None,
    typer.Option(
        "--corpus",
        metavar="NAME",
        help="A set in DEHUSK_DATA, or the path of your own data; may be repeated  [default: wcxb-dev]",
    ),
]
Part = Annotated[str, typer.Option(metavar="PART", help="all, train, yardstick, never, heldout, dev, test …")]
Sample = Annotated[int | None, typer.Option(metavar="N", min=1, help="Take N pages of each corpus, chosen by --seed")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of the sample")]
MetricName = Annotated[
    str | None,
    typer.Option("--metric", metavar="NAME", help=f"One of: {', '.join(METRICS)}  [default: the corpus's own]"),
]
Peers = Annotated[bool, typer.Option("--peers", help="Add the other tools that are installed")]
Time = Annotated[bool, typer.Option("--time", help="Measure time and memory too, one page at a time")]
Against = Annotated[
    Path | None, typer.Option(metavar="FILE", help="evaluation.json of an earlier run, to compare with page by page")
]
Output = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write evaluation.json, figures.csv, pages.csv and report.html into DIR"),
]
Jobs = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Worker processes  [default: one a core; 1 with --time]")
]


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
) -> None:
    """Measure methods on pages with gold text.

    Prints mean F1 with its 95 % interval, precision and recall, over all pages, by page kind and by language.

    \b
      dehusk evaluate --method bte --corpus wcxb-dev --part yardstick
      dehusk evaluate --corpus mypages/ --peers --time --output lab

    Exit status: 0 measured, 2 wrong usage.
    """
    _measure(method, corpus, (part, sample, seed, metric), (peers, time), against, output, jobs)


def compare(
    corpus: Corpora = None,
    part: Part = "all",
    sample: Sample = None,
    seed: Seed = 0,
    metric: MetricName = None,
    output: Output = None,
) -> None:
    """Measure our methods beside the tools that people use: the same as evaluate --peers --time.

    \b
      dehusk compare --corpus wcxb-dev --sample 200 --output lab

    Exit status: 0 measured, 2 wrong usage.
    """
    _measure(None, corpus, (part, sample, seed, metric), (True, True), None, output, None)


def _measure(
    methods: list[str] | None,
    corpora: list[str] | None,
    selection: tuple[str, int | None, int, str | None],
    extent: tuple[bool, bool],
    against: Path | None,
    output: Path | None,
    jobs: int | None,
) -> None:
    try:
        from dehusk.cli import lab
        from dehusk.evaluation.session import Selection
    except ImportError as error:
        raise UsageError(f"measuring needs more packages ({error}); pip install 'dehusk[eval]'") from error
    wanted = corpora or ["wcxb-dev"]
    lab.run(lab.Wishes(methods or [], wanted, Selection(*selection), *extent, against, output, jobs))
