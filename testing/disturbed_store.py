"""A store that fails at random, stalls, and never gives some files: local files behind oss:// addresses.

What it does is in the environment, so that worker processes do the same; importing this module registers it.
"""

import errno
import json
import os
import random
import time
from pathlib import Path
from typing import IO, Any, Final, Self

import fsspec
from fsspec.implementations.local import LocalFileSystem

from dehusk.corpus import tasks

VARIABLE: Final = "FAILING_STORE"
PROTOCOL: Final = "oss"
RATE: Final = 0.05


class StoreError(Exception):
    """What a store raises that is not an OSError, as some do."""


ERRORS: Final = (
    lambda: OSError(errno.EIO, "made to fail"),
    lambda: OSError(errno.ESTALE, "made to fail"),
    lambda: ConnectionResetError("made to fail"),
    lambda: TimeoutError("made to fail"),
    lambda: StoreError("made to fail"),
)


def settings() -> dict[str, Any]:
    """Return what the environment says: rates of failures and stalls, seconds, files that never open."""
    return {"rate": RATE, "stall_rate": 0.0, "stall": 0.0, "broken": [], **json.loads(os.environ.get(VARIABLE, "{}"))}


def fail_perhaps() -> None:
    """Raise an error, stall, or do nothing."""
    options = settings()
    if random.random() < options["stall_rate"]:
        time.sleep(options["stall"])
    if random.random() < options["rate"]:
        raise random.choice(ERRORS)()


class FailingFile:
    """A file whose every read may fail."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def read(self, size: int = -1) -> bytes:
        """Read, or fail."""
        fail_perhaps()
        return self._file.read(size)

    read1 = read

    def readinto(self, buffer: Any) -> int:
        """Read, or fail."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class FailingFileSystem(LocalFileSystem):  # type: ignore[misc]
    """Local files that are hard to read."""

    protocol = PROTOCOL
    cachable = False

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        """Return the path behind an address."""
        return str(path).removeprefix(f"{PROTOCOL}:/")

    def unstrip_protocol(self, name: str) -> str:
        """Return the address of a path."""
        return f"{PROTOCOL}:/{self._strip_protocol(name)}"

    def _open(self, path: str, mode: str = "rb", **options: Any) -> FailingFile:
        if Path(path).name in settings()["broken"]:
            raise StoreError("this file is never opened")
        fail_perhaps()
        return FailingFile(Path(self._strip_protocol(path)).open("rb"))

    def open(self, path: str, mode: str = "rb", **options: Any) -> FailingFile:
        """Open a file, or fail."""
        return self._open(path, mode)


fsspec.register_implementation(PROTOCOL, FailingFileSystem, clobber=True)


def address(path: Path) -> str:
    """Return the address of a file."""
    return f"{PROTOCOL}:/{path.absolute()}"


def perform(state: Any, task: Any) -> Any:
    """Run in a worker, in which importing this module has registered the store."""
    return tasks.perform(state, task)
