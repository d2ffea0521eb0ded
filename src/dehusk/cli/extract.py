"""dehusk extract and dehusk annotate: pages in, the main text or every block out."""

from typing import TYPE_CHECKING, Annotated, Any

import click

from dehusk import formats
from dehusk.cli.commands import Option
from dehusk.cli.options import (
    AllowPrivate,
    Favour,
    Headline,
    Input,
    InputKind,
    Jobs,
    MethodName,
    Output,
    Pages,
    Quiet,
    Render,
    Request,
    Resume,
    Url,
    Verbose,
    format_names,
)
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT

if TYPE_CHECKING:
    from dehusk.extractor import Extractor
    from dehusk.methods.base import Method

Threshold = Annotated[float | None, Option(metavar="T", help="Keep blocks that score below T (0 to 1)  [default: 0.5]")]
Favoured = Annotated[
    Favour | None,
    Option("--favour", "--favor", help="Keep less boilerplate (precision) or lose less text (recall)"),
]
Comments = Annotated[bool, Option("--comments", help="Also keep readers' comments under articles")]
NoTables = Annotated[bool, Option("--no-tables", help="Leave out the text in tables of data")]
MinLength = Annotated[
    int, Option(min=0, metavar="N", help="Treat pages with fewer than N characters of main text as empty")
]
HeadlineChoice = Annotated[
    Headline,
    Option("--headline", help="Begin markdown, html and tei with the title (auto), keep it in all formats, or drop it"),
]
Links = Annotated[bool, Option("--links", help="Keep the targets of links (markdown, html, tei)")]
Images = Annotated[bool, Option("--images", help="Keep images (markdown, html, tei)")]
Nfc = Annotated[bool, Option("--nfc", help="Write the text in Unicode's composed form (NFC)")]
NoFormatting = Annotated[bool, Option("--no-formatting", help="Leave out emphasis and other inline formatting")]
WithMetadata = Annotated[
    bool,
    Option("--with-metadata", help="Begin with title, authors, date… as YAML (markdown, text)"),
]
Beside = Annotated[str | None, Option(metavar="NAME", help="Show a second method, or folder, side by side (report)")]
Explain = Annotated[
    bool,
    Option("--explain", help="Print every block with its score and the features that decided it (text, json, report)"),
]
Model = Annotated[
    str | None, Option(metavar="NAME", help="Language model of pyplexity, or its folder  [default: by page]")
]
Limit = Annotated[
    float | None,
    Option(metavar="P", help="Perplexity from which pyplexity drops a sentence, whatever its length"),
]
Bias = Annotated[
    float | None,
    Option(metavar="BITS", help="Bits per character added to ncleaner's bias: above 0 for precision, below for recall"),
]
Order = Annotated[int | None, Option("--n", metavar="N", help="Let ncleaner use n-grams of at most N characters")]
FormatName = Annotated[
    str | None,
    Option(
        "--format",
        "-f",
        metavar="FORMAT",
        complete=format_names,
        help=f"One of: {', '.join(formats.names())}; md is markdown  [default: by the suffix of --output, else text]",
    ),
]


