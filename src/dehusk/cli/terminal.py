"""What a terminal may show of a page: text without the characters that would control it."""

import re
from typing import Final

import click

# ESC moves the cursor, renames the window or types for the user, and others of C0 and C1 may do as much. What remains
# are the colours of `dehusk perplexity`.
CONTROLS: Final = re.compile("\x1b(?!\\[(?:38;5;[0-9]{1,3}|0)m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")
# In a message also the characters that turn the direction of what comes after them, which can hide part of a name.
IN_MESSAGES: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    r"""Return text with U+FFFD for each control character except line ends and tabs.

    >>> harmless("a\x1b[2Jb\n")
    'a�[2Jb\n'
    """
    return CONTROLS.sub("\ufffd", text)


def harmless_message(text: str) -> str:
    r"""Return a message with its control characters written out.

    >>> print(harmless_message("a\x1b[2Jb\u202e.html"))
    a\x1b[2Jb\u202e.html
    """
    return IN_MESSAGES.sub(lambda match: repr(match[0])[1:-1], text)


def print_message(text: str) -> None:
    """Print a message of dehusk's own to standard error."""
    click.echo(f"dehusk: {harmless_message(text)}", err=True)
