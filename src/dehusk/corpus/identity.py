"""Identity of inputs: whether a file is still the one that a run began with, without reading all of it again."""

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final

from dehusk.sources.remote import is_remote, version

STRETCH: Final = 4096  # bytes
STRETCHES: Final = 8  # that are looked at, from the first bytes of a file to the last


def identities(locations: Iterable[str]) -> dict[str, str]:
    """Return what identifies each input, without those of which nothing is known."""
    known = {location: version(location) if is_remote(location) else _fingerprint(location) for location in locations}
    return {location: identity for location, identity in known.items() if identity}


def _fingerprint(path: str) -> str:
    """Return the size of a file with a digest of some stretches; nothing if it cannot be read.

    Not the time of the last change: a copy has another one, and a file that was replaced may have the same.
    """
    try:
        with Path(path).open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            digest = blake2b(digest_size=16)
            for index in range(STRETCHES):
                file.seek(max(size - STRETCH, 0) * index // (STRETCHES - 1))
                digest.update(file.read(STRETCH))
                if size <= STRETCH:
                    break
    except (OSError, ValueError):  # reading reports it
        return ""
    return f"{size}-{digest.hexdigest()}"


def changed(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the inputs that are known to be others than before.

    >>> changed({"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "4", "d": "5"})
    ['b']
    """
    return [location for location in now if before.get(location, now[location]) != now[location]]
