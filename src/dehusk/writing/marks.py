"""Marks: what a page puts inside of its text that is none of it.

Links from a heading to itself, as documentation has them, links that edit a section, as wikis have them, and words in
the middle of a line that only screen readers are meant to say.
"""

from typing import Final

import numpy as np

from dehusk.html_tables import HEADINGS
from dehusk.page import Page, Span
from dehusk.page.walk_flags import BLOCK, ROLES
from dehusk.selection.signs import UNSEEN_CLASSES
from dehusk.writing.fast_marks import marked_leaves

# As in `fast_marks`. A heading that only screen readers are meant to say is one all the same.
NO_MARK, UNSEEN, EDIT, HEADING = 1, 2, 4, 8
TITLES: Final = frozenset({*HEADINGS, "dt"})
BLOCK_MARKS: Final = {
    tag: NO_MARK | (HEADING if tag in TITLES else 0) for tag, role in ROLES.items() if role & BLOCK
}  # fmt: skip
CLASS_MARKS: Final = {**dict.fromkeys(UNSEEN_CLASSES, UNSEEN), "mw-editsection": EDIT}


def marks(page: Page, spans: list[Span]) -> list[Span]:
    """Return the marks in spans of a page's text; none if these are all there is.

    >>> page = Page.from_html("<h2>Hay<a href=#hay>¶</a></h2><p>7 €<span class=sr-only> a bale</span>")
    >>> marks(page, [(0, len(page.text))])
    [(3, 4), (9, 15)]
    """
    leaves, elements = page.leaves, page.elements
    columns = (leaves.start, leaves.end, leaves.state, leaves.element, elements.tag, elements.node, elements.parents)
    marked = marked_leaves(page.text, spans, *columns, BLOCK_MARKS, CLASS_MARKS, np.zeros(len(elements), np.uint8))
    return [(int(leaves.start[leaf]), int(leaves.end[leaf])) for leaf in marked]
