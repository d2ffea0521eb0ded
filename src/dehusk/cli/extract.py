"""dehusk extract and dehusk annotate: pages in, the main text or every block out."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

from dehusk import formats
from dehusk.cli.commands import Option
from dehusk.cli.options import (
    AllowPrivate,
    Archives,
    BatchRequest,
    InputFormat,
    Pages,
    Render,
    RunOptions,
    method_names,
)
from dehusk.cli.terminal import print_message
from dehusk.errors import UsageError, about
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT

if TYPE_CHECKING:
    from dehusk.extractor import Extractor


class Favour(StrEnum):
    """What to favour where both cannot be had: no boilerplate kept, or no text lost."""

    precision = "precision"
    recall = "recall"


class HeadlineMode(StrEnum):
    """Whether the headline is kept: in Markdown, HTML and TEI alone whatever its score, in all formats, or in none."""

    auto = "auto"
    keep = "keep"
    drop = "drop"


def format_names() -> list[str]:
    """Return the formats, for the shell to complete."""
    return sorted({name for entry in formats.FORMATS.usable()[0] for name in (entry.name, *entry.aliases)})


def _aliases() -> str:
    entries = formats.FORMATS.built_in.values()
    return ", ".join(f"{alias} is {entry.name}" for entry in entries for alias in entry.aliases)


@dataclass(frozen=True)
class ExtractOptions:
    """The options of both commands, in the order of their help; those of the run follow."""

    pages: Pages = None
    input: Annotated[InputFormat, Option(help="HTML, or plain text (wrapped lines are joined)")] = InputFormat.html
    url: Annotated[
        str | None, Option(metavar="URL", help="Address of the page from a file or a pipe, to resolve its links")
    ] = None
    allow_private: AllowPrivate = False
    archives: Archives = None
    render: Render = False
    method: Annotated[
        str,
        Option(
            "--method",
            "-m",
            metavar="NAME",
            complete=method_names,
            help="Method that scores the blocks (see `dehusk models`), or the folder of a model that you trained",
        ),
    ] = DEFAULT
    settings: Annotated[
        list[str] | None,
        Option(
            "--set", metavar="NAME=VALUE", help="A setting of the method (see `dehusk models NAME`); may be repeated"
        ),
    ] = None
    threshold: Annotated[
        float | None, Option(metavar="T", help="Keep blocks that score below T (0 to 1)  [default: 0.5]")
    ] = None
    favour: Annotated[
        Favour | None,
        Option("--favour", "--favor", help="Keep less boilerplate (precision) or lose less text (recall)"),
    ] = None
    comments: Annotated[bool, Option(help="Also keep readers' comments under articles")] = False
    no_tables: Annotated[bool, Option(help="Leave out the text in tables of data")] = False
    min_length: Annotated[
        int, Option(min=0, metavar="N", help="Treat pages with fewer than N characters of main text as empty")
    ] = 0
    headline: Annotated[
        HeadlineMode,
        Option(help=f"Begin with the title ({formats.knowing('headline')}; auto), keep it in all formats, or drop it"),
    ] = HeadlineMode.auto
    explain: Annotated[
        bool,
        Option(
            help=f"Print every block with its score and the features that decided it ({formats.knowing('explain')})"
        ),
    ] = False
    format: Annotated[
        str | None,
        Option(
            "--format",
            "-f",
            metavar="FORMAT",
            complete=format_names,
            help=f"One of: {', '.join(sorted(formats.FORMATS.built_in))}; {_aliases()}"
            "  [default: by the suffix of --output, else text]",
        ),
    ] = None
    with_metadata: Annotated[
        bool, Option(help=f"Begin with title, authors, date… as YAML ({formats.knowing('metadata')})")
    ] = False
    links: Annotated[bool, Option(help=f"Keep the targets of links ({formats.knowing('links')})")] = False
    images: Annotated[bool, Option(help=f"Keep images ({formats.knowing('images')})")] = False
    no_formatting: Annotated[bool, Option(help="Leave out emphasis and other inline formatting")] = False
    nfc: Annotated[bool, Option(help="Write the text in Unicode's composed form (NFC)")] = False
    beside: Annotated[
        str | None,
        Option(metavar="NAME", help=f"Show a second method, or folder, side by side ({formats.knowing('beside')})"),
    ] = None

    def extractor(self) -> "Extractor":
        """Return what scores the blocks and decides on them."""
        from dehusk.extractor import Extractor, chosen_threshold
        from dehusk.models import registry

        method = registry.method(self.method)
        with about("set"):
            method = registry.adjusted(method, dict(map(_name_and_value, self.settings or ())))
        return Extractor(
            method,
            chosen_threshold(self.threshold, self.favour),
            comments=self.comments,
            tables=not self.no_tables,
            min_length=self.min_length,
            headline=self.headline.value,
            explain=self.explain,
        )


def extract(options: ExtractOptions, run: RunOptions) -> None:
    """Print the main text of HTML pages.

    PAGE is a file, a folder, a pattern or a URL; none means standard input. Files may be compressed (.gz, .bz2, .xz,
    .zst). JSON lines (files that end in .jsonl, or standard input that begins with {") with the fields "html", or
    "text" with --input text, and "url" come out as JSON lines, and so do the rows of Parquet files. Of archives
    (.warc, .arc, .wacz, or a .cdx that names records) the HTML pages are taken, and the texts of .wet files.

    \b
      curl -s https://example.org | dehusk extract --url https://example.org
      dehusk extract page.html -o page.md
      dehusk extract --output clean --jobs 4 pages/

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    _run(options, run, every=options.explain)


def annotate(options: ExtractOptions, run: RunOptions) -> None:
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
    _run(options, run, every=True)


def _run(options: ExtractOptions, run: RunOptions, *, every: bool) -> None:
    from dehusk.cli.batch import PageBatch
    from dehusk.extractor import RenderOptions, render_page

    is_text = options.input is InputFormat.text
    request = BatchRequest(
        options.pages, run, is_text, options.url, options.allow_private, options.render, options.archives
    )
    extractor, batch = options.extractor(), PageBatch.of(request)
    if (advice := getattr(extractor.method, "advice", "")) and not run.quiet:
        print_message(advice)
    chosen = formats.by_name(options.format or batch.format or "text")
    with about("beside"):
        beside = None if options.beside is None else extractor.by(options.beside)
    look = Look(options.links, options.images, not options.no_formatting, options.with_metadata, options.nfc)
    function = partial(render_page, extractor, RenderOptions(chosen.name, every, look, beside))
    layouts = any(_looks_at_layouts(each) for each in (extractor, beside) if each)
    batch.process_pages(function, chosen.name, chosen.suffixes[0], layouts=layouts)


def _looks_at_layouts(extractor: "Extractor") -> bool:
    """Return whether a method looks at pages as a browser lays them out, and there is one; it does without if not."""
    from dehusk.methods.base import capabilities

    if not capabilities(extractor.method).renders:
        return False
    from dehusk.rendering import is_available

    return is_available()


def _name_and_value(setting: str) -> tuple[str, str]:
    name, sign, value = setting.partition("=")
    if not sign:
        raise UsageError(f"--set takes NAME=VALUE, such as bias=0.1; got {setting!r}")
    return name.strip(), value.strip()
