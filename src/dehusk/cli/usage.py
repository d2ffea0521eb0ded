"""Usage errors: what the parser of the command line complains about, as dehusk words its messages."""

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

LIKE_A_PAGE: Final = re.compile(r"https?://|.*\.(?:x?html?|jsonl)(?:\.\w+)?\Z|-\Z", re.IGNORECASE)


def usage_message(error: click.ClickException) -> str:
    """Return what was given, what was expected and where to read more."""
    context = getattr(error, "ctx", None)
    more = f"see `{context.command_path} -h`" if context else "see `dehusk -h`"
    match error:
        case click.NoSuchOption():
            names = " or ".join(get_close_matches(error.option_name, error.possibilities or (), cutoff=0.75))
            message, more = f"no option is called {error.option_name!r}", f"did you mean {names}?" if names else more
        case click.NoSuchCommand() if context:
            message, more = f"no command is called {error.command_name!r}", _commands_like(error.command_name, context)
        case click.MissingParameter():
            message = f"{_name(error.param)} is missing"
        case click.BadParameter():
            message = f"{_name(error.param)}: {sentence(error)}"
        case click.BadOptionUsage() if context:
            flags = (each for each in context.command.params if isinstance(each, click.Option) and each.is_flag)
            is_flag = any(error.option_name in (*each.opts, *each.secondary_opts) for each in flags)
            message = f"{error.option_name} {'takes no' if is_flag else 'needs a'} value"
        case _:
            message = sentence(error)
    return f"{message}; {more}"


def sentence(error: click.ClickException) -> str:
    """Return the message of an error as a part of a sentence."""
    return f"{error.message[:1].lower()}{error.message[1:]}".rstrip(".")


def _name(parameter: click.Parameter | None) -> str:
    if parameter is None:
        return "an option"
    if isinstance(parameter, click.Argument):
        return (parameter.metavar or parameter.human_readable_name).strip("[].")
    return max(parameter.opts, key=len)


def _commands_like(name: str, context: click.Context) -> str:
    """Return what the user may have meant: a command of a similar name, or `extract` if it is the name of a page."""
    assert isinstance(context.command, click.Group)
    commands = context.command.list_commands(context)
    if "extract" in commands and (LIKE_A_PAGE.match(name) or Path(name[:255]).exists()):
        return f"did you mean `dehusk extract {name}`?"
    if close := get_close_matches(name, commands):
        return f"did you mean {close[0]}?"
    return f"there are {', '.join(commands)}"
