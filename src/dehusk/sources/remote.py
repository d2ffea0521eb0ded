"""Addresses such as s3://bucket/crawl.warc.gz, opened by fsspec, which needs one more package per store."""

import re
from contextlib import AbstractContextManager
from typing import IO, Any, Final

from dehusk.errors import InputError
from dehusk.extras import require

# Stores of files. Not everything that fsspec can open: pages on the web have a fetcher of their own, which is safe.
STORES: Final = "s3|s3a|gs|gcs|az|abfs|abfss|adl|oss|hdfs|webhdfs|hf|file|memory"
ADDRESS: Final = re.compile(rf"(?:{STORES})://", re.IGNORECASE)
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
    system, path = _opened(address)
    try:
        if PATTERN.search(path):
            paths = system.glob(path)
        else:
            paths = system.find(path) if system.isdir(path) else [path] * system.exists(path)
    except Exception as error:  # each store has errors of its own
        raise _problem(address, error) from error
    if not paths:
        raise InputError(f"nothing at {address[:100]!r}; expected an object, a folder or a pattern that matches some")
    return sorted(str(system.unstrip_protocol(each)) for each in paths)


def open_remote(address: str) -> AbstractContextManager[IO[bytes]]:
    """Open an address for reading."""
    system, path = _opened(address)
    try:
        opened: AbstractContextManager[IO[bytes]] = system.open(path, "rb")
    except Exception as error:
        raise OSError(str(error) or type(error).__name__) from error
    return opened


def size(address: str) -> int:
    """Return how many bytes there are at an address."""
    system, path = _opened(address)
    return int(system.size(path) or 0)


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
    except Exception as error:
        raise _problem(address, error) from error
    return system, str(path)


def _problem(address: str, error: Exception) -> InputError:
    return InputError(f"cannot look at {address[:100]}: {error}; expected an address that fsspec can open")
