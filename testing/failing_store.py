"""A store of files, oss://, in which reading fails as the environment variable FAILING_STORE says.

`random 0.3`: three of ten calls raise some error. `down 5000 name`: whatever is behind so many bytes of a file with
such a name cannot be read, ever.
"""

import os
import random
from typing import Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

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
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

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
