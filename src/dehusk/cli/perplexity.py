"""dehusk perplexity: how unlikely the sentences of texts are."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from dehusk.cli.commands import Argument, Option
from dehusk.cli.options import AllowPrivate, Input, Jobs, Output, Quiet, Request, Resume, Verbose
from dehusk.cli.terminal import harmless
from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.perplexity import OutputOptions

Texts = Annotated[list[str] | None, Argument("TEXT")]
Model = Annotated[
    str | None, Option(metavar="NAME", help="Language model, or its folder  [default: by the text's language]")
]
Kind = Annotated[Input, Option("--input", help="Plain text, or HTML")]


class Format(StrEnum):
    """How perplexities are written."""

    text = "text"
    json = "json"


FormatName = Annotated[
    Format | None,
    Option(
        "--format",
        "-f",
        help="One line per sentence, or one JSON object per text  [default: by the suffix of --output, else text]",
    ),
]


def perplexity(
    texts: Texts = None,
    model: Model = None,
    input: Kind = Input.text,
    allow_private: AllowPrivate = False,
    format: FormatName = None,
    output: Output = None,
    resume: Resume = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Print the perplexity of every sentence of texts: how unlikely a language model finds it.

    TEXT is a file, a folder, a pattern, a URL or, in quotation marks, the words themselves; none, or -, means standard
    input. A line has the perplexity, + if the method pyplexity would keep the sentence, and the sentence, coloured from
    green to red on a terminal.

    \b
      dehusk perplexity "This is normal text."
      dehusk perplexity --format json --output scores texts/

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    from dehusk.perplexity import OutputOptions, find, score_source

    request = Request(texts, output, resume, jobs, quiet, verbose, input is Input.text, private=allow_private)
    if model is not None:
        find(model)  # a wrong name is an error here, not in every worker
    if words := _words(texts):
        _score_words(words, OutputOptions(model, format or Format.text, _colourful()), request)
        return
    from dehusk.cli.batch import Batch

    batch = Batch.of(request)
    name = format or Format(batch.format if batch.format in set(Format) else Format.text)
    options = OutputOptions(model, name, name is Format.text and request.folder is None and _colourful())
    setup = score_source.__module__, score_source.__name__, options
    batch.process(setup, name, ".txt" if name is Format.text else ".json")


def _score_words(words: str, options: "OutputOptions", request: Request) -> None:
    from dehusk import forked
    from dehusk.config import Limits
    from dehusk.page import Source
    from dehusk.perplexity import score_source

    if request.folder:
        raise UsageError("--output is for files and folders; leave it out to score words")
    setup = score_source.__module__, score_source.__name__, options
    found = forked.run(setup, Source(words, plain=request.plain), Limits())
    text, reason, failed = ("", found, True) if isinstance(found, str) else found
    if failed:
        raise UsageError(reason)
    click.echo(harmless(text) if sys.stdout and sys.stdout.isatty() else text, color=True)


def _words(texts: list[str] | None) -> str:
    """Return the argument if it is itself the text to score: words separated by white space, and no file's name."""
    from dehusk.sources import URL

    given = texts[0] if texts and len(texts) == 1 else ""
    pattern = "/" in given and any(sign in given for sign in "*?[")
    if len(given.split()) < 2 or pattern or URL.match(given):
        return ""
    try:
        return "" if Path(given).exists() else given
    except OSError:  # too long for a file's name
        return given


def _colourful() -> bool:
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
