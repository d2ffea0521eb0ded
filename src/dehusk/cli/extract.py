"""dehusk extract and dehusk annotate: pages in, the kept text or every block out."""

import json
import sys
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dehusk import formats, sources
from dehusk.cli.progress import Progress
from dehusk.errors import UsageError
from dehusk.extractor import FAVOUR, Extractor, Result, Source, rendered
from dehusk.models.registry import DEFAULT
from dehusk.sources import Found


class Favour(StrEnum):
    """Which mistake is worse: text lost, or boilerplate kept."""

    precision = "precision"
    recall = "recall"


Pages = Annotated[list[str] | None, typer.Argument(metavar="[PAGE]...", show_default=False)]
MethodName = Annotated[
    str, typer.Option("--method", metavar="NAME", help="Method that scores the blocks (see `dehusk models`)")
]
Threshold = Annotated[
    float | None, typer.Option(metavar="T", help="Keep blocks that score below T, from 0 to 1  [default: 0.5]")
]
Favoured = Annotated[Favour | None, typer.Option(help="Lose no text (recall) or keep no boilerplate (precision)")]
FormatName = Annotated[str, typer.Option("--format", metavar="FORMAT", help=f"One of: {', '.join(formats.names())}")]
Output = Annotated[Path | None, typer.Option(metavar="DIR", help="Write a file a page into DIR instead of printing")]
Resume = Annotated[bool, typer.Option("--resume", help="With --output: leave out pages whose file is there already")]
Jobs = Annotated[int | None, typer.Option(metavar="N", min=1, help="Worker processes  [default: one a core]")]


def extract(
    pages: Pages = None,
    method: MethodName = DEFAULT,
    threshold: Threshold = None,
    favour: Favoured = None,
    format: FormatName = "text",
    output: Output = None,
    resume: Resume = False,
    jobs: Jobs = None,
) -> None:
    """Print the main text of HTML pages.

    PAGE is a file, a folder, a pattern or an http address; none means standard input. JSON lines with the fields
    "html" and "url" (files that end in .jsonl, or standard input that begins with a brace) come out as JSON lines.

    \b
      curl -s https://example.org | dehusk extract
      dehusk extract --output clean --jobs 4 pages/

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    _run(pages, Job(Extractor(method, _threshold(threshold, favour)), format, False, output, resume, jobs))


def annotate(
    pages: Pages = None,
    method: MethodName = DEFAULT,
    threshold: Threshold = None,
    favour: Favoured = None,
    format: FormatName = "text",
    output: Output = None,
    resume: Resume = False,
    jobs: Jobs = None,
) -> None:
    """Print every block of HTML pages with its score; nothing is left out.

    As text, a line a block: its letter from a (main text) to j (boilerplate), its score, + if it would be kept, its
    kind and its text. PAGE is a file, a folder, a pattern or an http address; none means standard input.

    \b
      dehusk annotate --method bte page.html
      dehusk annotate --format json pages/*.html > blocks.jsonl

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    _run(pages, Job(Extractor(method, _threshold(threshold, favour)), format, True, output, resume, jobs))


@dataclass(frozen=True)
class Job:
    """What a command was asked to do with each page."""

    extractor: Extractor
    format: str
    every: bool
    output: Path | None
    resume: bool
    jobs: int | None
    counts: Counter[str] = field(default_factory=Counter)

    def results(self, found: Iterator[Found], *, many: bool) -> Iterator[tuple[Found, Result]]:
        """Yield each page with what became of it, in order; a single page needs no other process."""
        if not many:
            for page in found:
                yield page, _unread(page) if page.problem else Result(page.url, *rendered(self._setup, _source(page)))
            return
        # What could not be read goes through as an empty page, so that the order holds without a second queue.
        behind: deque[Found] = deque()
        queue = _remembered(found, behind)
        for answer in self.extractor.extract_many(queue, format=self.format, every=self.every, jobs=self.jobs):
            page = behind.popleft()
            yield page, _unread(page) if page.problem else answer

    @property
    def _setup(self) -> tuple[Extractor, str, bool]:
        return self.extractor, self.format, self.every

    def target(self, page: Found) -> Path | None:
        """Return the file for the output of a page."""
        if self.output is None:
            return None
        return self.output / (sources.output_name(page.name) + formats.by_name(self.format).SUFFIX)


def _run(pages: list[str] | None, job: Job) -> None:
    if job.resume and job.output is None:
        raise UsageError("--resume needs --output DIR: without it there is nothing to go on from")
    formats.by_name(job.format)
    if job.extractor.threshold < 0 or job.extractor.threshold > 1:
        raise UsageError(f"--threshold must lie between 0 and 1, got {job.extractor.threshold}")
    if not pages and sys.stdin.isatty():
        raise UsageError("no pages given; name files or addresses, or send a page to standard input")
    limits = job.extractor.limits
    places = list(sources.find(pages or ["-"]))
    many = len(places) > 1 or sources.holds_lines(places[0])
    found = (page for page in sources.read(places, limits) if not _done_before(job, page))
    with Progress(len(places) if many else 1) as progress:
        for page, result in job.results(found, many=many):
            progress.advance()
            _deliver(job, page, result, progress)
        progress.finish(job.counts)
    if job.counts.total() > job.counts["done"] + job.counts["left out"]:
        raise typer.Exit(1)


def _done_before(job: Job, page: Found) -> bool:
    target = job.target(page)
    done = job.resume and target is not None and target.exists()
    job.counts["left out"] += done
    return done


def _deliver(job: Job, page: Found, result: Result, progress: Progress) -> None:
    """Write or print what became of a page, and count it."""
    if result.failed:
        job.counts[result.reason] += 1
        progress.complain(f"{page.name}: {result.reason}")
        if page.fields is None:
            return
    else:
        job.counts["done"] += 1
        if result.reason:
            progress.complain(f"{page.name}: {result.reason}")
    target = job.target(page)
    text = result.output if page.fields is None or target else _json_line(page, result, job.format)
    if target is None:
        progress.print(text)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text + "\n", encoding="utf-8")


def _json_line(page: Found, result: Result, format: str) -> str:
    """Return the line that came in with the output in place of the html."""
    fields = page.fields or {}
    if format == "json" and not result.failed:
        return json.dumps({**fields, **json.loads(result.output)}, ensure_ascii=False)
    return json.dumps({**fields, format: result.output, "reason": result.reason}, ensure_ascii=False)


def _remembered(found: Iterator[Found], behind: deque[Found]) -> Iterator[Source]:
    for page in found:
        behind.append(page)
        yield _source(page)


def _source(page: Found) -> Source:
    return Source(page.data, page.url, page.charset)


def _unread(page: Found) -> Result:
    return Result(page.url, "", page.problem, failed=True)


def _threshold(threshold: float | None, favour: Favour | None) -> float:
    if threshold is not None and favour is not None:
        raise UsageError("--threshold and --favour both set the threshold; give one of them")
    return FAVOUR[favour] if favour else 0.5 if threshold is None else threshold
