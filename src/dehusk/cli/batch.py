"""Batches on the command line: what the commands that process pages share. Options, printing, exit status."""

import json
import os
import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from dehusk import sources
from dehusk.batch import Job, OutputFolder, is_many
from dehusk.cli.progress import Progress
from dehusk.errors import UsageError
from dehusk.extractor import Result
from dehusk.sources import RawPage

Pages = Annotated[list[str] | None, typer.Argument(metavar="PAGE", show_default=False, hidden=True)]
Folder = Annotated[Path | None, typer.Option(metavar="DIR", help="Write one file per page to DIR instead of printing")]
Resume = Annotated[bool, typer.Option("--resume", help="With --output: skip pages whose file exists")]
Jobs = Annotated[int | None, typer.Option(min=1, metavar="N", help="Worker processes  [default: one per core]")]


@dataclass(frozen=True)
class Delivery:
    """Where the outputs of a command go, and in which form."""

    format: str
    suffix: str  # of output files
    folder: Path | None
    resume: bool
    titled: bool = False  # print the names of several pages above their outputs

    def __post_init__(self) -> None:
        if self.resume and self.folder is None:
            raise UsageError("--resume needs --output DIR: without it there is nothing to resume")


def run(pages: list[str] | None, job: Job, delivery: Delivery) -> None:
    """Process all pages, and exit with the status that says how it went."""
    if not pages and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("no pages given; name files or URLs, or send a page to standard input")
    locations = sources.find(pages or ["-"], sources.TEXT_SUFFIXES if job.plain else sources.PAGE_SUFFIXES)
    try:
        counts = _process(locations, job, delivery)
        sys.stdout.flush()
    except KeyboardInterrupt:
        typer.echo("dehusk: interrupted" + "; run again with --resume to continue" * bool(delivery.folder), err=True)
        raise typer.Exit(130) from None
    except OSError as error:  # of standard output: all others have been reported with their page
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python tries to print the rest again when it ends
        if isinstance(error, BrokenPipeError):  # the reader, such as `head`, has seen enough
            raise typer.Exit(0) from None
        typer.echo(f"dehusk: standard output cannot be written: {error.strerror}", err=True)
        raise typer.Exit(1) from None
    if counts.total() > counts["done"] + counts["skipped"]:
        raise typer.Exit(1)


def _process(locations: list[str], job: Job, delivery: Delivery) -> Counter[str]:
    """Process every page and return how many came to which outcome."""
    counts: Counter[str] = Counter(skipped=0)
    delivery = replace(delivery, titled=delivery.titled and is_many(locations))
    folder = None
    if delivery.folder is not None:
        folder = OutputFolder(delivery.folder, delivery.suffix, locations, resume=delivery.resume)
    total = None if any(map(sources.holds_lines, locations)) else len(locations)
    with (
        Progress(total) as progress,
        closing(job.run(locations, folder)) as results,  # type: ignore[type-var]
    ):
        for page, result in results:
            progress.advance()
            if folder is None:
                _print(delivery, page, result, progress)
            if result.reason:
                progress.complain(f"{page.name}: {result.reason}")
            # Without details, so that pages with the same problem are counted together.
            counts[result.reason.partition(";")[0].partition(":")[0] if result.failed else "done"] += 1
        counts["skipped"] = folder.skipped if folder else 0
        progress.finish(counts)
    return counts


def _print(delivery: Delivery, page: RawPage, result: Result, progress: Progress) -> None:
    if page.fields is not None:
        progress.print(_json_line(page, result, delivery.format))
    elif result.failed:
        pass
    elif delivery.format == "json":
        progress.print(_with_file(page, result.output))
    else:
        progress.print(f"==> {page.name} <==\n{result.output}" if delivery.titled else result.output)


def _with_file(page: RawPage, output: str) -> str:
    """Return a JSON object with the name of its file, so that the lines of several pages can be told apart."""
    if page.url or page.name == "-":
        return output
    return f'{{"file": {json.dumps(page.name, ensure_ascii=False)}, {output[1:]}'


def _json_line(page: RawPage, result: Result, format: str) -> str:
    """Return the JSON line that was read, with the output in place of the page."""
    if format != "json":
        output = {format: result.output, "reason": result.reason}
    else:
        output = {"text": "", "reason": result.reason} if result.failed else json.loads(result.output)
    return json.dumps({**(page.fields or {}), **output}, ensure_ascii=False)
