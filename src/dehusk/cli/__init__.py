"""The command line: one file per command; each parses, calls the library and prints."""

import atexit
import gc
import io
import os
import sys
from typing import Final, NoReturn

import click

from dehusk import __version__
from dehusk.cli.commands import CommandGroup
from dehusk.cli.defaults import Defaults
from dehusk.cli.terminal import print_message
from dehusk.cli.usage import usage_message
from dehusk.errors import DehuskError

ABOUT: Final = """The text that people came for, from any web page.

dehusk scores every block of a page between 0 (main text) and 1 (menus, ads, footers: boilerplate).
"""
DEFAULTS: Final = (
    "Defaults of options come from dehusk.toml, or [tool.dehusk] in pyproject.toml, here or in a folder above."
)


@click.pass_context
def _set_defaults(context: click.Context) -> None:
    context.default_map = context.ensure_object(Defaults).read(context)


def command_line() -> CommandGroup:
    """Return all commands, made afresh: reading the defaults changes them."""
    commands: dict[str, str | CommandGroup | tuple[str, dict[str, str]]] = {
        "extract": "extract:extract",
        "annotate": "extract:annotate",
        "corpus": ("corpus:corpus", {"report": "corpus:report"}),
        "strip": "strip:strip",
        "perplexity": "perplexity:perplexity",
        "demo": "demo:demo",
        "models": "models:models",
        "serve": "serve:serve",
        "mcp": "mcp:mcp",
        "evaluate": "evaluate:evaluate",
        "compare": "evaluate:compare",
        "train": CommandGroup(
            "train",
            {
                **{name: f"train:{name}" for name in ("kernel", "texrex", "ncleaner", "lm", "badness")},
                "boilernet": "train_boilernet:boilernet",
                "fiasco": "train_fiasco:fiasco",
            },
            short_help="Train a method on pages with gold text",
            help="Train a method on pages with gold text.",
        ),
        "completion": "completion:completion",
    }
    group = CommandGroup("dehusk", commands, help=ABOUT, epilog=DEFAULTS, callback=_set_defaults)
    version = click.version_option(
        __version__, "--version", "-V", message="dehusk %(version)s", help="Print the version"
    )
    return version(group)


def main() -> None:
    """Run the command line; a user error ends with a message and status 2, never with a traceback."""
    if "train" not in sys.argv:
        # A page is too small to share between cores, and numpy starts a thread per core when it is imported.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What is imported stays until the program ends: to look for garbage in it, most of all when Python ends, takes a
    # tenth of the time of a short run.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    _prepare_streams()
    try:
        status = command_line()(prog_name="dehusk", standalone_mode=False, obj=Defaults())
    except click.Abort:
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except click.ClickException as error:
        _fail(usage_message(error))
    except DehuskError as error:
        _fail(" ".join([str(error), *(f"({note})" for note in getattr(error, "__notes__", ()))]))
    sys.exit(status or 0)


def _prepare_streams() -> None:
    _fill_closed_files()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        # PYTHONUNBUFFERED is set. Without a buffer, Python loses the rest of a text whose writing a signal interrupts.
        file = sys.stdout.fileno()
        sys.stdout = open(file, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115


def _fill_closed_files() -> None:
    """Open what the shell closed, as `2>&-` does: a page or a pipe would get its number, and errors its content.

    Only standard error is replaced: without the others there is nothing to read, or nothing to print to.
    """
    while (file := os.open(os.devnull, os.O_RDWR)) <= 2:  # the lowest number that is free
        pass
    os.close(file)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115


def _fail(message: str) -> NoReturn:
    print_message(message)
    sys.exit(2)
