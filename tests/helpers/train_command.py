"""Runs `dehusk train` within the test's process."""

from click.testing import CliRunner, Result

from dehusk.cli import command_line
from dehusk.errors import DehuskError


def train(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(command_line(), ["train", *arguments])


def message(result: Result) -> str:
    """Return the message of the error that the command ended with."""
    assert isinstance(result.exception, DehuskError), result.output
    return str(result.exception)
