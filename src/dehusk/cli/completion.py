"""dehusk completion: what a shell needs to complete commands, options and their values."""

import os
from enum import StrEnum
from typing import Annotated

import click
from click.shell_completion import get_completion_class

from dehusk.cli.commands import Argument
from dehusk.errors import UsageError

VARIABLE = "_DEHUSK_COMPLETE"  # by which a shell asks click for completions


class Shell(StrEnum):
    """The shells that click supports."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def completion(shell: Annotated[Shell | None, Argument("SHELL")] = None) -> None:
    """Print a script with which the shell completes dehusk's commands, options and their values.

    SHELL is bash, zsh or fish; by default it is the one that you use.

    \b
      eval "$(dehusk completion)"                    # in ~/.bashrc or ~/.zshrc
      dehusk completion fish > ~/.config/fish/completions/dehusk.fish
    """
    name = shell or os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119
    kind = get_completion_class(name)
    if kind is None:
        raise UsageError(f"completion is for {', '.join(Shell)}, not for {name!r}; name one of them", setting="shell")
    click.echo(kind(click.get_current_context().find_root().command, {}, "dehusk", VARIABLE).source())
