"""What is never prose: form fields, buttons, modal dialogs, data and templates, what only screen readers shall see.

Each is dropped only if the page has other text that is kept.
"""

import re
from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.page.leaves import BoolArray, IntArray
from dehusk.selection.signs import BRACKET, BUTTON, HEADING, MODAL, NOSCRIPT, TEXTAREA, UNSEEN

CODE: Final = frozenset({"pre", "code"})
SIGNS: Final = NOSCRIPT | TEXTAREA | UNSEEN | BRACKET | MODAL | BUTTON
LONGEST: Final = 1000  # characters in which shortcodes and templates end; JSON may be longer
# Possessive, so that no text can make the search long: [gallery ids="1,2"], [/vc_row], [vc_row], but not [edit] or [1].
SHORTCODES: Final = re.compile(r"(?:\[(?:/[\w-]++|[^\W_]++_\w*+|[\w-]++ [\w-]++=[^\[\]]*+)\]\s*+)++")
TEMPLATES: Final = re.compile(r"(?:\{\{[^{}]++\}\}\s*+)++")
JSON: Final = re.compile(r'\[?+\s*+\{\s*+"[^"]++"\s*+:')


def without_non_prose(blocks: Blocks, kept: BoolArray, signs: IntArray) -> BoolArray:
    """Return what is kept without what is never prose, given the signs of the blocks.

    >>> from dehusk.page import Page
    >>> from dehusk.blocks import cut
    >>> from dehusk.selection.signs import read_signs
    >>> blocks, kept = cut(Page.from_html("<p>[gallery ids=1]<p>Six photos.")), np.array([True, True])
    >>> without_non_prose(blocks, kept, read_signs(blocks, kept)[0])
    array([False,  True])
    """
    dropped = ((signs & TEXTAREA) != 0) | _dialogs(blocks, kept, signs)
    for sign in (UNSEEN, BUTTON):
        dropped |= (signs & (sign | HEADING)) == sign
    bracketed = np.flatnonzero(signs & BRACKET).tolist()
    if bracketed and CODE.isdisjoint(blocks.elements.tag):  # a page that shows code may show markup too
        for index in bracketed:
            dropped[index] |= is_markup(blocks.text[blocks.start[index] : blocks.end[index]])
    without_scripts = (signs & NOSCRIPT) != 0
    if without_scripts.any():
        texts = blocks.strings()
        others = {texts[index] for index in np.flatnonzero(kept & ~without_scripts & ~dropped).tolist()}
        for index in np.flatnonzero(without_scripts).tolist():
            dropped[index] |= texts[index] in others
    rest = kept & ~dropped
    return rest if rest.any() else kept


def is_markup(text: str) -> bool:
    """Return whether a text is JSON, or nothing but shortcodes or fields of a template.

    >>> [is_markup(text) for text in ('{"@type": "Event"}', "[vc_row][vc_column]", "{{ name }}", "[edit]", "[1] Ibid.")]
    [True, True, True, False, False]
    """
    start = text[:LONGEST]
    if JSON.match(start):
        return text.rstrip().endswith(("}", "]"))
    return start == text and bool(SHORTCODES.fullmatch(text) or TEMPLATES.fullmatch(text))


def _dialogs(blocks: Blocks, kept: BoolArray, signs: IntArray) -> BoolArray:
    """Return which blocks are in modal dialogs; none if these hold most of what is kept, such as an article."""
    inside: BoolArray = (signs & MODAL) != 0
    lengths = blocks.end - blocks.start
    return inside & bool(2 * lengths[inside].sum() < lengths[kept].sum())
