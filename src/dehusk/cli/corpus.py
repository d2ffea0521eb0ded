"""dehusk corpus: from the files of a crawl to a corpus; and a report on one."""

import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from dehusk.cli.commands import Argument, Option
from dehusk.cli.options import Jobs, Silent, method_names
from dehusk.cli.terminal import harmless_message
from dehusk.errors import UsageError
from dehusk.extras import require

if TYPE_CHECKING:
    from dehusk.corpus.build import Status
    from dehusk.corpus.settings import Settings

REPORT = "report"
Inputs = Annotated[list[str], Argument("INPUT")]
Output = Annotated[Path | None, Option("--output", "-o", metavar="DIR", help="A new folder for the corpus")]
Config = Annotated[
    Path | None,
    Option("--config", "-c", metavar="FILE", help="Settings in TOML; those used are written beside the corpus"),
]
Format = Annotated[
    str | None,
    Option("--format", "-f", metavar="FORMAT", help="parquet, jsonl, dolma, xml, text or wet  [default: parquet]"),
]
MethodChoice = Annotated[
    str | None,
    Option(
        "--method", "-m", metavar="NAME", complete=method_names, help="Method that scores the blocks  [default: kernel]"
    ),
]
Languages = Annotated[
    list[str] | None, Option("--language", "-l", metavar="CODE", help="Mark all other languages; may be repeated")
]
Drop = Annotated[bool, Option("--drop", help="Leave out what was rejected, instead of marking it")]
Trace = Annotated[bool, Option("--trace", help="Add the place of each block in the source of its page")]
Earlier = Annotated[
    list[str] | None,
    Option("--earlier", metavar="DIR", help="An earlier corpus; mark what is in it. May be repeated"),
]
Engine = Annotated[str, Option("--engine", metavar="NAME", help="local or ray (a cluster)")]
Address = Annotated[
    str | None,
    Option("--address", metavar="ADDRESS", help="Of the Ray cluster  [default: one that is started on this machine]"),
]
Resume = Annotated[bool, Option("--resume", help="Go on with an interrupted run")]


def corpus(
    inputs: Inputs,
    output: Output = None,
    config: Config = None,
    format: Format = None,
    method: MethodChoice = None,
    language: Languages = None,
    drop: Drop = False,
    trace: Trace = False,
    earlier: Earlier = None,
    resume: Resume = False,
    engine: Engine = "local",
    address: Address = None,
    jobs: Jobs = None,
    quiet: Silent = False,
) -> None:
    """Build a corpus from the files of a crawl; report on one.

    INPUT is a WARC or ARC file, a CDX index, a Parquet file or JSON lines with the pages in "html", an HTML file, a
    folder of these, a pattern, an address such as s3://bucket/crawl/*.warc.gz, or "-" for standard input, which is
    saved before it is read. Every record becomes a row: what a step rejects (other types, other languages, bad text,
    duplicates) is marked with its reason.

    \b
      dehusk corpus crawl/*.warc.gz --output corpus
      dehusk corpus crawl/*.warc.gz --output corpus --resume
      dehusk corpus crawl/*.warc.gz --output corpus --engine ray --address auto
      dehusk corpus report corpus

    Exit status: 0 the corpus is complete, 2 it is not; the message says why.
    """
    if inputs[0] == REPORT and output is None:
        _report(inputs[1:])
        return
    if output is None:
        raise UsageError("no folder for the corpus; name one with --output DIR")
    cluster = _cluster(engine, address)
    require("building a corpus", "pyarrow", *(["ray"] if cluster else []))
    from dehusk import sources
    from dehusk.corpus.build import build

    settings = _settings(config, format, method, language, drop, trace)
    if earlier:
        settings = replace(settings, duplicates=replace(settings.duplicates, earlier=tuple(earlier)))
    with Display(quiet=quiet) as display:
        locations = sources.find(inputs)
        try:
            manifest = build(
                locations, output, settings, jobs=jobs, resume=resume, listener=display.show, cluster=cluster
            )
        except KeyboardInterrupt:
            click.echo("dehusk: interrupted; run again with --resume to continue", err=True)
            raise click.exceptions.Exit(130) from None
    if not quiet:
        click.echo(_summary(manifest["records"], manifest["kept"], manifest["rejected"]), err=True)


def _cluster(engine: str, address: str | None) -> str | None:
    """Return the address of the cluster to use; None if there is to be none."""
    if engine not in ("local", "ray"):
        raise UsageError(f"unknown engine {engine!r}; expected local or ray")
    if engine == "local":
        if address is not None:
            raise UsageError("an address is one of a Ray cluster; add --engine ray")
        return None
    return address or "local"


def _settings(
    config: Path | None, format: str | None, method: str | None, language: list[str] | None, drop: bool, trace: bool
) -> "Settings":
    from dehusk.corpus.settings import Settings

    settings = Settings.read(config) if config else Settings()
    output, extraction, languages = settings.output, settings.extraction, settings.language
    return replace(
        settings,
        output=replace(output, format=format or output.format, drop=drop or output.drop),
        extraction=replace(extraction, method=method or extraction.method, trace=trace or extraction.trace),
        language=replace(languages, keep=tuple(language) if language else languages.keep),
    )


def _report(arguments: list[str]) -> None:
    if len(arguments) != 1:
        raise UsageError("report takes the folder of one corpus: dehusk corpus report DIR")
    require("reporting on a corpus", "pyarrow", "jinja2")
    from dehusk.corpus.report import write_report

    click.echo(str(write_report(Path(arguments[0]))))


def _summary(records: int, kept: int, rejected: dict[str, int]) -> str:
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in Counter(rejected).most_common())
    counted = f"{records:,} record{'s' * (records != 1)}: {kept:,} kept, {sum(rejected.values()):,} rejected"
    return f"dehusk: {counted} ({reasons})" if reasons else f"dehusk: {counted}"


def _duration(seconds: float) -> str:
    """Return a time in the largest unit that it has at least two of.

    >>> _duration(40), _duration(600), _duration(20_000)
    ('40 s', '10 min', '6 h')
    """
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


class Display:
    """Shows how far a run is: on a terminal in a line that changes, elsewhere not at all, since there is a log."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._began = time.monotonic()
        self._first: tuple[int, float] | None = None  # records and share of the input at the beginning

    def __enter__(self) -> "Display":
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")

    def show(self, status: "Status") -> None:
        """Show the state of a run."""
        if not self._shown:
            return
        # What an earlier run did says nothing about the speed of this one.
        documents = status.counts.total()
        self._first = self._first or (documents, status.share)
        seconds = max(time.monotonic() - self._began, 0.001)
        rate = (documents - self._first[0]) / seconds
        done = status.share - self._first[1]
        left = f"{_duration(seconds * (1 - status.share) / done)} left" if done > 0 else ""
        parts = [
            f"{status.step} {status.done:,}/{status.total:,}",
            f"{documents:,} records",
            f"{status.bytes / 1e6:,.0f} MB",
            f"{rate:,.0f}/s",
            f"{status.counts['kept']:,} kept",
            ", ".join(f"{count:,} {reason}" for reason, count in status.counts.most_common(4) if reason != "kept"),
            left if status.step == "parts" else "",
        ]
        line = harmless_message(" · ".join(part for part in parts if part))
        sys.stderr.write(f"\r\x1b[K{line[:200]}")
        sys.stderr.flush()
