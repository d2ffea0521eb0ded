"""xml: a corpus format after texrex: a `doc` with what is known of a page, in it a `div` a block.

`bpv` is a block's boilerplate score and `bpc` its letter from a to j, so that query engines that know no numbers can
select by it. Of the page, `nbc` and `nbd` count the characters and blocks that were kept, `nbcprop` and `nbdprop` are
their shares, `avgbpc` and `avgbpd` the mean scores. What is not known has no attribute.

A page is one element that begins on a line of its own, without an XML declaration: many pages in a row are what corpus
tools read, and between two lines `<corpus>` and `</corpus>` they are one document.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from dehusk.blocks import Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look

SUFFIX = ".xml"
LABELS: Final = [kind.label for kind in Kind]
KEPT: Final = {True: ' kept="yes"', False: ' kept="no"'}
# A parser turns a carriage return into a line end, and line ends in attributes into blanks, unless they are written so.
IN_TEXT: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;"))
IN_ATTRIBUTE: Final = (*IN_TEXT, ('"', "&quot;"), ("\n", "&#10;"), ("\t", "&#9;"))
# What no XML may hold, not even as a reference; halves of surrogate pairs show when the text is encoded. Some controls
# are white space to Python, and part words.
CONTROLS: Final = bytes([*range(9), 0x0B, 0x0C, *range(0x0E, 0x20)])
UNFIT: Final = {code: " " if chr(code).isspace() else "\ufffd" for code in (*CONTROLS, 0xFFFE, 0xFFFF)}


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write the kept blocks, or every block and whether it was `kept`, as one XML element.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Fish &amp; chips</h1>", method="alltext")).partition("\\n")[2])
    <div idx="0" kind="heading" level="1" bpv="0.0000" bpc="a">Fish &amp; chips</div>
    </doc>
    """
    page = "".join(f' {name}="{_escaped(value, IN_ATTRIBUTE)}"' for name, value in _facts(document) if value)
    return fit("\n".join([f"<doc{page}>", *_divs(document, every=every), "</doc>"]))


def fit(text: str) -> str:
    r"""Return text with a replacement, a blank or U+FFFD, for each character that XML may not hold.

    >>> fit("a\x00b\ud800c\ufffe\n")
    'a�b�c�\n'
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        # A half becomes one replacement character, whatever its encoding takes.
        return fit(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    odd = len(data.translate(None, CONTROLS)) < len(data) or "\ufffe" in text or "\uffff" in text
    return text.translate(UNFIT) if odd else text


def _facts(document: Document) -> Iterator[tuple[str, str | None]]:
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
    yield "reason", document.reason
    yield from _totals(document)


def _totals(document: Document) -> Iterator[tuple[str, str]]:
    length, kept = document.blocks.end - document.blocks.start, document.kept
    characters = int(length.sum())
    if not characters:
        return
    kept_characters, kept_blocks = int(length @ kept), int(np.count_nonzero(kept))
    yield "nbc", f"{kept_characters}"
    yield "nbcprop", f"{kept_characters / characters:.4f}"
    yield "nbd", f"{kept_blocks}"
    yield "nbdprop", f"{kept_blocks / len(kept):.4f}"
    scored = ~np.isnan(document.scores.values)
    values, weights = document.scores.values[scored], length[scored]
    if len(values):
        yield "avgbpc", f"{values @ weights / weights.sum():.4f}"
        yield "avgbpd", f"{values.sum() / len(values):.4f}"


def _divs(document: Document, *, every: bool) -> Iterator[str]:
    blocks, scores, text = document.blocks, document.scores, document.page.text
    values, letters, kept = scores.values.tolist(), scores.letters, document.kept.tolist()
    kinds, levels = (column.tolist() for column in blocks.kinds())
    marks = _marks(document)
    places = enumerate(zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)) if every else document.pieces
    for number, (start, end) in places:
        level = f' level="{levels[number]}"' if levels[number] else ""
        fate = KEPT[kept[number]] if every else ""
        value = values[number]
        score = f' bpv="{value:.4f}" bpc="{letters[number]}"' if value >= 0 else ""  # NaN, not scored, is not
        head = f'idx="{number}" kind="{LABELS[kinds[number]]}"{level}{marks.get(number, "")}{fate}{score}'
        # A loop over `IN_TEXT` would take twice as long, and blocks are many.
        piece = text[start:end].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
        yield f"<div {head}>{piece}</div>"


def _marks(document: Document) -> dict[int, str]:
    """Return what only few blocks have an attribute for, by their numbers."""
    marks = dict.fromkeys(np.flatnonzero(document.blocks.hidden).tolist(), ' hidden="yes"')
    if document.scores.comments is not None:
        for number in np.flatnonzero(document.scores.comments).tolist():
            marks[number] = marks.get(number, "") + ' comment="yes"'
    return marks


def _escaped(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for character, reference in pairs:
        text = text.replace(character, reference)
    return text
