"""Reach: which archives an index may lead to. An index may come from anyone, and whatever it names would be opened."""

import re
import stat
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Self
from urllib.parse import unquote

from dehusk.errors import UsageError
from dehusk.sources import files
from dehusk.sources.remote import is_remote

ADDRESS: Final = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
LOCAL: Final = re.compile("file://", re.IGNORECASE)
UNUSABLE: Final = re.compile("[\0\ud800-\udfff]")  # in a path, and in a message
LONGEST_NAME: Final = 4096
Opener = Callable[[str], AbstractContextManager[IO[bytes]]]


class OutOfReachError(Exception):
    """An archive that an index may not name."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The folder of an index, and the folders and addresses that the user names: nothing else is opened."""

    bases: tuple[str, ...]
    opener: Opener = files.opened_raw

    @classmethod
    def of(cls, index: str, archives: Iterable[str] = (), opener: Opener = files.opened_raw) -> Self:
        """Return how far an index may lead.

        >>> Reach.of("s3://bucket/cdx/a.cdxj", ["s3://bucket/crawl/"]).bases
        ('s3://bucket/cdx', 's3://bucket/crawl')
        """
        index = LOCAL.sub("", index)
        scheme, mark, path = index.partition("://")
        folder = f"{scheme}{mark}{path.rpartition('/')[0]}" if is_remote(index) else str(Path(index).parent)
        return cls((folder, *(LOCAL.sub("", each).rstrip("/") or "/" for each in archives)), opener)

    def open(self, name: str) -> tuple[str, AbstractContextManager[IO[bytes]]]:
        """Open the archive of this name; return where it is, too. Raise OutOfReachError or OSError."""
        first: OSError | None = None
        for location in self._locations(name):
            try:
                _check_file(location)
                return location, self.opener(location)
            except OSError as error:
                first = first or error
        raise first or OSError("no archive")

    def _locations(self, name: str) -> list[str]:
        """Return where an archive of this name may be: at its address, or relative to each base."""
        if UNUSABLE.search(name) or not 0 < len(name) <= LONGEST_NAME:
            raise OutOfReachError("no name of a file")
        name = LOCAL.sub("", name)
        if ADDRESS.match(name) or Path(name).is_absolute():
            places = [name]
        else:
            places = [f"{base}/{name}" if is_remote(base) else str(Path(base) / name) for base in self.bases]
        allowed = [place for place in places if any(_is_below(place, base) for base in self.bases)]
        if not allowed:
            raise OutOfReachError(f"{name[:200]!r} is neither in the folder of the index nor in one that was named")
        return list(dict.fromkeys(allowed))


def check_bases(archives: Iterable[str]) -> None:
    """Raise UsageError for what is neither a folder nor an address of one."""
    for base in archives:
        if "::" in base or not (is_remote(base) or Path(base).is_dir()):
            expected = "expected a folder, or an address such as s3://bucket/crawl"
            raise UsageError(f"no archives at {base[:100]!r}; {expected}", setting="archives")


def _is_below(location: str, base: str) -> bool:
    """Return whether a location is in a folder, at whatever depth; links lead where they lead.

    >>> _is_below("s3://bucket/a/b.warc", "s3://bucket/a"), _is_below("s3://bucket/a/../b.warc", "s3://bucket/a")
    (True, False)
    """
    if is_remote(base):
        # Two colons are a chain of stores to fsspec, such as file://x::http://host/.
        is_plain = "::" not in location and "\\" not in location and ".." not in unquote(location).split("/")
        return is_plain and location.startswith(f"{base}/")
    if ADDRESS.match(location):
        return False
    return Path(location).resolve().is_relative_to(Path(base).resolve())


def _check_file(location: str) -> None:
    """Raise OSError for a pipe or a device: opening one waits for whoever writes to it, and reading may not end."""
    if not is_remote(location) and not stat.S_ISREG(Path(location).stat().st_mode):
        raise OSError("no regular file")
