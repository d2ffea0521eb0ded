"""dehusk models: the methods that can score blocks, and what is known of one of them."""

from collections.abc import Sequence
from typing import Annotated

import click

from dehusk.cli.commands import Argument
from dehusk.cli.options import method_names
from dehusk.cli.terminal import print_message
from dehusk.extras import install_command, is_installed
from dehusk.models import registry
from dehusk.models.registry import DEFAULT, METHODS, Entry, find_entry, is_folder
from dehusk.plugins import resolve


def models(name: Annotated[str | None, Argument("NAME", complete=method_names)] = None) -> None:
    """List the methods that can score blocks, or describe one of them, or that of a model's folder, with its settings.

    The one marked with * is used when none is named. Variants for comparison with the papers come last, each under its
    paper.

    \b
      dehusk models
      dehusk models ncleaner
    """
    if name is not None:
        _describe(name)
        return
    entries, problems = METHODS.usable()
    chosen = [entry for entry in entries if entry.variant_of is None]
    rows = [(entry.name + "*" * (entry.name == DEFAULT), entry.block, entry.summary) for entry in chosen]
    _print_columns([("method", "a block is", "what it does"), *rows])
    click.echo("\nFor comparison with the papers:")
    for method in chosen:
        if variants := [(f"  {entry.name}", entry.summary) for entry in entries if entry.variant_of == method.name]:
            click.echo(f"\n{method.paper}")
            _print_columns(variants)
    for problem in problems:
        print_message(problem)


def _describe(name: str) -> None:
    own = name not in METHODS and is_folder(name)
    entry = _entry_of_folder(name) if own else find_entry(name)
    original = find_entry(entry.variant_of) if entry.variant_of else entry
    installed = "installed" if is_installed(entry.extra) else f"not installed; {install_command(str(entry.extra))}"
    abilities = entry.capabilities
    also = {"explains its scores": abilities.explains, "recognises readers' comments": abilities.comments}
    facts = {
        "folder": name if own else "",
        "method": entry.name,
        "what it does": entry.summary,
        "a block is": entry.block,
        "paper": original.paper,
        "variant of": entry.variant_of,
        "needs": f"dehusk[{entry.extra}]: {installed}" if entry.extra else "",
        "also": ", ".join(ability for ability, able in also.items() if able),
    }
    _print_columns([(label, fact) for label, fact in facts.items() if fact])
    if entry.settings:
        click.echo("\nSettings, changed with --set NAME=VALUE:")
        for setting in entry.settings:
            click.echo(f"\n  {setting.name}: {setting.meaning}")
            click.echo(f"    {setting.allowed}  [default: {setting.default}]")


def _entry_of_folder(folder: str) -> Entry:
    """Return the entry of the method that reads the model in a folder; raise ModelError if none can."""
    method_class = type(registry.method(folder))
    return next(entry for entry in METHODS.usable()[0] if resolve(entry.method_class) is method_class)


def _print_columns(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
