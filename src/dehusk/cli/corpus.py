"""dehusk corpus: from the files of a crawl to a corpus; and a report on one."""

import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from dehusk.cli.commands import Argument, Option
from dehusk.cli.options import Archives, Jobs, Silent, method_names
from dehusk.cli.terminal import harmless_message
from dehusk.errors import UsageError
from dehusk.extras import require

if TYPE_CHECKING:
    from dehusk.corpus.build import Status
    from dehusk.corpus.settings import Settings


@dataclass(frozen=True)
class CorpusOptions:
    """The options of `dehusk corpus`, in the order of its help."""

    inputs: Annotated[list[str], Argument("INPUT", complete=lambda: ["report"])]
    output: Annotated[Path | None, Option("--output", "-o", metavar="DIR", help="A new folder for the corpus")] = None
    config: Annotated[
        Path | None,
        Option("--config", "-c", metavar="FILE", help="Settings in TOML; those used are written beside the corpus"),
    ] = None
    format: Annotated[
        str | None,
        Option("--format", "-f", metavar="FORMAT", help="parquet, jsonl, dolma, xml, text or wet  [default: parquet]"),
    ] = None
    method: Annotated[
        str | None,
        Option(
            "--method",
            "-m",
            metavar="NAME",
            complete=method_names,
            help="Method that scores the blocks  [default: kernel]",
        ),
    ] = None
    language: Annotated[
        list[str] | None, Option("--language", "-l", metavar="CODE", help="Mark all other languages; may be repeated")
    ] = None
    drop: Annotated[bool, Option(help="Leave out what was rejected, instead of marking it")] = False
    trace: Annotated[bool, Option(help="Add each block's position in the page source")] = False
    earlier: Annotated[
        list[str] | None, Option(metavar="DIR", help="An earlier corpus; mark what is in it. May be repeated")
    ] = None
    archives: Archives = None
    resume: Annotated[bool, Option(help="Resume an interrupted run")] = False
    engine: Annotated[str, Option(metavar="NAME", help="local or ray (a cluster)")] = "local"
    address: Annotated[
        str | None, Option(metavar="ADDRESS", help="Address of the Ray cluster  [default: start one on this machine]")
    ] = None
    jobs: Jobs = None
    quiet: Silent = False


def corpus(options: CorpusOptions) -> None:
    """Build a corpus from the files of a crawl, or report on one.

    INPUT is a WARC, WET, ARC or WACZ file, a CDX index, a Parquet file or JSON lines with the pages in "html", an HTML
    file, a folder of these, a pattern, an address such as s3://bucket/crawl/*.warc.gz, or "-" for standard input, which
    is saved before it is read. Every record becomes a row: what a step rejects (other types, other languages, bad text,
    duplicates) is marked with its reason. An input that is called report is written ./report.

    \b
      dehusk corpus crawl/*.warc.gz --output corpus
      dehusk corpus crawl/*.warc.gz --output corpus --resume
      dehusk corpus crawl/*.warc.gz --output corpus --engine ray --address auto
      dehusk corpus report corpus

    Exit status: 0 the corpus is complete, 1 something of an input could not be read, which the manifest lists, 2 there
    is no corpus, or nothing in it but errors; the message says why.
    """
    if options.output is None:
        raise UsageError("no folder for the corpus; name one with --output DIR", setting="output")
    cluster = _cluster(options.engine, options.address)
    require("building a corpus", "pyarrow", *(["ray"] if cluster else []))
    from dehusk import sources
    from dehusk.corpus.accounts import exit_status, losses
    from dehusk.corpus.build import build
    from dehusk.sources.reach import check_bases

    settings = _settings(options)
    check_bases(settings.records.archives)
    with Display(quiet=options.quiet) as display:
        locations = sources.find(options.inputs)
        try:
            manifest = build(
                locations, options.output, settings, jobs=options.jobs, resume=options.resume, listener=display.show,
                cluster=cluster,
            )  # fmt: skip
        except KeyboardInterrupt:
            click.echo("dehusk: interrupted; run again with --resume to continue", err=True)
            raise click.exceptions.Exit(130) from None
    if not options.quiet:
        records, rejected = manifest["records"], Counter(manifest["rejected"])
        counted = f"{records:,} record{'s' * (records != 1)}: {manifest['kept']:,} kept, {rejected.total():,} rejected"
        codes = _counted_codes(rejected.most_common())
        line = "; ".join([f"{counted} ({codes})" if codes else counted, *losses(manifest)])
        click.echo(harmless_message(f"dehusk: {line}"), err=True)
    raise click.exceptions.Exit(exit_status(manifest))


def report(folder: Annotated[Path, Argument("DIR")]) -> None:
    """Write a page about a finished corpus: what was kept, what was rejected and why.

    DIR is the folder of the corpus; report.html is written into it.

    \b
      dehusk corpus report corpus

    Exit status: 0 it was written, 2 it was not; the message says why.
    """
    require("reporting on a corpus", "pyarrow", "jinja2")
    from dehusk.corpus.report import write_report

    click.echo(str(write_report(folder)))


def _cluster(engine: str, address: str | None) -> str | None:
    """Return the address of the cluster to use; None if there is to be none."""
    if engine not in ("local", "ray"):
        raise UsageError(f"unknown engine {engine!r}; expected local or ray", setting="engine")
    if engine == "local":
        if address is not None:
            raise UsageError("--address is for a Ray cluster; add --engine ray", setting="address")
        return None
    return address or "local"


def _settings(options: CorpusOptions) -> "Settings":
    """Return the settings of the file, if there is one, with those of the command line on top."""
    from dehusk.corpus.settings import Settings

    settings = Settings.read(options.config) if options.config else Settings()
    output, extraction, language, duplicates, records = (
        settings.output, settings.extraction, settings.language, settings.duplicates, settings.records
    )  # fmt: skip
    return replace(
        settings,
        output=replace(output, format=options.format or output.format, drop=options.drop or output.drop),
        extraction=replace(
            extraction, method=options.method or extraction.method, trace=options.trace or extraction.trace
        ),
        language=replace(language, keep=tuple(options.language or language.keep)),
        records=replace(records, archives=tuple(options.archives or records.archives)),
        duplicates=replace(duplicates, earlier=tuple(options.earlier or duplicates.earlier)),
    )


def _counted_codes(counts: list[tuple[str, int]]) -> str:
    return ", ".join(f"{code.replace('-', ' ')}: {count:,}" for code, count in counts)


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
            f"{documents:,} record{'s' * (documents != 1)}",
            f"{status.bytes / 1e6:,.0f} MB",
            f"{rate:,.0f}/s",
            f"{status.counts['kept']:,} kept",
            _counted_codes([each for each in status.counts.most_common(4) if each[0] != "kept"]),
            left if status.step == "parts" else "",
        ]
        line = harmless_message(" · ".join(part for part in parts if part))
        sys.stderr.write(f"\r\x1b[K{line[:200]}")
        sys.stderr.flush()
