"""Page: a web page as one string of text whose pieces know their place. Only page/ imports the HTML parser."""

import codecs
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, Self

import numpy as np
from turbohtml import Doctype, Document, parse

from dehusk.config import Limits
from dehusk.errors import UsageError
from dehusk.page.charset import decode, utf16_without_mark
from dehusk.page.fast_walk import Span, walk
from dehusk.page.leaves import Elements, IntArray, Leaves
from dehusk.page.source_limits import MULTIPLIES, parsable
from dehusk.page.source_spans import source_spans
from dehusk.page.unwrap import paragraphs
from dehusk.page.walk_flags import NEW_BLOCK, NEW_LINE
from dehusk.page.xpaths import XPaths
from dehusk.reasons import Code, Reason, cut_off

__all__ = ["DoctypeClass", "Elements", "Leaves", "Page", "Source", "Span", "as_page"]

DoctypeClass = Literal["html5", "html4", "xhtml", "none"]
OG_TYPE: Final = 'meta[property="og:type"]'
# The first bytes of files that are often served in place of a page.
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
LINE_ENDS: Final = dict.fromkeys(map(ord, "\t\n\r"))  # which browsers leave out of addresses


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """One page: where it came from, its markup, its tree, and its text with the leaves that make it up.

    >>> page = Page.from_html("<p>One <b>two</b>three<p>four")
    >>> page
    Page(charset='utf-8', doctype='none', 17 characters)
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
    reason: Reason | None = None  # why the text is empty or incomplete; None when all went well
    limits: Limits = field(default_factory=Limits, repr=False)

    def __repr__(self) -> str:
        fields = {"url": self.url, "title": self.title[:80], "charset": self.charset, "doctype": self.doctype}
        shown = [f"{name}={value!r}" for name, value in fields.items() if value]
        shown += [f"{len(self.text)} characters"] + [f"reason={str(self.reason)!r}"] * bool(self.reason)
        return f"Page({', '.join(shown)})"

    @classmethod
    def from_bytes(
        cls, data: bytes, *, url: str | None = None, charset: str | None = None, limits: Limits | None = None
    ) -> Self:
        """Decode and parse a page; `charset` comes from the transport, if it gave one.

        >>> Page.from_bytes(b"<p>Gr\\xc3\\xbc\\xc3\\x9fe").text
        'Grüße'
        """
        limits = limits or Limits()
        if problem := _problem(data, limits, "a page"):
            return cls._refused(problem, url)
        html, name = decode(data, charset)
        return cls._parsed(html, name, url, limits)

    @classmethod
    def from_html(cls, html: str, *, url: str | None = None, limits: Limits | None = None) -> Self:
        """Parse a page that is already decoded.

        >>> Page.from_html("<title>Rain</title><p>It rained.").title
        'Rain'
        """
        limits = limits or Limits()
        if problem := _problem(html, limits, "a page"):
            return cls._refused(problem, url)
        return cls._parsed(_encodable(html).removeprefix("\ufeff"), "utf-8", url, limits)

    @classmethod
    def from_text(
        cls, text: bytes | str, *, url: str | None = None, charset: str | None = None, limits: Limits | None = None
    ) -> Self:
        """Make a page of plain text: each line that is not blank is a leaf, and wrapped lines are one block.

        >>> Page.from_text("One  line.\\n\\nAnother.").text
        'One line.\\nAnother.'
        """
        limits, name = limits or Limits(), "utf-8"
        if problem := _problem(text, limits, "text"):
            return cls._refused(problem, url)
        if isinstance(text, bytes):
            text, name = decode(text, charset)
        text = _encodable(text).removeprefix("\ufeff")
        blocks = paragraphs(text)
        lines = [line for block in blocks for line in block]
        leaves = _line_leaves(lines, [len(block) for block in blocks])
        joined = "\n".join(lines)
        return cls(_address(url), name, "none", text, None, joined, Elements.none(), leaves, limits=limits)

    @classmethod
    def _parsed(cls, html: str, charset: str, url: str | None, limits: Limits) -> Self:
        # With scripting, a noscript in the head cannot end the head; the walk parses its text on its own.
        start, reason = parsable(html, limits)
        tree = parse(start, positions=False, scripting=True, allow_declarative_shadow_roots=False)
        walked = walk(tree, limits.elements, False)
        if walked.shadow_roots:  # which few pages have, and a walk takes longer if it looks into them
            tree = parse(start, positions=False, scripting=True)
            walked = walk(tree, limits.elements, True)
        text, elements, leaves, complete, whole_fragments, _ = walked
        if not complete:
            reason = cut_off(limits.elements, "elements")
        elif not whole_fragments:
            reason = reason or MULTIPLIES
        return cls(_address(url), charset, _doctype(tree), html, tree, text, elements, leaves, reason, limits)

    @classmethod
    def _refused(cls, reason: Reason, url: str | None) -> Self:
        return cls(_address(url), "utf-8", "none", "", None, "", Elements.none(), _line_leaves([], []), reason)

    @property
    def title(self) -> str:
        """The text of the page's `title` element, or ''."""
        title = self.tree.find("title") if self.tree else None
        return " ".join(title.text.split()) if title else ""

    @property
    def declared_type(self) -> str:
        """The type that the page declares by og:type, such as 'article', 'product' or 'website', or ''."""
        # Only the head is searched: most pages declare none, and would be searched to their end.
        head = self.tree.find("head") if self.tree else None
        meta = head.select_one(OG_TYPE) if head else None
        declared = meta.attr("content") if meta else None
        # `video.movie` is a video, `og:product` a product.
        return (declared or "").lower().partition(".")[0].rpartition(":")[2].strip()

    @property
    def refused(self) -> bool:
        """Whether the page was not parsed: too large, or no page at all."""
        return self.tree is None and bool(self.reason)

    def paths(self) -> XPaths:
        """Return the XPaths of the page's elements.

        >>> page = Page.from_html("<div><p>One<p>Two <i>three</i></div>")
        >>> page.paths().of(*page.leaves.element[1:3])
        '/html/body/div/p[2]'
        """
        return XPaths(self.elements)

    def source_spans(self) -> list[Span | None]:
        """Return the span of each leaf in `html`: what lies between the tags around it, None where nodes were moved.

        >>> page = Page.from_html("<p>Fish &amp; <b>chips</b>")
        >>> page.source_spans(), page.html[3:14]
        ([(3, 14), (17, 22)], 'Fish &amp; ')
        """
        if self.tree is None:
            return [None] * len(self.leaves)
        strings = [self.text[start:end] for start, end in zip(self.leaves.start, self.leaves.end, strict=True)]
        html = parsable(self.html, self.limits).html
        return source_spans(html, strings, self.limits.elements, shadows="shadowrootmode" in html)


