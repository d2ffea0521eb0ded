"""dehusk extract and dehusk annotate: pages in, the kept text or every block out."""

import errno
import json
import os
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Annotated, Final

import typer

from dehusk import formats, sources
from dehusk.cli.progress import Progress
from dehusk.errors import InputError, UsageError
from dehusk.extractor import FAVOUR, Extractor, Output, Result, Source, rendered
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT
from dehusk.sources import Found

SMALL: Final = 1_000_000  # bytes up to which a page cannot take long enough to need a worker with a clock


class Favour(StrEnum):
    """Which mistake is worse: text lost, or boilerplate kept."""

    precision = "precision"
    recall = "recall"


Pages = Annotated[list[str] | None, typer.Argument(metavar="PAGE", show_default=False, hidden=True)]
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
Folders = Annotated[Path | None, typer.Option(metavar="DIR", help="Write a file a page into DIR instead of printing")]
Resume = Annotated[bool, typer.Option("--resume", help="With --output: leave out pages whose file is there already")]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="Worker processes  [default: one a core]")]


def extract(
    pages: Pages = None,
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
    "html" and "url" (files that end in .jsonl, or standard input that begins with a brace) come out as JSON lines.

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
    _run(pages, Job(extractor, wanted, output, resume, jobs))


def annotate(
    pages: Pages = None,
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
    _run(pages, Job(extractor, wanted, output, resume, jobs))


@dataclass(frozen=True)
class Job:
    """What a command was asked to do with each page."""

    extractor: Extractor
    wanted: Output
    output: Path | None
    resume: bool
    jobs: int | None

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
        queue = _remembered(found, behind)
        for answer in self._many(queue, self.jobs):
            page = behind.popleft()
            yield page, _unread(page) if page.problem else answer

    def _many(self, pages: Iterable[Source], jobs: int | None) -> Iterator[Result]:
        wanted = self.wanted
        beside = wanted.beside.method if wanted.beside else None
        return self.extractor.extract_many(
            pages, format=wanted.format, every=wanted.every, look=wanted.look, beside=beside, jobs=jobs
        )

    def _result(self, page: Found) -> Result:
        if len(page.data) > SMALL:
            return next(self._many([_source(page)], 1))
        try:
            return Result(page.url, *rendered((self.extractor, self.wanted), _source(page)))
        except Exception as error:  # told as a worker process would tell it
            return Result(page.url, "", f"failed: {type(error).__name__}: {error}", failed=True)


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
        return cls(job.output, formats.by_name(job.wanted.format).SUFFIX, set(map(_key, places)))

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


def _run(pages: list[str] | None, job: Job) -> None:
    if not pages and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("no pages given; name files or addresses, or send a page to standard input")
    places = sources.find(pages or ["-"])
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

    def wanted(name: str) -> bool:
        done = folder is not None and folder.claim(name).exists() and job.resume
        counts["left out"] += done
        return not done

    found = sources.read(places, job.extractor.limits, wanted)
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
        progress.print(_json_line(page, result, job.wanted.format))
    elif not problem:
        progress.print(_with_file(page, result.output) if job.wanted.format == "json" else result.output)
    if problem or result.reason:
        progress.complain(f"{page.name}: {problem or result.reason}")
    # Without its details, so that pages with the same trouble are counted together.
    return problem.partition(";")[0].partition(":")[0] or "done"


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


def _remembered(found: Iterator[Found], behind: deque[Found]) -> Iterator[Source]:
    for page in found:
        behind.append(page)
        yield _source(page)


def _source(page: Found) -> Source:
    return Source(page.data, page.url, page.charset)


def _unread(page: Found) -> Result:
    return Result(page.url, "", page.problem, failed=True)


def _key(path: str | Path) -> str:
    """Return what two paths share that mean one file, also where capitals make no difference."""
    return str(Path(path).resolve()).casefold()


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
