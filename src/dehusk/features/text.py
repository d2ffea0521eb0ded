"""Text features: the shape of a block's text, counted by classes of characters that every script has."""

import unicodedata
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.features import LOGS, Longs, Matrix
from dehusk.features.fast_text import text_columns
from dehusk.word_boundaries import UNSPACED

# `core.columns.text_columns` goes by these numbers.
BLANK, UPPER, LETTER, UNSPACED_LETTER, DIGIT, STOP, COMMA, CURRENCY, SIGN, RULE, QUOTE, OTHER = range(12)
MARKS: Final = {
    STOP: ".!?…。！？।؟።։",
    COMMA: ",;:،、，；：",
    SIGN: "©®™",
    RULE: "|•·»«›‹→←/\\_–—>",
    QUOTE: "\"'“”‘’„()[]",
}
PLANE: Final = 0x10000  # characters beyond the first plane share one class: they are mostly emoji
COUNTS: Final = ("characters", "words", "stops")
SHARES: Final = (
    "word_length", "upper", "letters", "unspaced", "digits", "other", "capitalised", "stops_a_word", "commas_a_word",
    "other_a_word", "rules_a_word", "quotes_a_word", "money", "signs", "ends_in_stop", "ends_in_comma", "ends_open",
    "starts_upper", "starts_digit", "starts_other",
)  # fmt: skip
NAMES: Final = (*COUNTS, *SHARES)


def _class_of(code: int) -> int:
    character = chr(code)
    if character.isspace():
        return BLANK
    if any(first <= code <= last for first, last in UNSPACED):
        return UNSPACED_LETTER
    for kind, marks in MARKS.items():
        if character in marks:
            return kind
    category = unicodedata.category(character)
    if category in ("Lu", "Lt"):
        return UPPER
    return LETTER if category[0] in "LM" else DIGIT if category == "Nd" else CURRENCY if category == "Sc" else OTHER


def _classes() -> NDArray[np.uint8]:
    """Return the class of every character of the first plane; what lies beyond is mostly emoji."""
    table = np.full(PLANE + 1, LETTER, np.uint8)
    for first, last in ((0, 0x3100), (0xFF00, PLANE)):
        table[first:last] = [_class_of(code) for code in range(first, last)]
    for first, last in UNSPACED:
        table[first : last + 1] = UNSPACED_LETTER
    table[0xE000:0xF900] = OTHER  # private use: icons
    table[PLANE] = OTHER
    return table


CLASSES: Final = _classes()


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """The features of text, and the two columns that other families build on."""

    matrix: Matrix
    words: NDArray[np.float32]
    marks: Longs  # the same for blocks of the same text
    link: NDArray[np.float32]  # the share of the characters that can be clicked


def text_features(blocks: Blocks) -> Text:
    """Return one row a name in `NAMES` and one column a block.

    >>> found = text_features(Blocks.of(("Home", 4), ("A plain sentence.", 0)))
    >>> found.matrix.shape == (len(NAMES), 2), found.words.tolist(), found.link.tolist()
    (True, [1.0, 3.0], [1.0, 0.0])
    """
    count = len(blocks)
    matrix: Matrix = np.empty((len(NAMES), count), np.float32)
    words = np.empty(count, np.float32)
    room = np.zeros(12, np.int32)
    marks: Longs = np.empty(count, np.int64)
    link = np.empty(count, np.float32)
    where = (blocks.text, blocks.start, blocks.end)
    text_columns(*where, CLASSES, LOGS, room, matrix, words, marks, blocks.link_chars, link)
    return Text(matrix, words, marks, link)
