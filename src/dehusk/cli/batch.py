"""Batch: pages from anywhere to a file each or to standard output, in worker processes; what commands share."""

import errno
import json
import os
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dehusk import sources
from dehusk.cli.progress import Progress
from dehusk.config import Limits
from dehusk.errors import InputError, UsageError
from dehusk.extractor import Result, Source, results
from dehusk.sources import Found

if TYPE_CHECKING:
    from dehusk.pool import Setup

SMALL: Final = 1_000_000  # bytes up to which a page cannot take long enough to need a worker with a clock

Pages = Annotated[list[str] | None, typer.Argument(metavar="PAGE", show_default=False, hidden=True)]
Folders = Annotated[Path | None, typer.Option(metavar="DIR", help="Write a file a page into DIR instead of printing")]
Resume = Annotated[bool, typer.Option("--resume", help="With --output: leave out pages whose file is there already")]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="Worker processes  [default: one a core]")]


@dataclass(frozen=True)
class Job:
    """What a command was asked to do with each page: a function, by its module and name, that workers run, too."""

    setup: "Setup"
    format: str  # of the output, and its name in JSON lines
    suffix: str  # of output files
    output: Path | None
    resume: bool
    jobs: int | None
    plain: bool = False  # plain text comes in, not HTML
    limits: Limits = field(default_factory=Limits)
    titled: bool = False  # whether many outputs on one screen need their names above them

    def __post_init__(self) -> None:
        if self.resume and self.output is None:
            raise UsageError("--resume needs --output DIR: without it there is nothing to go on from")
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"--jobs must be at least 1, got {self.jobs}")

    def results(self, found: Iterator[Found], *, many: bool) -> Iterator[tuple[Found, Result]]:
        """Yield each page with what became of it, in order; a single small page needs no other process."""
        if not many:
            for page in found:
                yield page, _unread(page) if page.problem else self._result(page)
            return
        # What could not be read goes through as an empty page, so that the order holds without a second queue.
        behind: deque[Found] = deque()
        queue = self._remembered(found, behind)
        for answer in self._many(queue, self.jobs):
            page = behind.popleft()
            yield page, _unread(page) if page.problem else answer

    def _many(self, pages: Iterable[Source], jobs: int | None) -> Iterator[Result]:
        from dehusk.pool import Pool  # a tenth of the import time, and a single page does without

        return results(Pool(self.setup, jobs or os.cpu_count() or 1, self.limits), pages)

    def _result(self, page: Found) -> Result:
        if len(page.data) > SMALL:
            return next(self._many([self.source(page)], 1))
        module, name, state = self.setup
        try:
            return Result(page.url, *getattr(import_module(module), name)(state, self.source(page)))
        except Exception as error:  # told as a worker process would tell it
            return Result(page.url, "", f"failed: {type(error).__name__}: {error}", failed=True)

    def _remembered(self, found: Iterator[Found], behind: deque[Found]) -> Iterator[Source]:
        for page in found:
            behind.append(page)
            yield self.source(page)

    def source(self, page: Found) -> Source:
        """Return a page as workers take it."""
        return Source(page.data, page.url, page.charset, self.plain)


@dataclass(frozen=True)
class Folder:
    """Where the outputs go: a file a page, never one for two pages, never over one of the pages themselves."""

    path: Path
    suffix: str
    taken: set[str]
    files: dict[str, Path] = field(default_factory=dict)  # by the name of the page

    @classmethod
    def of(cls, job: Job, places: list[str]) -> "Folder | None":
        """Make the folder that a job asks for, if it does."""
        if job.output is None:
            return None
        try:
            job.output.mkdir(parents=True, exist_ok=True)
            if not os.access(job.output, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise InputError(
                f"--output {job.output}: {error.strerror}; expected a folder that can be made or written to"
            ) from error
        return cls(job.output, job.suffix, set(map(_key, places)))

    def claim(self, name: str) -> Path:
        """Return the file for a page, with a number if another page has come to the same name before."""
        stem = sources.output_name(name)
        numbered = (self.path / f"{stem}{f'-{number}' * (number > 1)}{self.suffix}" for number in count(1))
        file = next(file for file in numbered if _key(file) not in self.taken)
        self.taken.add(_key(file))
        self.files[name] = file
        return file

    def write(self, name: str, text: str) -> str:
        """Write the output of a page and return what went wrong, if anything did."""
        file = self.files[name]
        part = file.with_name(file.name + ".part")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text + "\n", encoding="utf-8", errors="replace")
            part.replace(file)  # all or nothing: --resume takes a file that is there for a page that is done
        except OSError as error:
            return f"cannot be written: {error.strerror}: {file}"
        return ""


