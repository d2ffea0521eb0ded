"""Usage errors: what the parser of the command line complains about, in our words."""

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import typer

# The class of all errors of the parser, whichever package typer takes it from.
PARSER_ERROR: Final[type[Exception]] = typer.BadParameter.__mro__[2]
NO_COMMAND: Final = re.compile(r"No such command '(.*?)'\.", re.DOTALL)
LIKE_A_PAGE: Final = re.compile(r"https?://|.*\.(?:x?html?|jsonl)(?:\.\w+)?\Z|-\Z", re.IGNORECASE)


def help_instead(error: Any) -> str:
    """Return the help to print if nothing was given; '' if the error is one."""
    return str(error.format_message()) if type(error).__name__ == "NoArgsIsHelpError" else ""


def in_our_words(error: Any) -> str:
    """Return what was found, what was expected and where to read more."""
    context = getattr(error, "ctx", None)
    more = f"see `{context.command_path} -h`" if context else "see `dehusk -h`"
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    match type(error).__name__:
        case "NoSuchOption":
            names = " or ".join(get_close_matches(error.option_name, error.possibilities or (), cutoff=0.75))
            message, more = f"no option is called {error.option_name!r}", f"did you mean {names}?" if names else more
        case "MissingParameter":
            message = f"{_name(error.param)} is missing"
        case "BadParameter":
            message = wrong_value(error, _name(error.param))
        case "BadOptionUsage":
            message = re.sub(r"^option '(.*)' requires an argument", r"\1 needs a value", message)
            more = "see `-h`"
        case _ if found := NO_COMMAND.match(error.message):
            message, more = f"no command is called {found[1]!r}", _commands_like(found[1], context)
    return f"{message}; {more}"


def wrong_value(error: Any, name: str) -> str:
    """Return what is wrong with the value of an option of that name, or of a key in a file."""
    message = error.message.removeprefix("Value error, ").partition(", unable to")[0].rstrip(".")
    expected = message.removeprefix("Input should be ")
    if expected == message:
        return f"{name}: {message}"
    found = error.__cause__.errors()[0]["input"]  # the parser's own message leaves it out
    return f"{name} should be {expected}, got {found!r}"


def _name(parameter: Any) -> str:
    if parameter is None:
        return "an option"
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    return str(max(parameter.opts, key=len))


def _commands_like(name: str, context: Any) -> str:
    """Return what the user may have meant: a command of a similar name, or `extract` if it is the name of a page."""
    commands = list(context.command.commands)
    if "extract" in commands and (LIKE_A_PAGE.match(name) or Path(name[:255]).exists()):
        return f"did you mean `dehusk extract {name}`?"
    if close := get_close_matches(name, commands):
        return f"did you mean {close[0]}?"
    return f"there are {', '.join(commands)}"
