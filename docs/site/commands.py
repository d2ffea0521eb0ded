"""The command reference, written from the commands themselves, so that it lacks none and cannot go stale."""

from collections.abc import Iterator

import click

from dehusk.cli import command_line

INTRODUCTION = """# Command line

Every command with every option, generated from the program itself. `dehusk COMMAND --help` prints the same.

| command | what it does |
|---|---|"""
EXAMPLE = "\b\n"  # how a docstring marks lines that help must not wrap


def command_reference() -> str:
    """Return the reference as Markdown: a table of all commands, then one section per command."""
    root = click.Context(command_line(), info_name="dehusk", terminal_width=1000)
    contexts = [*_leaves(root), ("dehusk", root)]
    rows = [f"| [`{name}`](#{name.replace(' ', '-')}) | {_cell(_first(context))} |" for name, context in contexts[:-1]]
    return "\n".join([INTRODUCTION, *rows, "", *(_section(name, context) for name, context in contexts)])


def _leaves(context: click.Context) -> Iterator[tuple[str, click.Context]]:
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command and not command.hidden:
            inner = click.Context(command, info_name=name, parent=context, terminal_width=1000)
            if getattr(command, "invoke_without_command", True):  # no group, or one that is a command itself
                yield inner.command_path, inner
            if isinstance(command, click.Group):
                yield from _leaves(inner)


def _first(context: click.Context) -> str:
    return (context.command.help or "").split("\n\n")[0]


def _section(name: str, context: click.Context) -> str:
    command = context.command
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    records = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
    lines = [f"## {name}", "", f"```text\n{usage}\n```", "", *map(_paragraph, (command.help or "").split("\n\n"))]
    lines += ["| option | |", "|---|---|"]
    lines += [f"| {_options(options)} | {_cell(text)} |" for options, text in records]
    return "\n".join([*lines, "", *([f"{command.epilog}\n"] if command.epilog else [])])


def _paragraph(text: str) -> str:
    if text.startswith(EXAMPLE):
        lines = text.removeprefix(EXAMPLE).splitlines()
        return "```console\n" + "\n".join(line.strip() for line in lines) + "\n```\n"
    return _escaped(text) + "\n"


def _options(text: str) -> str:
    return f"`{text.replace('|', chr(0x2502))}`"


def _cell(text: str) -> str:
    return _escaped(" ".join(text.split())).replace("|", r"\|")


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", r"\*").replace("[", r"\[")
