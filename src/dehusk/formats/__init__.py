"""A document as a string. A new format is one module with `SUFFIX` and `render`, and its name in `NAMES`."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from dehusk.errors import UsageError
from dehusk.outline.nodes import PLAIN, Look

if TYPE_CHECKING:  # the command line asks for the names of formats where nothing is extracted
    from dehusk.document import Document
    from dehusk.methods.base import Picture

__all__ = ["PLAIN", "Format", "Look", "by_name", "check_beside", "full_name", "names", "render"]

NAMES: Final = ("cleaneval", "html", "json", "markdown", "report", "tei", "text", "xml")
OTHER_NAMES: Final = {"md": "markdown"}


class Format(Protocol):
    """What a module of this package offers."""

    SUFFIX: str

    def render(self, document: "Document", *, every: bool = False, look: Look = PLAIN) -> str:
        """Write the kept blocks, or `every` block with its score."""


def names() -> list[str]:
    """Return the names of all formats.

    >>> names()
    ['cleaneval', 'html', 'json', 'markdown', 'report', 'tei', 'text', 'xml']
    """
    return list(NAMES)


def full_name(name: str) -> str:
    """Return the name of a format that may be given by its short name.

    >>> full_name("md"), full_name("text")
    ('markdown', 'text')
    """
    full = OTHER_NAMES.get(name, name)
    if full not in NAMES:
        raise UsageError(f"no format is called {name!r}; there are {', '.join(NAMES)}")
    return full


@cache
def by_name(name: str) -> Format:
    """Return the format of that name; it is imported on first use."""
    return cast(Format, import_module(f"{__name__}.{full_name(name)}"))


def render(
    document: "Document",
    name: str,
    *,
    every: bool = False,
    look: Look = PLAIN,
    beside: "Document | None" = None,
    picture: "Picture | None" = None,
) -> str:
    """Write a document in the format of that name.

    The report can show another method's document `beside` it, and the picture that a method sees.
    """
    if beside is None and picture is None:
        return by_name(name).render(document, every=every, look=look)
    check_beside(name)
    from dehusk.formats import report  # noqa: PLC0415  (few need it)

    return report.render(document, every=every, look=look, beside=beside, picture=picture)


def check_beside(name: str) -> None:
    """Raise UsageError for a format that cannot show two methods."""
    if name != "report":
        raise UsageError(f"only the format report shows two methods side by side, not {name}")
