"""dehusk experiment: a paper's tables, recomputed."""

from typing import Annotated

import typer
from rich.console import Console

from dehusk.errors import UsageError

Name = Annotated[str | None, typer.Argument(metavar="NAME", show_default=False)]


def experiment(name: Name = None) -> None:
    """Recompute the tables of a paper and print them as paper | ours; without NAME, list what there is.

    \b
      dehusk experiment dump
    """
    try:
        from dehusk import experiments
        from dehusk.cli.tables import print_paper_table
    except ImportError as error:
        raise UsageError(f"experiments need more packages ({error}); pip install 'dehusk[eval]'") from error
    if name is None:
        for known in experiments.names():
            typer.echo(f"{known:12} {experiments.by_name(known).PAPER}")
        return
    status = Console(stderr=True)
    chosen = experiments.by_name(name)
    typer.echo(chosen.PAPER)
    for table in chosen.tables(lambda what: status.print(f"measuring: {what}", markup=False, highlight=False)):
        print_paper_table(table)
