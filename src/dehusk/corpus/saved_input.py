"""Saved inputs: what cannot be read twice becomes a file first, so that a run can go on after it stopped."""

import shutil
from contextlib import nullcontext
from pathlib import Path

from dehusk.corpus.files import write_atomically
from dehusk.sources.files import opened_raw, raw_input


def saved_path(folder: Path, index: int) -> Path:
    """Return where the input with this index is saved; a file that is there is complete."""
    return folder.absolute() / f"input-{index}"


def save_input(location: str, path: Path) -> None:
    """Save all that comes from standard input or a pipe, complete or not at all."""
    opened = nullcontext(raw_input()) if location == "-" else opened_raw(location)
    with opened as stream, write_atomically(path) as part, part.open("wb") as file:
        shutil.copyfileobj(stream, file, 2**20)
