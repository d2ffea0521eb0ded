"""Batches on the command line: what the commands that process pages share. Printing, output files, exit status."""

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import click

from dehusk import sources
from dehusk.batch import Job, Outcome, OutcomeOptions, PageFunction, is_many
from dehusk.cli.options import BatchRequest
from dehusk.cli.progress import ProgressDisplay
from dehusk.errors import UsageError, about
from dehusk.formats import Stream, by_name, by_suffix
from dehusk.reasons import Code
from dehusk.sources.reach import check_bases

if TYPE_CHECKING:
    from dehusk.output_files import OutputFolder
    from dehusk.sources import RawPage


@dataclass(frozen=True)
class PageBatch:
    """The pages of a request, and where their outputs go."""

    request: BatchRequest
    locations: list[str]

    @classmethod
    def of(cls, request: BatchRequest) -> "PageBatch":
        """Find the pages."""
        if not request.pages and (sys.stdin is None or sys.stdin.isatty()):
            raise UsageError("no pages given; name files or URLs, or send a page to standard input")
        check_bases(request.archives or ())
        suffixes = sources.TEXT_SUFFIXES if request.plain else sources.PAGE_SUFFIXES
        batch = cls(request, sources.find(request.pages or ["-"], suffixes))
        batch._check_url()
        return batch

    @cached_property
    def inputs(self) -> list[sources.Input]:
        """The locations with what they hold, looked at once: of standard input, that is all there is."""
        return sources.inputs(self.locations)

    @cached_property
    def many(self) -> bool:
        """Whether there may be more than one page."""
        return is_many(self.inputs)

    @cached_property
    def file(self) -> Path | None:
        """The file for the output of a single page, if --output names one."""
        path, output = self.request.run.folder, self.request.run.output or ""
        is_folder = path is None or path.is_dir() or output.endswith(("/", os.sep)) or not path.suffix
        return None if self.many or is_folder else path

    @property
    def format(self) -> str | None:
        """The format that the name of the output file asks for."""
        fitting = by_suffix(self.file.name) if self.file else None
        return fitting.name if fitting else None

    def process_pages(self, function: PageFunction, format: str, suffix: str, *, layouts: bool = False) -> None:
        """Process all pages, and exit with the status that says how it went.

        With `layouts`, a browser lays each page out before the method sees it.
        """
        self._check_mixture(format)
        if self.request.render:
            from dehusk.rendering import require_rendering

            with about("render"):
                require_rendering("--render")
        folder = self.request.run.folder
        if folder is None and sys.stdout is None:
            raise UsageError("standard output is closed; name a file or a folder with --output")
        options = OutcomeOptions(self.request.plain, None if folder else format, self.request.run.verbose)
        job = Job(
            function, self.request.run.jobs, options, url=self.request.url, private=self.request.private,
            render=self.request.render, layouts=layouts, archives=tuple(self.request.archives or ()),
        )  # fmt: skip
        try:
            counts = self._run(job, self._outputs(suffix), format)
            if sys.stdout is not None:
                sys.stdout.flush()
        except KeyboardInterrupt:
            click.echo("dehusk: interrupted" + "; run again with --resume to continue" * bool(folder), err=True)
            raise click.exceptions.Exit(130) from None
        except OSError as error:  # of standard output: all others have been reported with their page
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python tries to print the rest again when it ends
            if isinstance(error, BrokenPipeError):  # the reader, such as `head`, has seen enough
                raise click.exceptions.Exit(0) from None
            click.echo(f"dehusk: standard output cannot be written: {error.strerror}", err=True)
            raise click.exceptions.Exit(1) from None
        if counts.total() > counts["done"] + counts["skipped"]:
            raise click.exceptions.Exit(1)

    def _outputs(self, suffix: str) -> "OutputFolder | None":
        folder, resume, plain = self.request.run.folder, self.request.run.resume, self.request.plain
        if not folder:
            return None
        from dehusk.output_files import OutputFile, OutputFolder

        if self.file:
            return OutputFile(self.file, self.locations, resume=resume)
        return OutputFolder(folder, suffix, self.locations, resume=resume, plain=plain)

    def _run(self, job: Job, folder: "OutputFolder | None", format: str) -> Counter[str]:
        """Process every page and return how many came to which outcome."""
        counts: Counter[str] = Counter(skipped=0)
        lines = any(each.kind.as_lines for each in self.inputs)
        total = None if any(each.kind.many for each in self.inputs) else len(self.inputs)
        with (
            ProgressDisplay(total, quiet=self.request.run.quiet) as progress,
            Printer(progress, by_name(format).stream if self.many and not lines and not folder else PLAIN) as printer,
            closing(job.run(self.inputs, folder)) as results,  # type: ignore[type-var]
        ):
            for page, outcome in results:
                progress.advance()
                if folder is None:
                    printer.print(page, outcome, format)
                _report(page, outcome, progress, hint=not self.request.render)
                counts[outcome.reason.code.replace("-", " ") if outcome.failed and outcome.reason else "done"] += 1
            counts["skipped"] = folder.skipped if folder else 0
        progress.finish(counts)
        if folder and folder.full:
            progress.complain("no space left, so the run ended here; free some and run again with --resume to continue")
        return counts

    def _check_url(self) -> None:
        url = self.request.url
        if url is None:
            return
        if not sources.URL.match(url):
            hint = f"; did you mean https://{url}?" if "." in url and ":" not in url else ""
            raise UsageError(f"--url must begin with http:// or https://, got {url[:100]!r}{hint}", setting="url")
        if self.many:
            raise UsageError(
                '--url is for a single page; in JSON lines, give each page its own as "url"', setting="url"
            )
        if sources.URL.match(self.locations[0]):
            raise UsageError(
                f"--url is for a page from a file or a pipe; {self.locations[0]} is fetched from there", setting="url"
            )

    def _check_mixture(self, format: str) -> None:
        """Raise UsageError where JSON lines would be printed between other pages: nobody could read the result."""
        lines = [each.location for each in self.inputs if each.kind.as_lines]
        if lines and len(lines) < len(self.inputs) and not by_name(format).is_object and not self.request.run.folder:
            raise UsageError(
                f"JSON lines ({lines[0]}) come out as JSON lines, other pages as {format}; process them separately,"
                " or choose --format json or --output DIR"
            )


