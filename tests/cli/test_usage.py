"""Wrong usage: one style of message, whoever found the mistake."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dehusk.cli import command_line
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("extrct page.html", "no command is called 'extrct'; did you mean extract?"),
        ("page.html", "no command is called 'page.html'; did you mean `dehusk extract page.html`?"),
        ("https://example.org", "no command is called 'https://example.org'; did you mean `dehusk extract https:"),
        ("xyzzy", "no command is called 'xyzzy'; there are extract, annotate, corpus, strip"),
        ("train kernl", "no command is called 'kernl'; did you mean kernel?"),
        ("extract --fromat md", "no option is called '--fromat'; did you mean --format?"),
        ("extract --metadata", "no option is called '--metadata'; did you mean --with-metadata?"),
        ("extract -x", "no option is called '-x'; see `dehusk extract -h`"),
        ("--nonsense", "no option is called '--nonsense'; see `dehusk -h`"),
        ("extract -j", "-j needs a value; see `dehusk extract -h`"),
        ("extract --links=1", "--links takes no value; see `dehusk extract -h`"),
        ("extract -j x", "--jobs: 'x' is not a whole number; see `dehusk extract -h`"),
        ("extract -j 0", "--jobs: 0 is not at least 1; see `dehusk extract -h`"),
        ("train lm --order 4", "--order: 4 is not between 2 and 3; see `dehusk train lm -h`"),
        ("completion tcsh", "SHELL: 'tcsh' is not one of 'bash', 'zsh', 'fish'; see `dehusk completion -h`"),
        ("extract --input pdf", "--input: 'pdf' is not one of 'html', 'text'; see `dehusk extract -h`"),
        ("train lm --lang de", "FILES is missing; see `dehusk train lm -h`"),
        ("train lm texts --output x", "--lang is missing; see `dehusk train lm -h`"),
        ("demo x", "got unexpected extra argument (x); see `dehusk demo -h`"),
        ("corpus --jobs 0 x", "--jobs: 0 is not at least 1; see `dehusk corpus -h`"),
        ("corpus report", "DIR is missing; see `dehusk corpus report -h`"),
        ("corpus report a b", "got unexpected extra argument (b); see `dehusk corpus report -h`"),
        ("corpus report a -o b", "no option is called '-o'; see `dehusk corpus report -h`"),
        ("serve --port 70000", "--port: 70000 is not between 0 and 65535; see `dehusk serve -h`"),
        ("serve --seconds fast", "--seconds: 'fast' is not a number; see `dehusk serve -h`"),
        ("extract -q -v page.html", "--quiet and --verbose contradict each other; give one of them"),
    ],
)
def test_wrong_usage_has_one_line_in_our_style_and_status_2(dehusk: Run, arguments: str, message: str) -> None:
    ended = dehusk(*arguments.split())
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"dehusk: {message}")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("command", ["", "train"])
def test_no_command_prints_the_help(dehusk: Run, command: str) -> None:
    ended = dehusk(*command.split())
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("Usage: dehusk ")


def test_the_name_of_any_existing_file_is_taken_for_a_page(dehusk: Run) -> None:
    Path("notes").write_text("<p>x")
    assert "did you mean `dehusk extract notes`?" in dehusk("notes").err
    assert "no command is called 'xxx" in dehusk("x" * 5000).err


def commands(group: click.Group, context: click.Context) -> Iterator[click.Command]:
    """Yield all commands, those of groups too."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        yield command
        if isinstance(command, click.Group):
            yield from commands(command, context)


def test_the_help_states_one_default_per_option() -> None:
    group = command_line()
    for command in commands(group, click.Context(group)):
        context = click.Context(command)
        for parameter in command.get_params(context):
            shown = " ".join(parameter.get_help_record(context) or ())
            assert shown.count("[default:") <= 1, (command.name, shown)