def extract(
    pages: Pages = None,
    input: InputKind = Input.html,
    url: Url = None,
    allow_private: AllowPrivate = False,
    render: Render = False,
    method: MethodName = DEFAULT,
    threshold: Threshold = None,
    favour: Favoured = None,
    model: Model = None,
    limit: Limit = None,
    bias: Bias = None,
    n: Order = None,
    comments: Comments = False,
    no_tables: NoTables = False,
    min_length: MinLength = 0,
    headline: HeadlineChoice = Headline.auto,
    explain: Explain = False,
    format: FormatName = None,
    with_metadata: WithMetadata = False,
    links: Links = False,
    images: Images = False,
    no_formatting: NoFormatting = False,
    nfc: Nfc = False,
    beside: Beside = None,
    output: Output = None,
    resume: Resume = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Print the main text of HTML pages.

    PAGE is a file, a folder, a pattern or a URL; none means standard input. Files may be compressed (.gz, .bz2, .xz,
    .zst). JSON lines (files that end in .jsonl, or standard input that begins with {") with the fields "html", or
    "text" with --input text, and "url" come out as JSON lines, and so do the rows of Parquet files. Of archives
    (.warc, .arc, or a .cdx that names records) the HTML pages are taken.

    \b
      curl -s https://example.org | dehusk extract --url https://example.org
      dehusk extract page.html -o page.md
      dehusk extract --output clean --jobs 4 pages/

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    options = _options(comments, no_tables, min_length, headline, explain)
    request = Request(pages, output, resume, jobs, quiet, verbose, input is Input.text, url, allow_private, render)
    chosen = _method(method, model=model, limit=limit, bias=bias, n=n)
    extractor = _extractor(chosen, threshold, favour, options)
    _run(request, extractor, format, explain, Look(links, images, not no_formatting, with_metadata, nfc), beside)


def annotate(
    pages: Pages = None,
    input: InputKind = Input.html,
    url: Url = None,
    allow_private: AllowPrivate = False,
    render: Render = False,
    method: MethodName = DEFAULT,
    threshold: Threshold = None,
    favour: Favoured = None,
    model: Model = None,
    limit: Limit = None,
    bias: Bias = None,
    n: Order = None,
    comments: Comments = False,
    no_tables: NoTables = False,
    min_length: MinLength = 0,
    headline: HeadlineChoice = Headline.auto,
    explain: Explain = False,
    format: FormatName = None,
    with_metadata: WithMetadata = False,
    links: Links = False,
    images: Images = False,
    no_formatting: NoFormatting = False,
    nfc: Nfc = False,
    beside: Beside = None,
    output: Output = None,
    resume: Resume = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Print every block of HTML pages with its score; nothing is left out.

    The text format has one line per block: its letter from a (main text) to j (boilerplate), its score, + if it would
    be kept, its kind (`comment` if a reader wrote it) and its text; with --explain, the facts that decided are indented
    below. What would be kept follows the same options as in `extract`. PAGE is a file, a folder, a pattern or a URL;
    none means standard input.

    \b
      dehusk annotate --method bte page.html
      dehusk annotate --format json pages/*.html > blocks.jsonl

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    request = Request(pages, output, resume, jobs, quiet, verbose, input is Input.text, url, allow_private, render)
    options = _options(comments, no_tables, min_length, headline, explain)
    chosen = _method(method, model=model, limit=limit, bias=bias, n=n)
    extractor = _extractor(chosen, threshold, favour, options)
    _run(request, extractor, format, True, Look(links, images, not no_formatting, with_metadata, nfc), beside)


def _run(
    request: Request, extractor: "Extractor", format: str | None, every: bool, look: Look, beside: str | None
) -> None:
    from dehusk.cli.batch import Batch
    from dehusk.extractor import Output, rendering

    batch = Batch.of(request)
    if (advice := getattr(extractor.method, "advice", "")) and not request.quiet:
        click.echo(f"dehusk: {advice}", err=True)
    name = formats.full_name(format or batch.format or "text")
    written = Output(name, every, look, None if beside is None else extractor.by(beside))
    layouts = _looks_at_layouts(extractor) or (written.beside is not None and _looks_at_layouts(written.beside))
    batch.process(rendering(extractor, written), name, formats.by_name(name).SUFFIX, layouts=layouts)


def _looks_at_layouts(extractor: "Extractor") -> bool:
    """Return whether a method looks at pages as a browser lays them out, and there is one; it does without if not."""
    if not getattr(extractor.method, "renders", False):
        return False
    from dehusk.rendering import is_available

    return is_available()


def _method(name: str, **settings: object) -> "Method":
    from dehusk.models import registry

    return registry.adjusted(registry.method(name), settings)


def _options(comments: bool, no_tables: bool, min_length: int, headline: Headline, explain: bool) -> dict[str, Any]:
    """Return what decides on blocks apart from the threshold, as `Extractor` takes it."""
    return {
        "comments": comments,
        "tables": not no_tables,
        "min_length": min_length,
        "headline": headline.value,
        "explain": explain,
    }


def _extractor(
    method: "Method", threshold: float | None, favour: Favour | None, options: dict[str, Any]
) -> "Extractor":
    from dehusk.extractor import Extractor, chosen_threshold

    return Extractor(method, chosen_threshold(threshold, favour), **options)
