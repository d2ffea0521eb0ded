"""Page: a web page as one string of text whose pieces know their place. Only page/ and core/ import the HTML parser."""

import codecs
import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal, Self

import numpy as np
from turbohtml import Doctype, Document, parse

from dehusk.config import Limits
from dehusk.errors import UsageError
from dehusk.page.charset import decode, utf16_without_mark
from dehusk.page.leaves import NEW_BLOCK, NEW_LINE, Elements, IntArray, Leaves, walk
from dehusk.page.source_spans import Span, source_spans
from dehusk.page.unwrap import paragraphs
from dehusk.page.xpaths import XPaths

__all__ = ["DoctypeClass", "Elements", "Leaves", "Page", "Span"]

DoctypeClass = Literal["html5", "html4", "xhtml", "none"]
TYPE: Final = 'meta[property="og:type"]'
SHADOW: Final = "template[shadowrootmode]"
START_TAG: Final = re.compile(r"<[a-zA-Z]")
# The first bytes of what is often served in place of a page.
OTHER_FORMATS: Final = (
    (b"%PDF-", "PDF"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xd0\xcf\x11\xe0", "Office document"),
)
# What the WHATWG calls binary data bytes, without the escape of ISO-2022-JP.
CONTROLS: Final = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """One page: where it came from, its markup, its tree, and its text with the leaves that make it up.

    >>> page = Page.from_html("<p>One <b>two</b>three<p>four")
    >>> page.text
    'One twothree\\nfour'
    >>> [page.text[start:end] for start, end in zip(page.leaves.start, page.leaves.end)]
    ['One', 'two', 'three', 'four']
    """

    url: str | None
    charset: str
    doctype: DoctypeClass
    html: str = field(repr=False)
    tree: Document | None = field(repr=False)
    text: str = field(repr=False)
    elements: Elements = field(repr=False)
    leaves: Leaves = field(repr=False)
    reason: str = ""  # why the text is empty or incomplete; "" when all went well
    limits: Limits = field(default_factory=Limits, repr=False)

    @classmethod
    def from_bytes(
        cls, data: bytes, *, url: str | None = None, charset: str | None = None, limits: Limits | None = None
    ) -> Self:
        """Decode and parse a page; `charset` is what the transport said, where it said something."""
        limits = limits or Limits()
        if len(data) > limits.bytes:
            return cls._refused(f"too large: more than {limits.bytes:,} bytes", url)
        if other := _other_format(data):
            return cls._refused(f"not a page: {other}", url)
        html, name = decode(data, charset)
        return cls._parsed(html, name, url, limits)

    @classmethod
    def from_html(cls, html: str, *, url: str | None = None, limits: Limits | None = None) -> Self:
        """Parse a page that has been decoded already."""
        limits = limits or Limits()
        if len(html) > limits.bytes:
            return cls._refused(f"too large: more than {limits.bytes:,} characters", url)
        return cls._parsed(_encodable(html).removeprefix("\ufeff"), "utf-8", url, limits)

    @classmethod
    def from_text(
        cls,
        text: bytes | str,
        *,
        url: str | None = None,
        charset: str | None = None,
        limits: Limits | None = None,
    ) -> Self:
        """Take plain text as a page: each line that is not blank is a leaf, and lines that were wrapped are one block.

        >>> Page.from_text("One  line.\\n\\nAnother.").text
        'One line.\\nAnother.'
        """
        limits, name = limits or Limits(), "utf-8"
        if len(text) > limits.bytes:
            unit = "bytes" if isinstance(text, bytes) else "characters"
            return cls._refused(f"too large: more than {limits.bytes:,} {unit}", url)
        if isinstance(text, bytes):
            if other := _other_format(text):
                return cls._refused(f"not text: {other}", url)
            text, name = decode(text, charset)
        text = _encodable(text).removeprefix("\ufeff")
        found = paragraphs(text)
        lines = [line for paragraph in found for line in paragraph]
        leaves = _line_leaves(lines, [len(paragraph) for paragraph in found])
        return cls(url, name, "none", text, None, "\n".join(lines), Elements.none(), leaves, limits=limits)

    @classmethod
    def _parsed(cls, html: str, charset: str, url: str | None, limits: Limits) -> Self:
        # Scripting on, so that noscript in head cannot end the head; its text is parsed on its own in the walk.
        start = _up_to(html, limits.elements)
        tree = parse(start, positions=False, scripting=True, allow_declarative_shadow_roots=False)
        # Asking the tree costs nothing, searching the source would; so the few pages with shadows are parsed again.
        if shadows := tree.select_one(SHADOW) is not None:
            tree = parse(start, positions=False, scripting=True)
        found = walk(tree, limits.elements, shadows=shadows)
        reason = "" if found.complete and start is html else f"cut off after {limits.elements:,} elements"
        doctype = _doctype(tree)
        return cls(url, charset, doctype, html, tree, found.text, found.elements, found.leaves, reason, limits)

    @classmethod
    def _refused(cls, reason: str, url: str | None) -> Self:
        return cls(url, "utf-8", "none", "", None, "", Elements.none(), _line_leaves([], []), reason)

    @property
    def title(self) -> str:
        """What the page's `title` element says, or ''."""
        found = self.tree.select_one("title") if self.tree else None
        return " ".join(found.text.split()) if found else ""

    @property
    def declared_type(self) -> str:
        """What the page says that it is, as og:type has it: 'article', 'product', 'website'…, or ''."""
        # Only the head is asked: most pages do not say, and would be searched to their end.
        head = self.tree.select_one("head") if self.tree else None
        found = head.select_one(TYPE) if head else None
        said = found.attr("content") if found else None
        # `video.movie` and `og:product` are told by their first and last words.
        return (said or "").lower().partition(".")[0].rpartition(":")[2].strip()

    @property
    def refused(self) -> bool:
        """Whether the page was not looked at: too large, or no page at all."""
        return self.tree is None and bool(self.reason)

    def paths(self) -> XPaths:
        """Return the XPaths of the page, to be asked for any two elements.

        >>> page = Page.from_html("<div><p>One<p>Two <i>three</i></div>")
        >>> page.paths().of(*page.leaves.element[1:3])
        '/html/body/div/p[2]'
        """
        return XPaths(self.elements)

    def source_spans(self) -> list[Span | None]:
        """Return where in `html` each leaf stands: what lies between the tags round it, None where nodes were moved.

        >>> page = Page.from_html("<p>Fish &amp; <b>chips</b>")
        >>> page.source_spans(), page.html[3:14]
        ([(3, 14), (17, 22)], 'Fish &amp; ')
        """
        if self.tree is None:
            return [None] * len(self.leaves)
        strings = [self.text[start:end] for start, end in zip(self.leaves.start, self.leaves.end, strict=True)]
        return source_spans(self.html, strings, self.limits.elements, shadows="shadowrootmode" in self.html)


def as_page(
    source: "bytes | str | Page", *, url: str | None, charset: str | None, limits: Limits, plain: bool = False
) -> Page:
    """Return `source` as a page, whichever of the three it is; `plain` text has no markup to be parsed."""
    match source:
        case Page():
            return source
        case bytes() | bytearray() | memoryview() | str() if plain:
            text = source if isinstance(source, str) else bytes(source)
            return Page.from_text(text, url=url, charset=charset, limits=limits)
        case bytes() | bytearray() | memoryview():
            return Page.from_bytes(bytes(source), url=url, charset=charset, limits=limits)
        case str():
            return Page.from_html(source, url=url, limits=limits)
        case _:
            raise UsageError(f"a page must be bytes, str or Page, got {type(source).__name__}")


def _other_format(data: bytes) -> str:
    """Return what the bytes are if they are no page, else "".

    >>> _other_format(b"%PDF-1.7"), _other_format(bytes(range(256)) * 5), _other_format(b"<p>Hello")
    ('PDF', 'binary data', '')
    """
    for magic, name in OTHER_FORMATS:
        if data.startswith(magic):
            return name
    sample = data[:1445]  # as far as browsers look, too
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    # Text in UTF-16 is full of NULs, and a page that begins with a tag is meant as a page whatever follows.
    if controls * 10 > len(sample) and not sample.lstrip().startswith(b"<") and not utf16_without_mark(sample):
        return "" if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "binary data"
    return ""


def _doctype(tree: Document) -> DoctypeClass:
    for node in tree.children:
        if isinstance(node, Doctype):
            public = (node.public_id or "").lower()
            return "xhtml" if "xhtml" in public else "html4" if "html" in public else "html5"
    return "none"


def _up_to(html: str, elements: int) -> str:
    """Return the markup up to its start tag number `elements`, so that parsing more is not paid for.

    >>> _up_to("<p>a<p>b<p>c", 2)
    '<p>a<p>b'
    """
    # The shortest start tag has three characters, so most pages need not be looked at.
    if len(html) <= 3 * elements or html.count("<") <= elements:
        return html
    beyond = next(islice(START_TAG.finditer(html), elements, None), None)
    return html if beyond is None else html[: beyond.start()]


def _encodable(text: str) -> str:
    """Replace lone surrogates, which no encoder would take later on."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _line_leaves(lines: list[str], sizes: list[int]) -> Leaves:
    """Return a leaf a line; `sizes` has how many lines each block has."""
    length = np.array([len(line) for line in lines], np.int32)
    end = np.cumsum(length + 1, dtype=np.int32) - 1
    zeros: IntArray = np.zeros(len(lines), np.int32)
    parted = np.full(len(lines), NEW_LINE, np.uint8)
    parted[np.cumsum([0, *sizes[:-1]])[: len(lines)]] = NEW_BLOCK
    return Leaves(end - length, end, zeros, zeros + 1, parted, zeros.astype(np.uint8))
