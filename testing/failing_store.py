<<<<<<< HEAD
"""A store of files, oss://, in which reading fails as the environment variable FAILING_STORE says.

`random 0.3`: three of ten calls raise some error. `down 5000 name`: whatever is behind so many bytes of a file with
such a name cannot be read, ever.
"""

import os
import random
from typing import Any
=======
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
>>>>>>> faults

import fsspec
from fsspec.implementations.local import LocalFileSystem

<<<<<<< HEAD
from testing import toy_archives

ERRORS = (OSError(5, "Input/output error"), RuntimeError("the store is busy"), TimeoutError("timed out"), KeyError("x"))
_random = random.Random(35)


class FailingStore(LocalFileSystem):  # type: ignore[misc]
    """Local files, behind calls that fail."""

    protocol = "oss"

    @classmethod
    def _strip_protocol(cls, path: str) -> Any:
        return super()._strip_protocol(path.removeprefix("oss://"))

    def info(self, path: str, **options: Any) -> Any:
        """Return facts about a file."""
        fail_at_random()
        return super().info(path, **options)

    def open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        """Open a file."""
        fail_at_random()
        return FailingFile(self._strip_protocol(path))


class FailingFile:
    """A file that fails."""

    def __init__(self, path: str) -> None:
        self._path, self._file = path, open(path, "rb")  # noqa: PTH123, SIM115

    def __enter__(self) -> "FailingFile":
=======
from dehusk.corpus import tasks

VARIABLE: Final = "FAILING_STORE"
PROTOCOL: Final = "oss"
RATE: Final = 0.05


class StoreError(Exception):
    """What a store raises that is no OSError, as some do."""


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
>>>>>>> faults
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

<<<<<<< HEAD
    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, count: int = -1) -> bytes:
        """Read, or fail."""
        fail_at_random()
        manner, _, rest = os.environ["FAILING_STORE"].partition(" ")
        if manner == "down" and rest.split()[1] in self._path and self._file.tell() + count > int(rest.split()[0]):
            raise RuntimeError("the store is down")
        return self._file.read(count)


def fail_at_random() -> None:
    """Raise some error, if that is how the store fails."""
    manner, _, rest = os.environ["FAILING_STORE"].partition(" ")
    if manner == "random" and _random.random() < float(rest):
        raise _random.choice(ERRORS)


def perform(state: Any, task: Any) -> Any:
    """Run in a worker that knows this store."""
    return toy_archives.perform(state, task)


fsspec.register_implementation("oss", FailingStore, clobber=True)
=======
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
>>>>>>> faults
