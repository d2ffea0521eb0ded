"""Whole files: written under a name that nobody can guess, and moved to their own once they are complete."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

# What a process that was killed leaves behind; nobody else calls files so.
UNFINISHED: Final = re.compile(r"\.dehusk-[0-9a-f]{32}\.part")


def unfinished_file(folder: Path) -> Path:
    """Create an empty file under a new name.

    The name is random, so that two processes that write the same file do not meet: one may have been given up for dead,
    on another machine. And the file must be new: whoever may write to the folder could have put a link there.
    """
    path = folder / f".dehusk-{uuid4().hex}.part"
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return path


@contextmanager
def write_atomically(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """Yield the path of an empty file to write to, and move it to its own path afterwards, unless there was an error.

    A `durable` file is on the disk before it has its name, and its name is on the disk when this returns.
    """
    part = unfinished_file(path.parent)
    try:
        yield part
        if durable:
            _flush(part, os.O_RDWR)
        part.replace(path)
        if durable and os.name == "posix":  # elsewhere, folders cannot be opened
            with suppress(OSError):  # not all file systems can do that, and the file is complete
                _flush(path.parent, os.O_RDONLY)
    finally:  # after Ctrl-C, too
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _flush(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_unfinished(folder: Path, age: float = 0.0) -> None:
    """Remove what processes that were killed were writing to a folder, if it is so many seconds old.

    Without an age, nobody else may be writing there.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # another process may remove it, too
                if UNFINISHED.fullmatch(entry.name) and entry.stat(follow_symlinks=False).st_mtime <= time.time() - age:
                    Path(entry).unlink()