class Printer:
    """Prints outputs, with what belongs before, between and after them."""

    def __init__(self, progress: ProgressDisplay, pages: Stream) -> None:
        self._progress, self._pages, self._count = progress, pages, 0

    def __enter__(self) -> Self:
        self._progress.write(self._pages.begin)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if not isinstance(error, OSError):  # after Ctrl-C, too: what was printed until then is a whole document
            self._progress.write(self._pages.end)

    def print(self, page: "RawPage", outcome: Outcome, format: str) -> None:
        """Print the output of a page; one that failed has none, except in JSON lines."""
        with _uninterrupted():
            if page.is_line:
                self._progress.write(outcome.output + "\n")
            elif not outcome.failed:
                output = _with_file(page, outcome.output) if by_name(format).is_object else outcome.output
                self._progress.write(self._pages.page(self._count, page.name, output))
                self._count += 1


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C take effect only afterwards, so that no half page is written; pressed again, it does so at once."""
    pressed = False

    def remember(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


PLAIN: Final = Stream("", lambda _index, _name, output: f"{output}\n", "")


def _report(page: "RawPage", outcome: Outcome, progress: ProgressDisplay, *, hint: bool) -> None:
    if outcome.note:
        progress.complain(f"{page.name}: {outcome.note}")
    if outcome.reason:
        advice = "; its scripts may write it: try --render" if hint and _scripts_may_write_it(page, outcome) else ""
        progress.complain(f"{page.name}: {outcome.reason}{advice}", warning=not outcome.failed)


def _scripts_may_write_it(page: "RawPage", outcome: Outcome) -> bool:
    """Return whether a page without text has scripts that might write it."""
    empty = outcome.reason and outcome.reason.code in (Code.NO_TEXT, Code.NO_MAIN_TEXT) and not outcome.failed
    return bool(empty) and (b"<script" if isinstance(page.data, bytes) else "<script") in page.data.lower()  # type: ignore[operator]


def _with_file(page: "RawPage", output: str) -> str:
    """Return a JSON object with the name of its file, so that the lines of several pages can be told apart."""
    if page.url or page.name == "-":
        return output
    rest = output[1:].lstrip()
    return f'{{"file": {json.dumps(page.name, ensure_ascii=False)}{"" if rest == "}" else ", "}{rest}'
