"""xml: a corpus format after texrex: a `doc` with the page's metadata, and in it one `div` per block.

`bpv` is a block's boilerplate score and `bpc` its letter from a to j, for query engines without numbers. Of the page,
`nbc` and `nbd` count the characters and blocks that were kept, `nbcprop` and `nbdprop` are their shares, `avgbpc` and
`avgbpd` the mean scores. What is unknown has no attribute.

A page is one element that begins on a line of its own, without an XML declaration: corpus tools read many pages in a
row, and between the lines `<corpus>` and `</corpus>` they are one document.
"""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Kind
from dehusk.document import Document
from dehusk.fast_spans import totals
from dehusk.formats import PLAIN, Look
from dehusk.formats.fast_rows import xml_rows
from dehusk.reasons import reason_fields
from dehusk.whole_words import span_columns

LABELS: Final = [kind.label for kind in Kind]
PLAIN_KINDS: Final = [f'kind="{label}"' for label in LABELS]
KEPT: Final = {True: ' kept="yes"', False: ' kept="no"'}
# Unless written so, a parser turns a carriage return into a line end, and a line end in an attribute into a space.
IN_ATTRIBUTE: Final = (
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;"), ('"', "&quot;"), ("\n", "&#10;"), ("\t", "&#9;"),
)  # fmt: skip
NEEDS_ESCAPE: Final = re.compile(r'[&<>\r"\n\t]')
# What XML forbids, even as a reference; lone surrogates show when the text is encoded. Some control characters are
# white space to Python, and separate words.
CONTROLS: Final = bytes([*range(9), 0x0B, 0x0C, *range(0x0E, 0x20)])
REPLACEMENTS: Final = {code: " " if chr(code).isspace() else "\ufffd" for code in (*CONTROLS, 0xFFFE, 0xFFFF)}


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write the kept blocks, or every block and whether it was `kept`, as one XML element.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Fish &amp; chips</h1>", method="alltext")).partition("\\n")[2])
    <div idx="0" kind="heading" level="1" bpv="0.0000" bpc="a">Fish &amp; chips</div>
    </doc>
    """
    attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in _attributes(document) if value)
    return xml_safe(
        "\n".join([f"<doc{attributes}>", *_divs(document.written(every=every, nfc=look.nfc), every=every), "</doc>"])
    )


def xml_safe(text: str) -> str:
    r"""Return text with a space or U+FFFD for each character that XML forbids.

    >>> xml_safe("a\x00b\ud800c\ufffe\n")
    'a�b�c�\n'
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        # A lone surrogate becomes one replacement character, however many bytes its encoding has.
        return xml_safe(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    has_forbidden = len(data.translate(None, CONTROLS)) < len(data) or "\ufffe" in text or "\uffff" in text
    return text.translate(REPLACEMENTS) if has_forbidden else text


def _attributes(document: Document) -> Iterator[tuple[str, str | None]]:
    page, metadata = document.page, document.metadata
    yield "url", page.url
    yield "canonical", metadata.url if metadata.url != page.url else None
    yield "title", metadata.title or page.title
    yield "author", "; ".join(metadata.authors)
    yield "date", metadata.published
    yield "modified", metadata.modified
    yield "site", metadata.site
    yield "description", metadata.description
    yield "language", metadata.language
    yield "licence", metadata.licence
    yield "tags", "; ".join(metadata.tags)
    yield "sourcecharset", page.charset
    yield "sourcedoctype", page.doctype
    yield "method", document.scores.model
    yield "threshold", f"{document.threshold:g}"
    yield "kind", document.kind
    yield "confidence", None if document.confidence is None else f"{document.confidence:.4f}"
    yield from reason_fields(document.reason).items()
    yield from _totals(document)


def _totals(document: Document) -> Iterator[tuple[str, str]]:
    blocks, kept = document.blocks, np.ascontiguousarray(document.kept).view(np.uint8)
    counts = totals(*span_columns(blocks), kept, _values(document))
    characters, kept_characters, kept_blocks, scored, scored_blocks, weighted, plain = counts
    if not characters:
        return
    yield "nbc", f"{kept_characters}"
    yield "nbcprop", f"{kept_characters / characters:.4f}"
    yield "nbd", f"{kept_blocks}"
    yield "nbdprop", f"{kept_blocks / len(kept):.4f}"
    if scored_blocks:
        yield "avgbpc", f"{weighted / scored:.4f}"
        yield "avgbpd", f"{plain / scored_blocks:.4f}"


def _divs(document: Document, *, every: bool) -> list[str]:
    blocks, flags = document.blocks, _flags(document, every=every)
    whole = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    pieces = list(enumerate(whole)) if every else document.pieces
    kinds = [
        f'kind="{LABELS[code & 0xFF]}" level="{code >> 8}"' if code >> 8 else PLAIN_KINDS[code]
        for code in blocks.codes(None if every else [index for index, _ in pieces])
    ]
    return xml_rows(document.page.text, pieces, _values(document), kinds, flags)


def _values(document: Document) -> NDArray[np.float64]:
    """Return the scores as the compiled code reads them, whatever type a method gave them."""
    return np.ascontiguousarray(document.scores.values, np.float64)


def _flags(document: Document, *, every: bool) -> dict[int, str]:
    """Return the attributes that only few blocks have, by block; with `every` block also whether it was kept."""
    flags: dict[int, str] = {}
    for column, flag in ((document.blocks.hidden, ' hidden="yes"'), (document.scores.comments, ' comment="yes"')):
        # Bytes are searched in a fraction of the time that arrays take.
        if column is not None and b"\x01" in column.tobytes():
            for index in np.flatnonzero(column).tolist():
                flags[index] = flags.get(index, "") + flag
    if every:
        return {index: flags.get(index, "") + KEPT[kept] for index, kept in enumerate(document.kept.tolist())}
    return flags


def _escaped(text: str) -> str:
    if NEEDS_ESCAPE.search(text):
        for character, reference in IN_ATTRIBUTE:
            text = text.replace(character, reference)
    return text
