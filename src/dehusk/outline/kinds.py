"""Shapes: the numbers for what an outline is made of. Not compiled, so that everybody can import them."""

from typing import Final

# The kinds of boxes.
ROOT: Final = 0
QUOTE: Final = 1
LIST: Final = 2
ITEM: Final = 3
GLOSSARY: Final = 4  # a dl, of terms and meanings
TERM: Final = 5
MEANING: Final = 6
TABLE: Final = 7
CAPTION: Final = 8
CELL: Final = 9
FIGURE: Final = 10
LEGEND: Final = 11  # a figcaption
NOTE: Final = 12  # what a footnote says
# Boxes whose text is one leaf, since no format lets them hold paragraphs.
FLAT: Final = frozenset({TERM, CAPTION, LEGEND})
# Boxes that may hold text without a paragraph round it.
HOLD_TEXT: Final = FLAT | {ITEM, MEANING, CELL, NOTE}
# Boxes that hold certain boxes and nothing else.
CHOOSY: Final = frozenset({LIST, GLOSSARY, TABLE})

# The forms of leaves.
BARE: Final = 0  # text that its box holds directly, as its first part
PARAGRAPH: Final = 1
HEADING: Final = 2
CODE: Final = 3
DISPLAY: Final = 4  # a formula on a line of its own

# The marks of a run, added up; in the order in which they are nested, the outermost first.
STRONG: Final = 1
EMPHASIS: Final = 2
DELETED: Final = 4
RAISED: Final = 8
LOWERED: Final = 16
VERBATIM: Final = 32
