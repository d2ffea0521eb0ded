"""The numbers of an outline: kinds of containers, kinds of leaf blocks, styles of text.

This module is not compiled, so that Python and compiled modules can both import it.
"""

from typing import Final

# Kinds of containers: blocks that hold other blocks.
ROOT: Final = 0
QUOTE: Final = 1
LIST: Final = 2
LIST_ITEM: Final = 3
DEFINITION_LIST: Final = 4
TERM: Final = 5
DEFINITION: Final = 6
TABLE: Final = 7
TABLE_CAPTION: Final = 8
CELL: Final = 9
FIGURE: Final = 10
FIGURE_CAPTION: Final = 11
FOOTNOTE: Final = 12
# Containers that hold one leaf block, because no format lets them hold paragraphs.
INLINE_ONLY: Final = frozenset({TERM, TABLE_CAPTION, FIGURE_CAPTION})
# Containers that may hold text without a paragraph around it.
HOLD_BARE_TEXT: Final = INLINE_ONLY | {LIST_ITEM, DEFINITION, CELL, FOOTNOTE}
# Containers that hold nothing but certain other containers.
HOLD_NO_TEXT: Final = frozenset({LIST, DEFINITION_LIST, TABLE})

# Kinds of leaf blocks: blocks that hold text.
BARE: Final = 0  # text directly in its container, as the first thing in it
PARAGRAPH: Final = 1
HEADING: Final = 2
CODE_BLOCK: Final = 3
DISPLAY_FORMULA: Final = 4  # a formula on a line of its own

# Styles of a run, as bits, in the order in which they are nested: the outermost first.
STRONG: Final = 1
EMPHASIS: Final = 2
DELETED: Final = 4
SUPERSCRIPT: Final = 8
SUBSCRIPT: Final = 16
CODE: Final = 32
