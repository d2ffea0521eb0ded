"""dehusk perplexity: how unlikely the sentences of texts are."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dehusk.batch import Job
from dehusk.cli.batch import Delivery, Folder, Jobs, Resume, run
from dehusk.cli.extract import Input
from dehusk.errors import UsageError
from dehusk.page import Source
from dehusk.sources import URL

Texts = Annotated[list[str] | None, typer.Argument(metavar="TEXT", show_default=False, hidden=True)]
Model = Annotated[
    str | None, typer.Option(metavar="NAME", help="Language model, or its folder  [default: by the text's language]")
]
Kind = Annotated[Input, typer.Option("--input", help="Plain text, or HTML")]


class Format(StrEnum):
    """How perplexities are written."""

    text = "text"
    json = "json"


FormatName = Annotated[Format, typer.Option("--format", help="One line per sentence, or one JSON object per text")]


def perplexity(
    texts: Texts = None,
    model: Model = None,
    input: Kind = Input.text,
    format: FormatName = Format.text,
    output: Folder = None,
    resume: Resume = False,
    jobs: Jobs = None,
) -> None:
    """Print the perplexity of every sentence of texts: how unlikely a language model finds it.

    TEXT is a file, a folder, a pattern, a URL or, in quotation marks, the words themselves; none, or -, means standard
    input. A line has the perplexity, + if the method pyplexity would keep the sentence, and the sentence, coloured from
    green to red on a terminal.

    \b
      dehusk perplexity "This is normal text."
      dehusk perplexity --format json --output scores texts/
    """
    from dehusk.perplexity import OutputOptions, find, score_source

    if model is not None:
        find(model)  # a wrong name is an error here, not in every worker
    options = OutputOptions(model, format, format is Format.text and output is None and _colourful())
    suffix = ".txt" if format is Format.text else ".json"
    delivery = Delivery(format, suffix, output, resume, titled=format is Format.text)
    if words := _words(texts):
        if output:
            raise UsageError("--output is for files and folders; leave it out to score words")
        text, reason, failed = score_source(options, Source(words, plain=input is Input.text))
        if failed:
            raise UsageError(reason)
        typer.echo(text, color=True)
    else:
        run(texts, Job((score_source.__module__, score_source.__name__, options), jobs, input is Input.text), delivery)


def _words(texts: list[str] | None) -> str:
    """Return the argument if it is itself the text to score: words separated by white space, and no file's name."""
    given = texts[0] if texts and len(texts) == 1 else ""
    pattern = "/" in given and any(sign in given for sign in "*?[")
    if len(given.split()) < 2 or pattern or URL.match(given):
        return ""
    try:
        return "" if Path(given).exists() else given
    except OSError:  # too long for a file's name
        return given


def _colourful() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
