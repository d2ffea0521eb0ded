"""A document as a string. A new format is one function and one entry of `FORMATS`, here or in a plug-in."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from dehusk.errors import UsageError
from dehusk.outline.nodes import PLAIN, Look
from dehusk.plugins import Table, check_types, resolve

if TYPE_CHECKING:  # the command line asks for the names of formats where nothing is extracted
    from dehusk.document import Document
    from dehusk.methods.base import Picture

__all__ = ["FORMATS", "PLAIN", "Format", "Look", "Stream", "by_name", "by_suffix", "names", "render"]


MEDIA_TYPE: Final = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)


class Stream(NamedTuple):
    """How several pages are written one after the other; each piece ends with a line end."""

    begin: str
    page: Callable[[int, str, str], str]  # the index of the page, its name and its output
    end: str


@dataclass(frozen=True, slots=True)
class Format:
    """One format. Functions may be given as strings, "module:name", to be imported on first use.

    >>> FORMATS["tei"].suffixes, FORMATS["report"].media_type
    (('.tei.xml',), 'text/html')
    """

    name: str
    function: "str | Callable[..., str]"  # from a document, `every` and `look` to the output: see docs/extending.md
    suffixes: tuple[str, ...]  # of files; they are written with the first
    media_type: str = "text/plain"
    other_media_types: tuple[str, ...] = ()  # that an Accept header may ask for it by
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()  # that make a difference: those of `Look`, and headline, explain, beside, picture
    several: str | Stream = "dehusk.formats.several:NAMED"
    is_object: bool = False  # whether the output is one JSON object on one line
    has_scripts: bool = False  # whether a browser that shows it must let its scripts run

    def __post_init__(self) -> None:
        check_types(self, name=str, suffixes=tuple, media_type=str, other_media_types=tuple, aliases=tuple)
        check_types(self, options=tuple, several=str | Stream)
        if not self.suffixes or not all(suffix.startswith(".") for suffix in self.suffixes):
            raise UsageError(f"suffixes must be at least one, each with its dot, got {self.suffixes!r:.100}")
        for media_type in (self.media_type, *self.other_media_types):
            if not MEDIA_TYPE.fullmatch(media_type):
                raise UsageError(f"a media type must be like text/plain, got {media_type!r:.100}")

    def render(self, document: "Document", *, every: bool = False, look: Look = PLAIN, **options: Any) -> str:
        """Write the kept blocks, or `every` block with its score."""
        output = resolve(self.function)(document, every=every, look=look, **options)
        if not isinstance(output, str):
            raise TypeError(f"format {self.name!r} returned {type(output).__name__}, expected a string")
        if self.is_object and (not output.startswith("{") or "\n" in output):
            raise ValueError(f"format {self.name!r} returned {output[:40]!r}, expected one JSON object on one line")
        return output

    @property
    def stream(self) -> Stream:
        """How several pages are written."""
        try:
            stream = resolve(self.several)
            signature(stream.page).bind(0, "name", "output")
            check_types(stream, begin=str, end=str)
        except Exception as error:
            raise self._cannot_join(error) from error

        def page(index: int, name: str, output: str) -> str:
            try:
                return "" + cast(Stream, stream).page(index, name, output)  # raises an error for what is not a string
            except Exception as error:
                raise self._cannot_join(error) from error

        return Stream(stream.begin, page, stream.end)

    def _cannot_join(self, error: Exception) -> UsageError:
        problem = f"{type(error).__name__}: {error}"
        return UsageError(f"format {self.name!r} cannot join several pages: {problem}", setting="format")

    def check_beside(self) -> None:
        """Raise UsageError if it cannot show two methods."""
        if "beside" not in self.options:
            shown = f"only the format {knowing('beside')} shows two methods side by side, not {self.name}"
            raise UsageError(shown, setting="beside")


def _check_plugin(entry: Format) -> None:
    if not callable(function := resolve(entry.function)):
        raise UsageError(f"function must be one, or a string that names one, got {function!r:.100}")


OUTLINE: Final = ("headline", "links", "images", "formatting", "nfc")
# In this order where a client of the server accepts several equally. Of formats with the same suffix or media type the
# first is chosen by it, the others by name only.
FORMATS: Final = Table("dehusk.formats", Format, UsageError, (
    Format("json", "dehusk.formats.json:render", (".json",), "application/json", options=("nfc", "explain"),
           several="dehusk.formats.several:LINES", is_object=True),
    Format("markdown", "dehusk.formats.markdown:render", (".md", ".markdown"), "text/markdown", ("text/x-markdown",),
           aliases=("md",), options=(*OUTLINE, "metadata"), several="dehusk.formats.several:MARKDOWN"),
    Format("text", "dehusk.formats.text:render", (".txt",), options=("nfc", "metadata", "explain")),
    Format("html", "dehusk.formats.html:render", (".html", ".htm"), "text/html", ("application/xhtml+xml",),
           options=OUTLINE, several="dehusk.formats.several:HTML"),
    Format("xml", "dehusk.formats.xml:render", (".xml",), "application/xml", ("text/xml",), options=("nfc",),
           several="dehusk.formats.several:XML"),
    Format("tei", "dehusk.formats.tei:render", (".tei.xml",), "application/tei+xml", options=OUTLINE,
           several="dehusk.formats.several:TEI"),
    Format("cleaneval", "dehusk.formats.cleaneval:render", (".txt",), options=("nfc",)),
    Format("report", "dehusk.formats.report:render", (".html",), "text/html",
           options=("nfc", "explain", "beside", "picture"), several="dehusk.formats.several:REPORTS", has_scripts=True),
), _check_plugin)  # fmt: skip


def names() -> list[str]:
    """Return the names of all formats.

    >>> names()  # doctest: +ELLIPSIS
    ['cleaneval', ...'html', 'json', 'markdown', ...]
    """
    return sorted(FORMATS)


def knowing(option: str) -> str:
    """Return the names of the built-in formats for which an option makes a difference.

    >>> knowing("links")
    'markdown, html, tei'
    """
    return ", ".join(entry.name for entry in FORMATS.built_in.values() if option in entry.options)


@cache
def by_name(name: str) -> Format:
    """Return the format of that name or alias.

    >>> by_name("md").name
    'markdown'
    """
    for entry in FORMATS.built_in.values():
        if name in (entry.name, *entry.aliases):
            return entry
    if name in FORMATS:
        return FORMATS[name]
    for entry in FORMATS.usable()[0]:  # what other names a plug-in has is known only when it is loaded
        if name in entry.aliases:
            return entry
    raise UsageError(f"no format is called {name!r}; there are {', '.join(names())}", setting="format")


def by_suffix(file_name: str) -> Format | None:
    """Return the format of a file by its suffix, the longest if several fit; None if none fits.

    >>> [entry and entry.name for entry in map(by_suffix, ("a.tei.xml", "A.HTM", "a.pdf"))]
    ['tei', 'html', None]
    """
    return _fitting(file_name, FORMATS.built_in.values()) or _fitting(file_name, FORMATS.usable()[0])


def _fitting(file_name: str, formats: Iterable[Format]) -> Format | None:
    suffixes = ((suffix, entry) for entry in formats for suffix in entry.suffixes)
    fitting = [(len(suffix), entry) for suffix, entry in suffixes if file_name.lower().endswith(suffix)]
    return max(fitting, key=itemgetter(0))[1] if fitting else None  # the first of those with the longest


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
    entry = by_name(name)
    if beside is None and picture is None:
        return entry.render(document, every=every, look=look)
    entry.check_beside()
    return entry.render(document, every=every, look=look, beside=beside, picture=picture)
