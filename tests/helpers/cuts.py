"""Cuts for tests: documents whose blocks are the text nodes of a page, so that edges run through words."""

from collections.abc import Sequence

import numpy as np

from dehusk import Blocks, Document, Page, Scores
from dehusk.document import assemble


def by_leaf(html: str, scores: Sequence[float], threshold: float = 0.5) -> Document:
    """Return a page with one block per text node, scored as given."""
    page = Page.from_html(html)
    leaves, rows = page.leaves, np.arange(len(page.leaves), dtype=np.int32)
    blocks = Blocks(
        page.text, leaves.start, leaves.end, leaves.hidden, rows * 0, page.elements, leaves.element, rows, rows + 1
    )
    return assemble(page, blocks, Scores(blocks, np.array(scores, np.float64), "leaf"), threshold)
