"""Characters and words: classes of characters, and what counts as a word in scripts with and without spaces.

A table of classes has one entry per character of Unicode's first plane and one more for all beyond: mostly emoji.
"""

import re
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Final
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.uint8]
Ranges = Iterable[tuple[int, int]]  # first and last character, both included
BEYOND: Final = 0x10000  # the entry that all characters beyond the first plane share
# Thai and Lao, Burmese, Khmer, CJK radicals and marks, kana, Han, compatibility forms, halfwidth kana: every character
# counts as a word. Korean uses spaces. Han beyond the first plane is too rare to be worth the cost.
UNSPACED: Final = (
    (0x0E01, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F),
)  # fmt: skip


def class_table(default: int, *layers: tuple[int | Callable[[str], int], Ranges]) -> Table:
    """Return the class of every character: of the last layer whose ranges contain it, else the default.

    >>> table = class_table(0, (1, [(ord("a"), ord("z"))]), (lambda letter: 2 + (letter == "e"), [(100, 101)]))
    >>> [int(table[ord(letter)]) for letter in "Aade"]
    [0, 1, 2, 3]
    """
    table = np.full(BEYOND + 1, default, np.uint8)
    for kind, ranges in layers:
        for first, last in ranges:
            codes = range(first, last + 1)
            table[first : last + 1] = [kind(chr(code)) for code in codes] if callable(kind) else kind
    return table


def _each(characters: Iterable[str]) -> Ranges:
    return [(ord(character), ord(character)) for character in characters]


# By a regular expression, in a tenth of the time that asking each character takes: every start of the program waits.
BLANKS: Final = _each(re.findall(r"\s", "".join(map(chr, range(0x3001)))))
# What a character is to the words of a text.
SPACE, PART_OF_WORD, WHOLE_WORD, IGNORED = range(4)
WORD_CLASSES: Final = class_table(PART_OF_WORD, (SPACE, BLANKS), (WHOLE_WORD, UNSPACED))


def word_totals(text: str) -> NDArray[np.int32]:
    """Return how many words begin before each character, so that a span holds `total[end] - total[start]` words.

    >>> word_totals("to be 三木").tolist()
    [0, 1, 1, 1, 2, 2, 2, 3, 4]
    """
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    begins = word_begins(WORD_CLASSES[np.minimum(codes, BEYOND)])
    totals = np.zeros(len(codes) + 1, np.int32)
    np.cumsum(begins, out=totals[1:])
    return totals


def word_begins(classes: Table) -> NDArray[np.bool_]:
    """Return at which characters, given by their classes, a word begins.

    >>> word_begins(np.array([PART_OF_WORD, PART_OF_WORD, SPACE, WHOLE_WORD, WHOLE_WORD])).tolist()
    [True, False, False, True, True]
    """
    begins: NDArray[np.bool_] = classes == PART_OF_WORD
    begins[1:] &= classes[:-1] != PART_OF_WORD
    begins |= classes == WHOLE_WORD
    return begins


def first_words(text: str, count: int = 12) -> str:
    """Return the first words of a text, on one line that is short enough for messages.

    >>> first_words("It rained\\nall day.", 3), first_words("It rained.", 3)
    ('It rained all …', 'It rained.')
    """
    words = text[:600].split()
    line = " ".join(words[:count])
    return f"{line[:100]} …" if len(words) > count or len(line) > 100 else line


def joins_words(character: str) -> bool:
    """Return whether a character forms one word with its neighbours: a letter, mark or digit of a script with spaces.

    >>> joins_words("a"), joins_words("."), joins_words("木")
    (True, False, False)
    """
    is_letter = character.isalnum() or category(character)[0] == "M"
    return is_letter and bool(WORD_CLASSES[min(ord(character), BEYOND)] == PART_OF_WORD)


def lower_case(size: int) -> NDArray[np.uint32]:
    """Return the lower case of the first characters, which stay as they are where it has several characters.

    >>> "".join(map(chr, lower_case(0x131)[[ord(letter) for letter in "aAÉİ"]]))
    'aaéİ'
    """
    letters = (chr(code).lower() for code in range(size))
    return np.array([ord(each) if len(each) == 1 else code for code, each in enumerate(letters)], np.uint32)


# What text features count: classes of characters that every script has.
CharacterClass = IntEnum(
    "CharacterClass", "BLANK UPPER LETTER UNSPACED_LETTER DIGIT STOP COMMA CURRENCY SIGN RULE QUOTE OTHER", start=0
)
PUNCTUATION: Final = {
    ".!?…。！？।؟።։": CharacterClass.STOP,
    ",;:،、，；：": CharacterClass.COMMA,
    "©®™": CharacterClass.SIGN,
    "|•·»«›‹→←/\\_–—>": CharacterClass.RULE,
    "\"'“”‘’„()[]": CharacterClass.QUOTE,
}
CATEGORIES: Final = {
    **dict.fromkeys(("Lu", "Lt"), CharacterClass.UPPER),
    **dict.fromkeys(("Ll", "Lm", "Lo", "Mn", "Mc", "Me"), CharacterClass.LETTER),
    "Nd": CharacterClass.DIGIT,
    "Sc": CharacterClass.CURRENCY,
}


def character_classes() -> Table:
    """Return the `CharacterClass` of every character.

    >>> [CharacterClass(character_classes()[ord(character)]).name for character in "Aa木7.$"]
    ['UPPER', 'LETTER', 'UNSPACED_LETTER', 'DIGIT', 'STOP', 'CURRENCY']
    """
    classes = {name: int(kind) for name, kind in CATEGORIES.items()}  # numbers, since numpy converts enums slowly
    other = int(CharacterClass.OTHER)
    return class_table(
        CharacterClass.LETTER,
        (lambda letter: classes.get(category(letter), other), [(0, 0x30FF), (0xFF00, 0xFFFF)]),  # between are letters
        *((kind, _each(characters)) for characters, kind in PUNCTUATION.items()),
        (CharacterClass.BLANK, BLANKS),
        (CharacterClass.UNSPACED_LETTER, UNSPACED),
        (other, [(0xE000, 0xF8FF), (BEYOND, BEYOND)]),  # the former for private use: icons
    )