class Source(NamedTuple):
    """A page still to be read: its bytes or markup, and what is known of where it came from.

    >>> import dehusk
    >>> source = Source(b"<p>Gr\\xfc\\xdfe", url="https://example.org/", charset="latin-1")
    >>> dehusk.extract(source, method="alltext").text
    'Grüße'
    """

    data: bytes | str
    url: str | None = None
    charset: str | None = None  # from the transport, such as an HTTP header
    plain: bool = False  # plain text, without markup


def as_page(
    source: bytes | str | Source | Page,
    *,
    url: str | None = None,
    charset: str | None = None,
    limits: Limits | None = None,
) -> Page:
    """Return `source` as a page, whichever of the four it is; a `Source` has its own url and charset."""
    if isinstance(source, Page):
        return source
    data, url, charset, plain = source if isinstance(source, Source) else (source, url, charset, False)
    if isinstance(data, (bytearray, memoryview)):
        data = bytes(data)
    if not isinstance(data, (bytes, str)):
        raise UsageError(f"a page must be bytes, str or Page, got {type(data).__name__}")
    if plain:
        return Page.from_text(data, url=url, charset=charset, limits=limits)
    if isinstance(data, str):
        return Page.from_html(data, url=url, limits=limits)
    return Page.from_bytes(data, url=url, charset=charset, limits=limits)


def _problem(data: bytes | str, limits: Limits, expected: str) -> Reason | None:
    """Return why data cannot be a page or text, else None."""
    if len(data) > limits.bytes:
        unit = "bytes" if isinstance(data, bytes) else "characters"
        return Reason(Code.TOO_LARGE, unit, limit=limits.bytes, seen=len(data))
    other = _other_format(data) if isinstance(data, bytes) else ""
    return Reason(Code.NOT_A_PAGE, f"{expected}: {other}") if other else None


def _other_format(data: bytes) -> str:
    """Return the format of bytes that are no page, else "".

    >>> _other_format(b"%PDF-1.7"), _other_format(bytes(range(256)) * 5), _other_format(b"<p>Hello")
    ('PDF', 'binary data', '')
    """
    for magic, name in OTHER_FORMATS:
        if data.startswith(magic):
            return name
    sample = data[:1445]  # as far as browsers look
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


def _address(url: str | None) -> str | None:
    """Return a URL without the characters that would end its line or cannot be encoded, wherever it came from."""
    return None if url is None else _encodable(url).translate(LINE_ENDS).strip()


def _encodable(text: str) -> str:
    """Replace lone surrogates, which no encoder accepts later on."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _line_leaves(lines: list[str], sizes: list[int]) -> Leaves:
    """Return one leaf per line; `sizes` are the numbers of lines of the blocks."""
    length = np.array([len(line) for line in lines], np.int32)
    end = np.cumsum(length + 1, dtype=np.int32) - 1
    zeros: IntArray = np.zeros(len(lines), np.int32)
    gap = np.full(len(lines), NEW_LINE, np.uint8)
    gap[np.cumsum([0, *sizes[:-1]])[: len(lines)]] = NEW_BLOCK
    return Leaves(end - length, end, zeros, zeros + 1, gap, zeros.astype(np.uint8))
