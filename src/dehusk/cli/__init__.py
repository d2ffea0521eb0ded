"""The command line: one file per command; each parses, calls the library and prints."""

import sys
from typing import Annotated, Final, NoReturn

import typer

from dehusk import __version__
from dehusk.cli import demo, evaluate, extract, models, perplexity, strip, train
from dehusk.cli.defaults import Defaults
from dehusk.cli.usage import PARSER_ERROR, help_instead, in_our_words
from dehusk.errors import DehuskError

STATUS: Final = "Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage."

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 110, "help_option_names": ["-h", "--help"]},
    epilog="Defaults of options come from dehusk.toml, or [tool.dehusk] in pyproject.toml, here or in a folder above.",
)
app.command("extract", epilog=STATUS)(extract.extract)
app.command("annotate", epilog=STATUS, short_help="Print every block of HTML pages with its score.")(extract.annotate)
app.command("strip", epilog=STATUS, short_help="Print all text of HTML pages, without tags.")(strip.strip)
app.command("perplexity", epilog=STATUS, short_help="Print how unlikely each sentence of a text is.")(
    perplexity.perplexity
)
app.command("demo")(demo.demo)
app.command("models")(models.models)
app.command("evaluate")(evaluate.evaluate)
app.command("compare", short_help="Measure our methods and the other tools installed.")(evaluate.compare)
app.add_typer(train.app, name="train")


def _version(value: bool) -> None:
    if value:
        typer.echo(f"dehusk {__version__}")
        raise typer.Exit


@app.callback()
def about(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version")
    ] = False,
) -> None:
    """The text that people came for, from any web page.

    dehusk scores every block of a page between 0 (main text) and 1 (menus, ads, footers: boilerplate).
    """
    context.default_map = context.ensure_object(Defaults).read(context.command)


def main() -> None:
    """Run the command line; a user error ends with a message and status 2, never with a traceback."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="replace")
    defaults = Defaults()
    try:
        status = app(prog_name="dehusk", standalone_mode=False, obj=defaults)
    except typer.Abort:
        sys.exit(130)
    except PARSER_ERROR as error:
        if text := help_instead(error):
            typer.echo(text)
            sys.exit(0)
        _fail(in_our_words(error))
    except DehuskError as error:
        _fail(f"{error}{defaults.behind(str(error))}")
    sys.exit(status or 0)


def _fail(message: str) -> NoReturn:
    typer.echo(f"dehusk: {message}", err=True)
    sys.exit(2)
