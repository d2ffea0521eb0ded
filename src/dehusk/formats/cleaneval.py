"""cleaneval: the lines of CleanEval's gold: `<h>` before a heading, `<l>` before a list item, `<p>` before all else.

White space is collapsed. The format has no escapes, so a tag in the page's own text is written `< p>`. With `every`
block, dropped ones have a minus before their tag; the other lines are those that were kept.
"""

import re
from typing import Final

from dehusk.blocks import Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.fast_rows import cleaneval_line, cleaneval_lines

TAGS: Final = ["<h>" if kind is Kind.HEADING else "<l>" if kind is Kind.ITEM else "<p>" for kind in Kind]
TAG_IN_TEXT: Final = re.compile(r"<(?=/?[phl]>)", re.IGNORECASE)


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write one line per block, with its tag.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Rain</h1><p>It rains.<ul><li>Again", method="alltext")))
    <h>Rain
    <p>It rains.
    <l>Again
    """
    document = document.written(every=every, nfc=look.nfc)
    blocks, text = document.blocks, document.page.text
    if not every:
        pieces = document.pieces
        codes = blocks.codes([index for index, _ in pieces])
        return "\n".join(cleaneval_lines(text, pieces, codes, TAGS, TAG_IN_TEXT))
    signs = ["" if kept else "-" for kept in document.kept.tolist()]
    lines = zip(signs, blocks.codes(), blocks.strings(), strict=True)
    return "\n".join(f"{sign}{TAGS[code & 0xFF]}{cleaneval_line(text, TAG_IN_TEXT)}" for sign, code, text in lines)
