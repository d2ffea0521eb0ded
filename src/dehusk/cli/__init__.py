"""The command line: one file per command; each parses, calls the library and prints."""

import sys
from typing import Annotated, Final

import typer

from dehusk import __version__
from dehusk.cli import evaluate, extract, models, perplexity, strip, train
from dehusk.errors import DehuskError

STATUS: Final = "Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage."

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 110},
)
app.command("extract", epilog=STATUS)(extract.extract)
app.command("annotate", epilog=STATUS)(extract.annotate)
app.command("strip", epilog=STATUS)(strip.strip)
app.command("perplexity", epilog=STATUS)(perplexity.perplexity)
app.command("models")(models.models)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(evaluate.compare)
app.add_typer(train.app, name="train")


def _version(value: bool) -> None:
    if value:
        typer.echo(f"dehusk {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version")
    ] = False,
) -> None:
    """The text that people came for, from any web page.

    dehusk scores every block of a page between 0 (main text) and 1 (menus, ads, footers: boilerplate).
    """


def main() -> None:
    """Run the command line; a user error ends with a message and status 2, never with a traceback."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="replace")
    try:
        app(prog_name="dehusk")
    except DehuskError as error:
        typer.echo(f"dehusk: {error}", err=True)
        sys.exit(2)
