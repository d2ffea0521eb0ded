"""dehusk models: what there is to score blocks with."""

from rich.console import Console
from rich.table import Table

from dehusk.models.registry import DEFAULT, TABLE


def models() -> None:
    """List the methods that can score blocks.

    The one marked with * is used when none is named.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("method", "a block is", "what it does"):
        table.add_column(heading)
    for entry in TABLE:
        table.add_row(entry.name + ("*" if entry.name == DEFAULT else ""), entry.block, entry.summary)
    Console(soft_wrap=True).print(table)
