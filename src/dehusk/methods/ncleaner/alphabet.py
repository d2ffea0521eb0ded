"""The alphabet of ncleaner: every character becomes one of 255 codes, few enough to count n-grams.

ASCII characters keep their codes, except for the backtick, which is a quotation mark. The original folds all others
to a tilde; here accented Latin letters lose their accents, typographic characters become plain ones, Cyrillic and Greek
letters have codes of their own, and every other script has one code. The non-lexical form then maps all these letters
to a and all digits to 0, which leaves the lengths of words and the characters between them; scripts without blanks keep
their code, since the length of their words is unknown.

The original's own foldings are its modes: 0 keeps Latin-1 as it is, 1 turns everything but ASCII into a tilde, 2 then
maps vowels to a, consonants to t and digits to 0, and 3 letters to a and digits to 0.
"""

import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Folding = NDArray[np.int64]

LEFT_OUT: Final = 0
EDGE: Final = 1  # the start and the end of a segment
BLANK: Final = 32
BULLET: Final = 127
LEGAL: Final = 128
QUOTES: Final = {"«": 129, "»": 130, "‹": 131, "›": 132}
PUNCTUATION: Final = 133
SYMBOL: Final = 134
CYRILLIC: Final = 135  # а to я, then А to Я: 64 codes
GREEK: Final = 199  # α to ω with final sigma, then Α to Ω: 49 codes
SCRIPTS: Final = {
    "CJK": 248, "HIRAGANA": 249, "KATAKANA": 250, "HANGUL": 251, "ARABIC": 252, "HEBREW": 253, "THAI": 254,
}  # fmt: skip
LETTER: Final = 255
# Scripts that put no blanks between words.
UNSPACED: Final = (248, 249, 250, 254)

LOWER_CYRILLIC: Final = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
LOWER_GREEK: Final = "αβγδεζηθικλμνξοπρςστυφχψω"
LIKE: Final = {
    **dict.fromkeys("–—‒―‐‑−", "-"),
    **dict.fromkeys("‘’‚‛′ʼ´`", "'"),
    **dict.fromkeys("“”„‟″「」『』", '"'),
    **dict.fromkeys("€£¥₤₹₽", "$"),
    **dict.fromkeys("。｡", "."),
    **dict.fromkeys("、،､", ","),
    **dict.fromkeys("¦│┃", "|"),
    **dict(zip("…⁄؟؛ßæÆœŒøØđĐðÐþÞłŁıёЁ", "./?;saAoOoOdDdDtTlLiеЕ", strict=True)),
}
TILDE: Final = ord("~")
VOWELS: Final = "aeiouAEIOU"
MODES: Final = (0, 1, 2, 3)


@cache
def mode_folding(mode: int) -> Folding:
    """Return the code of every character in one of the original's modes; control characters are blanks.

    >>> [bytes(mode_folding(mode)[list(map(ord, "Aé–x7 "))].tolist()).decode("latin-1") for mode in MODES]
    ['Aé~x7 ', 'A~~x7 ', 'a~~t0 ', 'a~~a0 ']
    """
    table: Folding = np.full(0x10001, TILDE, np.int64)
    last = 0x100 if mode == 0 else 0x7F
    table[:last] = np.arange(last)
    blanks = [code for code in range(0x10000) if chr(code).isspace() or unicodedata.category(chr(code)) == "Cc"]
    table[blanks] = BLANK
    if mode >= 2:
        for code in (*range(65, 91), *range(97, 123)):
            table[code] = ord("t") if mode == 2 and chr(code) not in VOWELS else ord("a")
        table[48:58] = ord("0")
    table.flags.writeable = False
    return table


@cache
def folding(lexical: bool = True) -> Folding:
    """Return the code of every character of the first plane; the last entry is for all characters beyond.

    >>> [int(folding()[ord(character)]) for character in "aé木"], int(folding(lexical=False)[ord("Z")])
    ([97, 101, 248], 97)
    """
    table: Folding = np.full(0x10001, SCRIPTS["CJK"], np.int64)
    # The ranges left out here are Han characters and Hangul syllables.
    table[0xAC00:0xD7A4] = SCRIPTS["HANGUL"]
    for first, last in ((0, 0x3400), (0xA000, 0xAC00), (0xD7A4, 0xF900), (0xFB00, 0x10000)):
        table[first:last] = [_code(chr(code)) for code in range(first, last)]
    table[0x10000] = SYMBOL
    table.flags.writeable = False
    return table if lexical else _without_words(table)


def _without_words(table: Folding) -> Folding:
    shapes = np.arange(256, dtype=np.int64)
    for code in (*range(65, 91), *range(97, 123), *range(CYRILLIC, 256)):
        shapes[code] = code if code in UNSPACED else ord("a")
    shapes[48:58] = ord("0")
    plain: Folding = shapes[table]
    plain.flags.writeable = False
    return plain


def _code(character: str) -> int:
    """Return the code of one character.

    >>> [chr(_code(character)) for character in "Aä7…"], _code("Я") - _code("А"), _code("\u200b")
    (['A', 'a', '7', '.'], 31, 0)
    """
    if character.isspace():
        return BLANK
    if character in QUOTES:
        return QUOTES[character]
    character = LIKE.get(character) or unicodedata.normalize("NFKD", character)[:1].strip() or character
    character = LIKE.get(character, character)
    if " " < character < "\x7f":
        return ord(character)
    return _letter(character) or _sign(character)


def _letter(character: str) -> int:
    """Return the code of a letter or digit beyond ASCII, 0 for other characters."""
    index = LOWER_CYRILLIC.find(character.lower())
    if index >= 0:
        return CYRILLIC + index + (0 if character.islower() else len(LOWER_CYRILLIC))
    index = LOWER_GREEK.find(character.lower())
    if index >= 0:
        # Capitals have no final sigma.
        return GREEK + index + (0 if character.islower() else len(LOWER_GREEK) - (index > LOWER_GREEK.index("ς")))
    if (digit := unicodedata.digit(character, None)) is not None:
        return ord("0") + digit
    if unicodedata.category(character)[0] == "L":
        return SCRIPTS.get(unicodedata.name(character, "").partition(" ")[0], LETTER)
    return 0


def _sign(character: str) -> int:
    """Return the code of a character that is neither letter nor ASCII; accents and invisible ones are left out."""
    if character in "•·●■▪◦‣◆★☆►▶":
        return BULLET
    if character in "©®™℠":
        return LEGAL
    kind = unicodedata.category(character)[0]
    return {"P": PUNCTUATION, "S": SYMBOL, "N": ord("0")}.get(kind, LEFT_OUT)
