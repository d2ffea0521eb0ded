"""Cache: results that take long are kept in files of a work folder and not computed again."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file under a temporary name and rename it, so that an interrupted run leaves no half file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        write(file)
    unfinished.replace(path)
