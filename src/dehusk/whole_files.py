"""Whole files: written under a name that nobody can guess, and moved to their own once they are complete."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from dehusk.file_locks import try_lock

# What a process that was killed leaves behind; nobody else calls files so.
UNFINISHED: Final = re.compile(r"\.dehusk-[0-9a-f]{32}\.part")
OLD: Final = 3600.0  # seconds, after which a file is left over where there are no locks


@contextmanager
def write_atomically(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """Yield the path of an empty file to write to, and move it to its own path afterwards, unless there was an error.

    A `durable` file is on the disk before it has its name, and its name is on the disk when this returns.
    """
    with unfinished_file(path.parent) as part:
        yield part
        if durable:
            _flush(part, os.O_RDWR)
        part.replace(path)
        if durable and os.name == "posix":  # elsewhere, folders cannot be opened
            with suppress(OSError):  # not all file systems can do that, and the file is complete
                _flush(path.parent, os.O_RDONLY)


@contextmanager
def unfinished_file(folder: Path) -> Iterator[Path]:
    """Yield the path of a new, empty file, and remove it afterwards if it is still there.

    The name is random, so that two processes that write the same file do not meet: one may have been given up for dead,
    on another machine. And the file must be new: whoever may write to the folder could have put a link there.
    """
    while True:
        path = folder / f".dehusk-{uuid4().hex}.part"
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        is_locked = try_lock(descriptor)
        if is_locked is None or (is_locked and os.fstat(descriptor).st_nlink):
            break
        os.close(descriptor)  # `remove_unfinished` was faster
    try:
        if not is_locked:
            os.close(descriptor)  # Windows moves no file that is open
        yield path
    finally:  # after Ctrl-C, too
        with suppress(OSError):
            path.unlink(missing_ok=True)
        if is_locked:
            os.close(descriptor)


def remove_unfinished(folder: Path) -> None:
    """Remove what processes that were killed were writing to a folder, and nothing that one is writing now."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if UNFINISHED.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):  # another process has removed it, too
                    _remove_left(Path(entry))


def _remove_left(path: Path) -> None:
    """Remove a file unless somebody is writing it."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        is_locked, changed = try_lock(descriptor), os.fstat(descriptor).st_mtime
        if is_locked:  # so that whoever has just created it sees that it is gone
            path.unlink()
    finally:
        os.close(descriptor)
    if is_locked is None and changed < time.time() - OLD:
        path.unlink()


def _flush(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
