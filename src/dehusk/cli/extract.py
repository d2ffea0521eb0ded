"""dehusk extract and dehusk annotate: pages in, the kept text or every block out."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dehusk import formats
from dehusk.cli.batch import Folders, Job, Jobs, Pages, Resume, run
from dehusk.errors import UsageError
from dehusk.extractor import FAVOUR, Extractor, Output
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT


class Input(StrEnum):
    """What comes in."""

    html = "html"
    text = "text"


class Favour(StrEnum):
    """Which mistake is worse: text lost, or boilerplate kept."""

    precision = "precision"
    recall = "recall"


InputKind = Annotated[Input, typer.Option("--input", help="HTML, or plain text: wrapped lines are one paragraph")]
MethodName = Annotated[
    str, typer.Option("--method", metavar="NAME", help="Method that scores the blocks (see `dehusk models`)")
]
Threshold = Annotated[
    float | None, typer.Option(metavar="T", help="Keep blocks that score below T, from 0 to 1  [default: 0.5]")
]
Favoured = Annotated[Favour | None, typer.Option(help="Lose no text (recall) or keep no boilerplate (precision)")]
Comments = Annotated[bool, typer.Option("--comments", help="Keep readers' comments under articles too")]
NoTables = Annotated[bool, typer.Option("--no-tables", help="Leave out the text in tables of data")]
MinLength = Annotated[int, typer.Option(metavar="N", help="Call a page empty that has fewer characters of main text")]
Links = Annotated[bool, typer.Option("--links", help="Show where links lead (markdown, html, tei)")]
Images = Annotated[bool, typer.Option("--images", help="Show images (markdown, html, tei)")]
NoFormatting = Annotated[bool, typer.Option("--no-formatting", help="Leave out emphasis and the like")]
Beside = Annotated[str | None, typer.Option(metavar="NAME", help="Second method, side by side (report)")]
Explain = Annotated[
    bool,
    typer.Option(
        "--explain", help="Print every block with its score and the features that decided it (text, json, report)"
    ),
]
FormatName = Annotated[str, typer.Option("--format", metavar="FORMAT", help=f"One of: {', '.join(formats.names())}")]


def extract(
    pages: Pages = None,
    input: InputKind = Input.html,
    method: MethodName = DEFAULT,
    threshold: Threshold = None,
    favour: Favoured = None,
    comments: Comments = False,
    no_tables: NoTables = False,
    min_length: MinLength = 0,
    explain: Explain = False,
    format: FormatName = "text",
    links: Links = False,
    images: Images = False,
    no_formatting: NoFormatting = False,
    beside: Beside = None,
    output: Folders = None,
    resume: Resume = False,
    jobs: Jobs = None,
) -> None:
    """Print the main text of HTML pages.

    PAGE is a file, a folder, a pattern or an http address; none means standard input. JSON lines with the fields
    "html", or "text" if that comes in, and "url" (files that end in .jsonl, or standard input that begins with {")
    come out as JSON lines.

    \b
      curl -s https://example.org | dehusk extract
      dehusk extract --output clean --jobs 4 pages/
    """
    extractor = Extractor(
        method,
        _threshold(threshold, favour),
        comments=comments,
        tables=not no_tables,
        min_length=_at_least_0(min_length),
        explain=explain,
    )
    wanted = _wanted(extractor, format, explain, Look(links, images, not no_formatting), beside)
    run(pages, _job(extractor, wanted, output, resume, jobs, input))


def annotate(
    pages: Pages = None,
    input: InputKind = Input.html,
    method: MethodName = DEFAULT,
    threshold: Threshold = None,
    favour: Favoured = None,
    explain: Explain = False,
    format: FormatName = "text",
    links: Links = False,
    images: Images = False,
    no_formatting: NoFormatting = False,
    beside: Beside = None,
    output: Folders = None,
    resume: Resume = False,
    jobs: Jobs = None,
) -> None:
    """Print every block of HTML pages with its score; nothing is left out.

    As text, a line a block: its letter from a (main text) to j (boilerplate), its score, + if it would be kept, its
    kind (`comment` where a reader wrote it) and its text; with --explain, indented below it, the facts that decided.
    PAGE is a file, a folder, a pattern or an http address; none means standard input.

    \b
      dehusk annotate --method bte page.html
      dehusk annotate --format json pages/*.html > blocks.jsonl
    """
    extractor = Extractor(method, _threshold(threshold, favour), explain=explain)
    wanted = _wanted(extractor, format, True, Look(links, images, not no_formatting), beside)
    run(pages, _job(extractor, wanted, output, resume, jobs, input))


def _job(
    extractor: Extractor, wanted: Output, output: Path | None, resume: bool, jobs: int | None, input: Input
) -> Job:
    setup = ("dehusk.extractor", "rendered", (extractor, wanted))
    suffix = formats.by_name(wanted.format).SUFFIX
    return Job(setup, wanted.format, suffix, output, resume, jobs, input is Input.text, extractor.limits)


def _wanted(extractor: Extractor, format: str, every: bool, look: Look, beside: str | None) -> Output:
    return Output(format, every, look, None if beside is None else extractor.by(beside))


def _at_least_0(number: int) -> int:
    if number < 0:
        raise UsageError(f"--min-length must be at least 0, got {number}")
    return number


def _threshold(threshold: float | None, favour: Favour | None) -> float:
    if threshold is None:
        return FAVOUR[favour] if favour else 0.5
    if favour:
        raise UsageError("--threshold and --favour both set the threshold; give one of them")
    if not 0 <= threshold <= 1:
        hint = f"; did you mean {threshold / 100:g}?" if 1 < threshold <= 100 else ""
        raise UsageError(f"--threshold must lie between 0 and 1, got {threshold:g}{hint}")
    return threshold
