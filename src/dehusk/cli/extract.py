"""dehusk extract and dehusk annotate: pages in, the main text or every block out."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dehusk import formats
from dehusk.batch import Job
from dehusk.cli.batch import Delivery, Folder, Jobs, Pages, Resume, run
from dehusk.errors import UsageError
from dehusk.extractor import FAVOUR, Extractor, Output, rendering
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT


class Input(StrEnum):
    """What the pages are."""

    html = "html"
    text = "text"


class Favour(StrEnum):
    """What to favour where both cannot be had: no boilerplate kept, or no text lost."""

    precision = "precision"
    recall = "recall"


InputKind = Annotated[Input, typer.Option("--input", help="HTML, or plain text (wrapped lines are joined)")]
MethodName = Annotated[
    str, typer.Option("--method", metavar="NAME", help="Method that scores the blocks (see `dehusk models`)")
]
Threshold = Annotated[
    float | None, typer.Option(metavar="T", help="Keep blocks that score below T (0 to 1)  [default: 0.5]")
]
Favoured = Annotated[Favour | None, typer.Option(help="Keep less boilerplate (precision) or lose less text (recall)")]
Comments = Annotated[bool, typer.Option("--comments", help="Also keep readers' comments under articles")]
NoTables = Annotated[bool, typer.Option("--no-tables", help="Leave out the text in tables of data")]
MinLength = Annotated[
    int, typer.Option(min=0, metavar="N", help="Treat pages with fewer than N characters of main text as empty")
]
Links = Annotated[bool, typer.Option("--links", help="Keep the targets of links (markdown, html, tei)")]
Images = Annotated[bool, typer.Option("--images", help="Keep images (markdown, html, tei)")]
NoFormatting = Annotated[bool, typer.Option("--no-formatting", help="Leave out emphasis and other inline formatting")]
Beside = Annotated[str | None, typer.Option(metavar="NAME", help="Show a second method side by side (report)")]
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
    output: Folder = None,
    resume: Resume = False,
    jobs: Jobs = None,
) -> None:
    """Print the main text of HTML pages.

    PAGE is a file, a folder, a pattern or a URL; none means standard input. JSON lines (files that end in .jsonl, or
    standard input that begins with {") with the fields "html", or "text" with --input text, and "url" come out as
    JSON lines.

    \b
      curl -s https://example.org | dehusk extract
      dehusk extract --output clean --jobs 4 pages/
    """
    extractor = Extractor(
        method,
        _threshold(threshold, favour),
        comments=comments,
        tables=not no_tables,
        min_length=min_length,
        explain=explain,
    )
    written = _output(extractor, format, explain, Look(links, images, not no_formatting), beside)
    _run(pages, Job(rendering(extractor, written), jobs, input is Input.text), format, output, resume)


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
    output: Folder = None,
    resume: Resume = False,
    jobs: Jobs = None,
) -> None:
    """Print every block of HTML pages with its score; nothing is left out.

    The text format has one line per block: its letter from a (main text) to j (boilerplate), its score, + if it would
    be kept, its kind (`comment` if a reader wrote it) and its text; with --explain, the facts that decided are indented
    below. PAGE is a file, a folder, a pattern or a URL; none means standard input.

    \b
      dehusk annotate --method bte page.html
      dehusk annotate --format json pages/*.html > blocks.jsonl
    """
    extractor = Extractor(method, _threshold(threshold, favour), explain=explain)
    written = _output(extractor, format, True, Look(links, images, not no_formatting), beside)
    _run(pages, Job(rendering(extractor, written), jobs, input is Input.text), format, output, resume)


def _run(pages: list[str] | None, job: Job, format: str, folder: Path | None, resume: bool) -> None:
    run(pages, job, Delivery(format, formats.by_name(format).SUFFIX, folder, resume))


def _output(extractor: Extractor, format: str, every: bool, look: Look, beside: str | None) -> Output:
    return Output(format, every, look, None if beside is None else extractor.by(beside))


def _threshold(threshold: float | None, favour: Favour | None) -> float:
    if threshold is None:
        return FAVOUR[favour] if favour else 0.5
    if favour:
        raise UsageError("--threshold and --favour both set the threshold; give one of them")
    return threshold
