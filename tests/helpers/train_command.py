"""Runs `dehusk train` within the test's process."""

from typer.testing import CliRunner, Result

from dehusk.cli import app
from dehusk.errors import DehuskError


def train(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["train", *arguments])


def message(result: Result) -> str:
    """Return the message of the error that the command ended with."""
    assert isinstance(result.exception, DehuskError), result.output
    return str(result.exception)
