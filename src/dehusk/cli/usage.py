"""Usage errors: what the parser of the command line complains about, in our words."""

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

NO_COMMAND: Final = re.compile(r"No such command '(.*?)'\.", re.DOTALL)
# How click describes what a number should be, and how people would.
RANGES: Final = (
    (re.compile(r"in the range x>=(\S+)"), r"at least \1"),
    (re.compile(r"in the range (\S+)<=x<=(\S+)"), r"between \1 and \2"),
    (re.compile(r"a valid integer(?: range)?"), "a whole number"),
    (re.compile(r"a valid float(?: range)?"), "a number"),
)
LIKE_A_PAGE: Final = re.compile(r"https?://|.*\.(?:x?html?|jsonl)(?:\.\w+)?\Z|-\Z", re.IGNORECASE)


def in_our_words(error: click.ClickException) -> str:
    """Return what was found, what was expected and where to read more."""
    context = getattr(error, "ctx", None)
    more = f"see `{context.command_path} -h`" if context else "see `dehusk -h`"
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    match error:
        case click.NoSuchOption():
            names = " or ".join(get_close_matches(error.option_name, error.possibilities or (), cutoff=0.75))
            message, more = f"no option is called {error.option_name!r}", f"did you mean {names}?" if names else more
        case click.MissingParameter():
            message = f"{_name(error.param)} is missing"
        case click.BadParameter():
            message = wrong_value(error, _name(error.param))
        case click.BadOptionUsage():
            message = re.sub(r"^option '(.*)' requires an argument", r"\1 needs a value", message)
            more = "see `-h`"  # click does not say of which command
        case _ if (found := NO_COMMAND.match(error.message)) and context:
            message, more = f"no command is called {found[1]!r}", _commands_like(found[1], context)
    return f"{message}; {more}"


def wrong_value(error: click.BadParameter, name: str) -> str:
    """Return what is wrong with the value of an option of that name, or of a key in a file.

    >>> wrong_value(click.BadParameter("0 is not in the range x>=1."), "--jobs")
    '--jobs: 0 is not at least 1'
    """
    message = error.message.rstrip(".")
    for pattern, words in RANGES:
        message = pattern.sub(words, message)
    return f"{name}: {message}"


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
