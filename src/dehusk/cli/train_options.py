"""The options that trainings share."""

from pathlib import Path
from typing import Annotated

import typer

from dehusk.errors import UsageError

Output = Annotated[Path, typer.Option(metavar="DIR", help="A new folder for weights.npz and model.json")]
Corpora = Annotated[
    list[str] | None,
    typer.Option(
        "--corpus",
        metavar="NAME",
        help="A set in DEHUSK_DATA, or the path of your own data; may be repeated  [default: all that may be]",
    ),
]
Jobs = Annotated[int | None, typer.Option(metavar="N", min=1, help="Worker processes  [default: one a core]")]


def check_new(output: Path) -> None:
    """Refuse a folder that holds something: what took hours to train is not written over."""
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(f"{output} is there already and not empty; choose another --output or remove it")
