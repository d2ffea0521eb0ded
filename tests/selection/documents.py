"""Documents for the tests of the selection: pages whose blocks are scored as the test says."""

from collections.abc import Callable, Collection

import numpy as np

from dehusk import Document, Page, Scores
from dehusk.assemble import assemble
from dehusk.blocks import cut
from dehusk.selection import Selection

REFINED = Selection(refine=True)


def without(html: str, *dropped: str, selection: Selection = REFINED) -> Document:
    """Return a page of which blocks with these texts score 0.9, the others 0.1."""
    return scored(html, lambda text: 0.9 if text in dropped else 0.1, selection)


def only(html: str, *kept: str, selection: Selection = REFINED) -> Document:
    """Return a page of which blocks with these texts score 0.1, the others 0.9."""
    return scored(html, lambda text: 0.1 if text in kept else 0.9, selection)


def scored(html: str, score: Callable[[str], float], selection: Selection = REFINED) -> Document:
    """Return a page whose blocks have the score that follows from their text."""
    page = Page.from_html(html)
    blocks = cut(page)
    values = np.array([score(text) for text in blocks.strings()], np.float64)
    return assemble(page, blocks, Scores(blocks, values, "demo"), selection=selection)


def lines(document: Document) -> list[str]:
    """Return the texts of the blocks that are kept."""
    return [text for text, kept in zip(document.blocks.strings(), document.kept, strict=True) if kept]


def table(rows: Collection[str], *, caption: str = "", head: bool = True) -> str:
    """Return a table with a row per string, a cell per word, and a header unless there is to be none."""
    first = "th" if head else "td"
    cells = (
        "".join(f"<{tag}>{word}</{tag}>" for word in row.split())
        for row, tag in zip(rows, [first] + ["td"] * len(rows), strict=False)
    )
    name = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{name}{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
