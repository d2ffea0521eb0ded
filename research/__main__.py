"""python -m research PAPER: recompute the tables of a paper and print them as paper | ours."""

import sys
from typing import Annotated

import click
from rich.console import Console

import research
from dehusk.cli.commands import Argument, run
from dehusk.cli.tables import console, new_table
from dehusk.errors import DehuskError
from research import PaperTable

Name = Annotated[str | None, Argument("PAPER")]


def recompute(name: Name = None) -> None:
    """Recompute the tables of a paper and print them as paper | ours; without PAPER, list the papers.

    \b
      python -m research texrex
    """
    if name is None:
        for known in research.names():
            click.echo(f"{known:12} {research.by_name(known).PAPER}")
        return
    status = Console(stderr=True)
    chosen = research.by_name(name)
    click.echo(chosen.PAPER)
    for table in chosen.tables(lambda step: status.print(f"measuring: {step}", markup=False, highlight=False)):
        print_paper_table(table)


def print_paper_table(table: PaperTable) -> None:
    """Print a table with both figures in each cell."""
    printed = new_table(table.title, ("", *(f"{column}: paper | ours" for column in table.columns)))
    for line in table.lines:
        pairs = zip(line.paper, line.ours, strict=True)
        printed.add_row(line.name, *(f"{_figure(paper)} | {_figure(ours)}" for paper, ours in pairs))
    output = console()
    output.print(printed)
    if table.note:
        output.print(table.note, markup=False, highlight=False)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def main() -> None:
    """Run the command; a usage error ends with a message and status 2, not with a traceback."""
    try:
        run(recompute)
    except DehuskError as error:
        click.echo(f"research: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
