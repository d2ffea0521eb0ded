"""dehusk models: the methods that can score blocks."""

import click

from dehusk.models.registry import DEFAULT, REGISTRY


def models() -> None:
    """List the methods that can score blocks.

    The one marked with * is used when none is named.
    """
    rows = [(entry.name + "*" * (entry.name == DEFAULT), entry.block, entry.summary) for entry in REGISTRY]
    rows.insert(0, ("method", "a block is", "what it does"))
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, block, summary in rows:
        click.echo(f"{name:<{first}}  {block:<{second}}  {summary}")
