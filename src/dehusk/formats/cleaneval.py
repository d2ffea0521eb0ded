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
MARKS: Final = {Kind.HEADING: "<h>", Kind.ITEM: "<l>"}
OWN_MARK: Final = re.compile(r"<(?=/?[phl]>)", re.IGNORECASE)


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write a line a block, with its mark.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Rain</h1><p>It rains.<ul><li>Again", method="alltext")))
    <h>Rain
    <p>It rains.
    <l>Again
    """
    marks = [MARKS.get(Kind(kind), "<p>") for kind in document.blocks.kinds()[0].tolist()]
    if not every:
        text = document.page.text
        return "\n".join(f"{marks[number]}{_line(text[start:end])}" for number, (start, end) in document.pieces)
    rows = zip(marks, document.kept.tolist(), document.blocks.strings(), strict=True)
    return "\n".join(f"{'-' * (not kept)}{mark}{_line(text)}" for mark, kept, text in rows)


def _line(text: str) -> str:
    line = " ".join(text.split())
    return OWN_MARK.sub("< ", line) if "<" in line else line
