"""Signs: what the selection asks of every block that is kept, in one number, so that most pages need nothing more."""

from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.html_tables import HEADINGS
from dehusk.page.leaves import BoolArray, IntArray
from dehusk.page.walk_flags import ROLES
from dehusk.selection.fast_signs import fill_signs

# What is above a block.
TABLE: Final = 1
NOSCRIPT: Final = 2
TEXTAREA: Final = 4
HEADING: Final = 8
UNSEEN: Final = 16  # a block-level element whose class shows it to screen readers only
# Its text begins with a bracket.
BRACKET: Final = 32
# Of an element alone: its class is read.
IS_BLOCK: Final = 64
# Above a block: a dialog that keeps readers from the page until it is closed. What role it has says less: of 377 words
# that were kept in dialogs gold wants 225, of 100 in modal ones 19.
MODAL: Final = 128
MAY_BE_MODAL: Final = 256  # of an element alone
# Above a block: a button, unless it opens and closes something, as the questions of a list of answers do.
BUTTON: Final = 512
MAY_BE_BUTTON: Final = 1024  # of an element alone

# Block-level tags that have such a class; reading those of paragraphs and items too would take twice as long.
CLASSED: Final = frozenset({"div", "caption", "legend"})
MODALS: Final = frozenset({"div", "section", "aside", "dialog"})
# By tag, what an element passes on to the blocks in it, and whether its class is read.
TAG_SIGNS: Final[dict[str, int]] = {
    tag: {"table": TABLE, "noscript": NOSCRIPT, "textarea": TEXTAREA, "button": MAY_BE_BUTTON}.get(tag, 0)
    | (HEADING if tag in HEADINGS else 0)
    | (IS_BLOCK if tag in CLASSED else 0)
    | (MAY_BE_MODAL if tag in MODALS else 0)
    for tag in ROLES
}
# Class names by which style sheets take text out of sight for all but screen readers. Under `modal` and `hidden` is
# as much main text as elsewhere, so the scores decide: gold wants 83 % and 91 % of what was kept there.
UNSEEN_CLASSES: Final = frozenset({
    "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "screenreader-only",
    "a11y-hidden", "assistive-text", "element-invisible",
})  # fmt: skip


def read_signs(blocks: Blocks, kept: BoolArray) -> tuple[IntArray, int]:
    """Return the signs of the blocks that are kept, 0 for all others, and all of these signs together.

    >>> from dehusk.blocks import cut
    >>> from dehusk.page import Page
    >>> blocks = cut(Page.from_html("<p>{{ name }}<table><tr><td><h2>One</h2><td>Two"))
    >>> signs, any_signs = read_signs(blocks, np.array([True, True, False]))
    >>> signs == [BRACKET, TABLE | HEADING, 0]
    array([ True,  True,  True])
    """
    elements, signs = blocks.elements, np.zeros(len(blocks), np.int32)
    start, owner = (np.ascontiguousarray(column, np.int32) for column in (blocks.start, blocks.owner))
    of_elements = np.full(len(elements), -1, np.int32)
    of_elements[0] = 0
    columns = (elements.tag, elements.node, elements.parents, TAG_SIGNS, UNSEEN_CLASSES)
    rooms = (of_elements, np.empty_like(of_elements), signs)
    any_signs = fill_signs(blocks.text, start, owner, kept.view(np.uint8), *columns, *rooms)
    return signs, int(any_signs)
