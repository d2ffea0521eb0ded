"""A document as a string. A new format is one module with `SUFFIX` and `render`, and its name in `NAMES`."""

from functools import cache
from importlib import import_module
from typing import Final, Protocol, cast

from dehusk.document import Document
from dehusk.errors import UsageError
from dehusk.outline.nodes import PLAIN, Look

__all__ = ["PLAIN", "Format", "Look", "by_name", "check_beside", "names", "render"]

NAMES: Final = ("cleaneval", "html", "json", "markdown", "report", "tei", "text", "xml")


class Format(Protocol):
    """What a module of this package offers."""

    SUFFIX: str

    def render(self, document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
        """Write the kept blocks, or `every` block with its score."""


def names() -> list[str]:
    """Return the names of all formats.

    >>> names()
    ['cleaneval', 'html', 'json', 'markdown', 'report', 'tei', 'text', 'xml']
    """
    return list(NAMES)


@cache
def by_name(name: str) -> Format:
    """Return the format of that name; it is imported on first use."""
    if name not in NAMES:
        raise UsageError(f"no format is called {name!r}; there are {', '.join(NAMES)}")
    return cast(Format, import_module(f"{__name__}.{name}"))


def render(
    document: Document, name: str, *, every: bool = False, look: Look = PLAIN, beside: Document | None = None
) -> str:
    """Write a document in the format of that name; the report can show another method's document `beside` it."""
    if beside is None:
        return by_name(name).render(document, every=every, look=look)
    check_beside(name)
    from dehusk.formats import report  # noqa: PLC0415  (few need it)

    return report.render(document, every=every, look=look, beside=beside)


def check_beside(name: str) -> None:
    """Raise UsageError for a format that cannot show two methods."""
    if name != "report":
        raise UsageError(f"only the format report shows two methods side by side, not {name}")
