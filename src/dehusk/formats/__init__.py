"""Formats: a document as a string. A new format is one file here with `SUFFIX` and `render`."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from dehusk.document import Document
from dehusk.errors import UsageError


@dataclass(frozen=True, slots=True)
class Look:
    """What to show beside the words. A format that cannot show something leaves it out."""

    links: bool = False  # where links point
    images: bool = False
    formatting: bool = True  # emphasis and the like


PLAIN = Look()


class Format(Protocol):
    """What a module of this package offers."""

    SUFFIX: str

    def render(self, document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
        """Write the kept blocks, or `every` block with its score."""


def names() -> list[str]:
    """Return the formats there are.

    >>> names()
    ['json', 'text']
    """
    return sorted(module.name for module in iter_modules(__path__))


@cache
def by_name(name: str) -> Format:
    """Return the format of that name. Every page asks, and looking into the folder would show in the profile."""
    if name not in names():
        raise UsageError(f"no format is called {name!r}; there are {', '.join(names())}")
    return cast(Format, import_module(f"{__name__}.{name}"))


def render(document: Document, name: str, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write a document in the format of that name."""
    return by_name(name).render(document, every=every, look=look)
