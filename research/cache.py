"""Cache: results that take long are kept in files of a work folder and not computed again."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from dehusk.model_files import shipped_folder


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file under a temporary name and rename it, so that an interrupted run leaves no half file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        write(file)
    unfinished.replace(path)


def file_name(name: str, method: str, ending: str) -> str:
    """Return the name of the file for a result of a method, which changes with the method's weights."""
    whole, folder = hashlib.sha256(method.encode()), shipped_folder(method)
    for path in sorted(folder.rglob("*")):  # none if it has no weights
        if path.is_file():
            whole.update(path.read_bytes())
    return f"{name}-{method}-{whole.hexdigest()[:8]}.{ending}".replace(" ", "-")
