"""cleaneval: the lines of CleanEval's gold: `<h>` before a heading, `<l>` before a list item, `<p>` before all else.

White space is single. The format has no escapes, so a mark that stands in the page's own text is written `< p>`. Of
`every` block, those that were dropped have a minus before their mark: without the lines that begin with one, what is
left is what was kept.
"""

import re
from typing import Final

from dehusk.blocks import Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look

SUFFIX = ".txt"
MARKS: Final = ["<h>" if kind is Kind.HEADING else "<l>" if kind is Kind.ITEM else "<p>" for kind in Kind]
OWN_MARK: Final = re.compile(r"<(?=/?[phl]>)", re.IGNORECASE)


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write a line a block, with its mark.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Rain</h1><p>It rains.<ul><li>Again", method="alltext")))
    <h>Rain
    <p>It rains.
    <l>Again
    """
    blocks, text = document.blocks, document.page.text
    if not every:
        pieces = document.pieces
        codes = blocks.codes([number for number, _ in pieces])
        rows = zip(codes, pieces, strict=True)
        return "\n".join([f"{MARKS[code & 0xFF]}{_line(text[start:end])}" for code, (_, (start, end)) in rows])
    fates = ["" if kept else "-" for kept in document.kept.tolist()]
    lines = zip(fates, blocks.codes(), blocks.strings(), strict=True)
    return "\n".join(f"{fate}{MARKS[code & 0xFF]}{_line(text)}" for fate, code, text in lines)


def _line(text: str) -> str:
    # White space other than the blank is unprintable, and most blocks have none.
    line = text if text.isprintable() and "  " not in text else " ".join(text.split())
    return OWN_MARK.sub("< ", line) if "<" in line else line
