"""The options that commands share. Nothing here imports more than the names that completion offers."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import click

from dehusk.cli.commands import Argument, Option
from dehusk.errors import UsageError


class InputFormat(StrEnum):
    """What the pages are."""

    html = "html"
    text = "text"


def method_names() -> list[str]:
    """Return the methods, for the shell to complete."""
    from dehusk.models import registry

    return list(registry.METHODS)


def _name_defaults(context: click.Context, _option: click.Parameter, verbose: bool) -> bool:
    """Say which file the defaults come from, if there is one."""
    if verbose and getattr(context.obj, "path", None):
        click.echo(f"dehusk: defaults from {context.obj.shown}", err=True)
    return verbose


Pages = Annotated[list[str] | None, Argument("PAGE")]
Jobs = Annotated[
    int | None, Option("--jobs", "-j", min=1, metavar="N", help="Worker processes  [default: one per core]")
]
AllowPrivate = Annotated[
    bool,
    Option("--allow-private", help="Also fetch from this machine and from private networks, such as http://localhost/"),
]
Archives = Annotated[
    list[str] | None,
    Option(
        "--archives",
        metavar="PREFIX",
        help="A folder or address, such as s3://bucket/crawl, of which a CDX index may name archives, besides its own;"
        " may be repeated",
    ),
]
Render = Annotated[
    bool,
    Option(
        "--render",
        help="Let the page's own scripts run in Chromium first, for pages that scripts write (dehusk[visual])",
    ),
]
Silent = Annotated[bool, Option("--quiet", "-q", help="No progress and no messages, only results and errors")]


@dataclass(frozen=True)
class RunOptions:
    """Where the outputs of pages go, and how they are made: the last options of commands that process pages."""

    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Write one file per page into the folder PATH instead of printing; a single page goes to the file PATH"
            " if that has a suffix, such as page.md",
        ),
    ] = None
    resume: Annotated[bool, Option(help="With --output: skip pages whose file exists")] = False
    jobs: Jobs = None
    quiet: Annotated[
        bool, Option("--quiet", "-q", help="No progress, no summary, no warnings; pages that failed are still named")
    ] = False
    verbose: Annotated[
        bool,
        Option(
            "--verbose",
            "-v",
            callback=_name_defaults,
            help="Also print one line per page: its kind, confidence, words kept and time",
        ),
    ] = False

    @property
    def folder(self) -> Path | None:
        """The path that --output names; None, or -, is standard output."""
        return None if self.output in (None, "-") else Path(self.output or ".")


@dataclass(frozen=True)
class BatchRequest:
    """Which pages to process, and where their outputs go."""

    pages: list[str] | None
    run: RunOptions
    plain: bool = False
    url: str | None = None
    private: bool = False
    render: bool = False
    archives: list[str] | None = None

    def __post_init__(self) -> None:
        if self.run.quiet and self.run.verbose:
            raise UsageError("--quiet and --verbose contradict each other; give one of them", setting="quiet")
        if self.render and self.plain:
            raise UsageError("--render is for HTML pages; plain text has no scripts", setting="render")
        if self.run.resume and self.run.folder is None:
            raise UsageError("--resume needs --output DIR: without it there is nothing to resume", setting="resume")