def run(pages: list[str] | None, job: Job) -> None:
    """Take all pages to their outputs, and end with the status that says how it went."""
    if not pages and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("no pages given; name files or addresses, or send a page to standard input")
    places = sources.find(pages or ["-"], sources.TEXT_SUFFIXES if job.plain else sources.PAGE_SUFFIXES)
    try:
        counts = _process(places, job, Folder.of(job, places))
        sys.stdout.flush()
    except KeyboardInterrupt:
        typer.echo("dehusk: interrupted" + "; the same with --resume goes on from here" * bool(job.output), err=True)
        raise typer.Exit(130) from None
    except OSError as error:  # of standard output: all others have been told with their page
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python tries to print the rest once more at its end
        if isinstance(error, BrokenPipeError):  # the reader, such as `head`, has seen enough
            raise typer.Exit(0) from None
        typer.echo(f"dehusk: standard output cannot be written: {error.strerror}", err=True)
        raise typer.Exit(1) from None
    if counts.total() > counts["done"] + counts["left out"]:
        raise typer.Exit(1)


def _process(places: list[str], job: Job, folder: Folder | None) -> Counter[str]:
    """Take every page to its output and return how many came to what."""
    counts: Counter[str] = Counter()
    lines = any(map(sources.holds_lines, places))
    many = lines or len(places) > 1
    job = replace(job, titled=job.titled and many)

    def wanted(name: str) -> bool:
        done = folder is not None and folder.claim(name).exists() and job.resume
        counts["left out"] += done
        return not done

    found = sources.read(places, job.limits, wanted, "text" if job.plain else "html")
    with (
        Progress(None if lines else len(places)) as progress,
        closing(job.results(found, many=many)) as results,  # type: ignore[type-var]
    ):
        for page, result in results:
            progress.advance()
            counts[_delivered(job, folder, page, result, progress)] += 1
        progress.finish(counts)
    return counts


def _delivered(job: Job, folder: Folder | None, page: Found, result: Result, progress: Progress) -> str:
    """Write or print what became of a page, and return what to count it as."""
    problem = result.reason if result.failed else ""
    if folder and not problem:
        problem = folder.write(page.name, result.output)
    elif page.fields is not None and not folder:
        progress.print(_json_line(page, result, job.format))
    elif not problem:
        progress.print(_with_name(job, page, result.output))
    if problem or result.reason:
        progress.complain(f"{page.name}: {problem or result.reason}")
    # Without its details, so that pages with the same trouble are counted together.
    return problem.partition(";")[0].partition(":")[0] or "done"


def _with_name(job: Job, page: Found, output: str) -> str:
    if job.format == "json":
        return _with_file(page, output)
    return f"==> {page.name} <==\n{output}" if job.titled else output


def _with_file(page: Found, output: str) -> str:
    """Return a JSON object with the file that it came from, so that lines of many pages can be told apart."""
    if page.url or page.name == "-":
        return output
    return f'{{"file": {json.dumps(page.name, ensure_ascii=False)}, {output[1:]}'


def _json_line(page: Found, result: Result, format: str) -> str:
    """Return the line that came in with the output in place of the html."""
    if format != "json":
        output = {format: result.output, "reason": result.reason}
    else:
        output = {"text": "", "reason": result.reason} if result.failed else json.loads(result.output)
    return json.dumps({**(page.fields or {}), **output}, ensure_ascii=False)


def _unread(page: Found) -> Result:
    return Result(page.url, "", page.problem, failed=True)


def _key(path: str | Path) -> str:
    """Return what two paths share that mean one file, also where capitals make no difference."""
    return str(Path(path).resolve()).casefold()
