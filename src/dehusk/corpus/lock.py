"""The lock of a folder: it belongs to one run at a time, on whatever machine that is."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from dehusk.errors import InputError, UsageError
from dehusk.file_locks import try_lock

NAME: Final = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Create a folder unless it exists, and keep other runs out of it; raise UsageError if one is at work there.

    The system holds the lock, so that nothing has to be cleared away after `kill -9`. A folder in which nothing was
    written is removed again, if it is new.
    """
    is_new = not folder.exists()
    try:
        with suppress(FileExistsError):  # opening the lock fails if it is a file
            folder.mkdir(parents=True)
        descriptor = _acquired(folder)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}; expected a folder to create or write to") from error
    try:
        yield
    finally:
        with suppress(OSError):  # while it is still locked, so that nobody loses another lock by it
            (folder / NAME).unlink()
        os.close(descriptor)
        if is_new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


def _acquired(folder: Path) -> int:
    """Return the descriptor of the locked file; where there are no locks, a folder is not protected."""
    path = folder / NAME
    while True:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o666)
        is_locked = try_lock(descriptor)
        # The run that had the lock may have removed the file after it was opened here.
        if is_locked is not False and os.fstat(descriptor).st_nlink:
            _sign(descriptor)
            return descriptor
        os.close(descriptor)
        if is_locked is False:
            raise UsageError(
                f"{folder} is in use by another run{_owner(path)}; wait until it ends, or name another folder",
                setting="output",
            )


def _sign(descriptor: int) -> None:
    """Write who has the lock, for those who are kept out."""
    os.ftruncate(descriptor, 0)
    os.write(descriptor, json.dumps({"process": os.getpid(), "machine": socket.gethostname()}).encode())


def _owner(path: Path) -> str:
    try:
        owner = json.loads(path.read_bytes())
        return f" (process {int(owner['process'])} on {owner['machine']!s:.100})"
    except (OSError, ValueError, KeyError, TypeError):  # it is just being written
        return ""
