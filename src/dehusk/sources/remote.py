"""Addresses such as s3://bucket/crawl.warc.gz, opened by fsspec, which needs one more package per store."""

import errno
import io
import re
from contextlib import AbstractContextManager
from typing import IO, Any, Final

from dehusk.errors import DehuskError, InputError
from dehusk.extras import require

# Stores of files. Not everything that fsspec can open: pages on the web have a fetcher of their own, which is safe.
STORES: Final = "s3|s3a|gs|gcs|az|abfs|abfss|adl|oss|hdfs|webhdfs|hf|file|memory"
ADDRESS: Final = re.compile(rf"(?:{STORES})://", re.IGNORECASE)
BUFFER: Final = 2**18
PATTERN: Final = re.compile(r"[*?\[]")

# What stores call a checksum, the number of a version or the time of the last change, the best first.
VERSIONS: Final = (
    "ETag", "etag", "md5Hash", "content_md5", "checksum", "crc32c", "blob_id", "generation",
    "LastModified", "last_modified", "modificationTime", "updated", "mtime", "created",
)  # fmt: skip


def is_remote(location: str) -> bool:
    """Return whether a location is the address of a file in a store.

    >>> is_remote("s3://bucket/a.warc.gz"), is_remote("https://example.org/"), is_remote("c:/a.html")
    (True, False, False)
    """
    return ADDRESS.match(location) is not None


def expanded(address: str) -> list[str]:
    """Return the addresses that a pattern or a folder stands for; raise InputError if there are none."""
    try:
        system, path = _opened(address)
        if PATTERN.search(path):
            paths = system.glob(path)
        else:
            paths = system.find(path) if system.isdir(path) else [path] * system.exists(path)
    except DehuskError:
        raise
    except Exception as error:  # each store has errors of its own
        raise _problem(address, error) from error
    if not paths:
        raise InputError(f"nothing at {address[:100]!r}; expected an object, a folder or a pattern that matches some")
    return sorted(str(system.unstrip_protocol(each)) for each in paths)


def open_remote(address: str) -> AbstractContextManager[IO[bytes]]:
    """Open an address for reading; whatever goes wrong, then or later, is an OSError."""
    system, path = _opened(address)
    try:
        return io.BufferedReader(_StoredFile(system.open(path, "rb")), BUFFER)
    except Exception as error:
        raise _failure(error) from error


def size(address: str) -> int:
    """Return how many bytes there are at an address."""
    system, path = _opened(address)
    try:
        return int(system.size(path) or 0)
    except Exception as error:
        raise _failure(error) from error


class _StoredFile(io.RawIOBase):
    """A file of a store, whose errors are the same for all stores."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return int(self._call("seek", offset, whence))

    def tell(self) -> int:
        return int(self._call("tell"))

    def readinto(self, buffer: Any) -> int:
        data = self._call("read", len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._call("close")
        super().close()

    def _call(self, name: str, *arguments: int) -> Any:
        try:
            return getattr(self._file, name)(*arguments)
        except Exception as error:  # each store has errors of its own
            raise _failure(error) from error


def _failure(error: Exception) -> OSError:
    """Return the error of a store as one of the system, with a number: it may be gone when one tries again."""
    number = errno.ENOENT if isinstance(error, FileNotFoundError) else getattr(error, "errno", None) or errno.EIO
    return OSError(number, getattr(error, "strerror", None) or str(error) or type(error).__name__)


def version(address: str) -> str:
    """Return what a store says that changes with the content of an address: a checksum or, if it has none, a time.

    >>> import fsspec
    >>> fsspec.filesystem("memory").pipe("memory://a", b"a")
    >>> version("memory://a") == version("memory://a") != ""
    True
    """
    system, path = _opened(address)
    try:
        facts = system.info(path)
    except Exception:  # each store has errors of its own, and reading reports them
        return ""
    return next((f"{facts.get('size')}-{facts[name]}" for name in VERSIONS if facts.get(name)), "")


def _opened(address: str) -> tuple[Any, str]:
    require(f"reading {address.partition('://')[0]}:// addresses", "fsspec")
    from fsspec.core import url_to_fs  # noqa: PLC0415

    try:
        system, path = url_to_fs(address)
    except (ImportError, ValueError) as error:  # there is no such store, or its package is missing
        raise _problem(address, error) from error
    return system, str(path)


def _problem(address: str, error: Exception) -> InputError:
    return InputError(f"cannot look at {address[:100]}: {error}; expected an address that fsspec can open")
