"""Words: what counts as one, in scripts that put blanks between words and in scripts that do not."""

from typing import Final
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

# Thai and Lao, Burmese, Khmer, CJK radicals and marks, kana, Han, compatibility forms, halfwidth kana: every character
# counts as a word of its own. Korean uses blanks. Han beyond the first plane is too rare to pay for.
UNSPACED: Final = (
    (0x0E01, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
)
BLANK: Final = 0
PART_OF_WORD: Final = 1
WHOLE_WORD: Final = 2


def _classes() -> NDArray[np.uint8]:
    table = np.full(0x10001, PART_OF_WORD, np.uint8)
    table[[code for code in range(0x3001) if chr(code).isspace()]] = BLANK
    for first, last in UNSPACED:
        table[first : last + 1] = WHOLE_WORD
    return table


CLASSES: Final = _classes()


def word_totals(text: str) -> NDArray[np.int32]:
    """Return how many words begin before each character, so that a span holds `total[end] - total[start]` words.

    >>> word_totals("to be 三木").tolist()
    [0, 1, 1, 1, 2, 2, 2, 3, 4]
    """
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    kinds = CLASSES[np.minimum(codes, 0x10000)]
    begins = kinds == PART_OF_WORD
    begins[1:] &= kinds[:-1] != PART_OF_WORD
    begins |= kinds == WHOLE_WORD
    totals = np.zeros(len(codes) + 1, np.int32)
    np.cumsum(begins, out=totals[1:])
    return totals


def joins_words(character: str) -> bool:
    """Tell whether a character is glued to its neighbours: a letter, mark or digit of a script that has blanks.

    >>> joins_words("a"), joins_words("."), joins_words("木")
    (True, False, False)
    """
    if not (character.isalnum() or category(character)[0] == "M"):
        return False
    return bool(CLASSES[min(ord(character), 0x10000)] == PART_OF_WORD)
