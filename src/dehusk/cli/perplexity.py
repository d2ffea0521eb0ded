"""dehusk perplexity: how unlikely the sentences of texts are."""

import os
import re
import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import click

from dehusk.cli.commands import Argument, Option
from dehusk.cli.options import AllowPrivate, Archives, BatchRequest, InputFormat, RunOptions
from dehusk.cli.terminal import harmless
from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.perplexity import OutputOptions


SUFFIX: Final = re.compile(r"\w\.\w{1,5}$")


class PerplexityFormat(StrEnum):
    """How perplexities are written."""

    text = "text"
    json = "json"


def perplexity(
    texts: Annotated[list[str] | None, Argument("TEXT")] = None,
    model: Annotated[
        str | None, Option(metavar="NAME", help="Language model, or its folder  [default: by the text's language]")
    ] = None,
    limit: Annotated[
        float | None,
        Option(
            metavar="P", help="Keep sentences below this perplexity, whatever their length  [default: the model's own]"
        ),
    ] = None,
    input: Annotated[InputFormat, Option(help="Plain text, or HTML")] = InputFormat.text,
    allow_private: AllowPrivate = False,
    archives: Archives = None,
    format: Annotated[
        PerplexityFormat | None,
        Option(
            "--format",
            "-f",
            help="One line per sentence, or one JSON object per text  [default: by the suffix of --output, else text]",
        ),
    ] = None,
    *,
    run: RunOptions,
) -> None:
    """Print the perplexity of every sentence of texts: how unlikely a language model finds it.

    TEXT is a file, a folder, a pattern, a URL or the words themselves, in quotation marks if there are several; none,
    or -, means standard input. A line has the perplexity, + if the method pyplexity would keep the sentence, and the
    sentence, coloured from green to red on a terminal.

    \b
      dehusk perplexity "This is normal text." "LINK URL COUISUDOANL" rain
      dehusk perplexity --format json --output scores texts/

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    from dehusk.perplexity import OutputOptions, score_source, scorer

    request = BatchRequest(texts, run, input is InputFormat.text, private=allow_private, archives=archives)
    scorer(model, limit)  # a wrong name or number is an error here, not in every worker
    if words := _words(texts):
        for each in words:
            _score_words(each, OutputOptions(model, limit, format or PerplexityFormat.text, _colourful()), request)
        return
    from dehusk.cli.batch import PageBatch

    batch = PageBatch.of(request)
    name = format or PerplexityFormat(batch.format if batch.format in set(PerplexityFormat) else PerplexityFormat.text)
    options = OutputOptions(
        model, limit, name, name is PerplexityFormat.text and request.run.folder is None and _colourful()
    )
    batch.process_pages(partial(score_source, options), name, ".txt" if name is PerplexityFormat.text else ".json")


def _score_words(words: str, options: "OutputOptions", request: BatchRequest) -> None:
    from dehusk import forked
    from dehusk.config import Limits
    from dehusk.page import Source
    from dehusk.perplexity import score_source
    from dehusk.reasons import Reason

    if request.run.folder:
        raise UsageError("--output is for files and folders; leave it out to score words", setting="output")
    result = forked.run(partial(score_source, options), Source(words, plain=request.plain), Limits())
    text, reason, failed = ("", result, True) if isinstance(result, Reason) else result
    if failed:
        raise UsageError(str(reason))
    click.echo(harmless(text) if sys.stdout and sys.stdout.isatty() else text, color=True)


def _words(texts: list[str] | None) -> list[str]:
    """Return the arguments if they are themselves the texts to score, and not names of files."""
    words = [each for each in texts or () if _is_text(each)]
    if words and len(words) < len(texts or ()):
        others = ", ".join(each for each in texts or () if not _is_text(each))
        raise UsageError(f"{words[0][:40]!r} is not a file; score words and files ({others}) one after the other")
    return words


def _is_text(given: str) -> bool:
    """Return whether an argument is words: no file, and nothing that is written like one."""
    from dehusk.sources import URL

    alone = len(given.split()) < 2
    pattern = (alone or "/" in given) and any(sign in given for sign in "*?[")
    like_a_file = alone and ("/" in given or "\\" in given or SUFFIX.search(given))
    if not given.strip() or given == "-" or pattern or like_a_file or URL.match(given):
        return False
    try:
        return not Path(given).exists()
    except OSError:  # too long for a file's name
        return True


def _colourful() -> bool:
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
