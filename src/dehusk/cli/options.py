"""The options that commands share. Nothing here imports more than the names that completion offers."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import click

from dehusk.cli.commands import Argument, Option
from dehusk.errors import UsageError


class Input(StrEnum):
    """What the pages are."""

    html = "html"
    text = "text"


class Favour(StrEnum):
    """What to favour where both cannot be had: no boilerplate kept, or no text lost."""

    precision = "precision"
    recall = "recall"


class Headline(StrEnum):
    """What becomes of the headline: in Markdown, HTML and TEI alone whatever its score, in all formats, or in none."""

    auto = "auto"
    keep = "keep"
    drop = "drop"


def format_names() -> list[str]:
    """Return the formats, for the shell to complete."""
    from dehusk import formats

    return [*formats.names(), *formats.OTHER_NAMES]


def method_names() -> list[str]:
    """Return the methods, for the shell to complete."""
    from dehusk.models import registry

    return [entry.name for entry in registry.REGISTRY]


def _name_defaults(context: click.Context, _option: click.Parameter, verbose: bool) -> bool:
    """Say which file the defaults come from, if there is one."""
    if verbose and getattr(context.obj, "path", None):
        click.echo(f"dehusk: defaults from {context.obj.shown}", err=True)
    return verbose


Pages = Annotated[list[str] | None, Argument("PAGE")]
Output = Annotated[
    str | None,
    Option(
        "--output",
        "-o",
        metavar="PATH",
        help="Write one file per page into the folder PATH instead of printing; a single page goes to the file PATH if"
        " that has a suffix, such as page.md",
    ),
]
Resume = Annotated[bool, Option("--resume", help="With --output: skip pages whose file exists")]
Jobs = Annotated[
    int | None, Option("--jobs", "-j", min=1, metavar="N", help="Worker processes  [default: one per core]")
]
Quiet = Annotated[
    bool, Option("--quiet", "-q", help="No progress, no summary, no warnings; pages that failed are still named")
]
Verbose = Annotated[
    bool,
    Option(
        "--verbose",
        "-v",
        callback=_name_defaults,
        help="Also print one line per page: its kind, confidence, words kept and time",
    ),
]
InputKind = Annotated[Input, Option("--input", help="HTML, or plain text (wrapped lines are joined)")]
Url = Annotated[
    str | None,
    Option("--url", metavar="URL", help="Address of the page from a file or a pipe, to resolve its links"),
]
AllowPrivate = Annotated[
    bool,
    Option("--allow-private", help="Also fetch from this machine and from private networks, such as http://localhost/"),
]
Render = Annotated[
    bool,
    Option(
        "--render",
        help="Let the page's own scripts run in Chromium first, for pages that are written by them (dehusk[visual])",
    ),
]
MethodName = Annotated[
    str,
    Option(
        "--method",
        "-m",
        metavar="NAME",
        complete=method_names,
        help="Method that scores the blocks (see `dehusk models`), or the folder of a model that you trained",
    ),
]
Silent = Annotated[bool, Option("--quiet", "-q", help="No progress and no messages, only results and errors")]


@dataclass(frozen=True)
class Request:
    """Which pages to process, and where their outputs go."""

    pages: list[str] | None
    output: str | None = None
    resume: bool = False
    jobs: int | None = None
    quiet: bool = False
    verbose: bool = False
    plain: bool = False
    url: str | None = None
    private: bool = False
    render: bool = False

    def __post_init__(self) -> None:
        if self.quiet and self.verbose:
            raise UsageError("--quiet and --verbose contradict each other; give one of them")
        if self.render and self.plain:
            raise UsageError("--render is for HTML pages; plain text has no scripts")
        if self.resume and self.folder is None:
            raise UsageError("--resume needs --output DIR: without it there is nothing to resume")

    @property
    def folder(self) -> Path | None:
        """The path that --output names; None, or -, is standard output."""
        return None if self.output in (None, "-") else Path(self.output or ".")
