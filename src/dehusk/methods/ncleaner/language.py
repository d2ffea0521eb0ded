"""The language of a page for ncleaner: from its letters if they are distinctive, else from its most common words.

Many pages in other scripts declare no language, or a wrong one: 44 of the 127 Polish training pages declare English.
"""

from typing import Final

import numpy as np

from dehusk.methods.languages import language_by_words, sample
from dehusk.methods.ncleaner.alphabet import CYRILLIC, GREEK, SCRIPTS, folding
from dehusk.page import Page

UNKNOWN: Final = "und"
MIN_SCRIPT: Final = 0.5  # share of all letters
# Letters that a language has and its neighbours lack, and their minimum share: running Russian has 1.9 % ы.
RUSSIAN: Final = "ы"
MIN_RUSSIAN: Final = 0.005
POLISH: Final = "ąęłśżź"
MIN_POLISH: Final = 0.015


def language_of(page: Page) -> str | None:
    """Return the code of a page's language, "und" if only the script is known, None if nothing is.

    >>> language_of(Page.from_text("Вчера мы были у реки, и дождь шёл весь вечер."))
    'ru'
    """
    return language_by_letters(sample(page.text)) or language_by_words(page)


def language_by_letters(text: str) -> str | None:
    """Return the language that the letters of a text point to, None for Latin letters other than Polish ones.

    >>> [language_by_letters(text) for text in ("今天下雨", "きょうは雨", "Dziś pada śnieg, a ścieżka jest śliska")]
    ['zh', 'und', 'pl']
    """
    points = np.minimum(np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32), 0x10000)
    counts = np.bincount(folding()[points], minlength=256)
    latin = int(counts[65:91].sum() + counts[97:123].sum())
    others = int(counts[CYRILLIC:].sum())
    if others <= MIN_SCRIPT * (latin + others):
        return "pl" if latin and sum(map(text.count, POLISH)) >= MIN_POLISH * latin else None
    cyrillic, greek = int(counts[CYRILLIC:GREEK].sum()), int(counts[GREEK : SCRIPTS["CJK"]].sum())
    if cyrillic > MIN_SCRIPT * others:
        return "ru" if text.count(RUSSIAN) >= MIN_RUSSIAN * cyrillic else UNKNOWN
    if greek > MIN_SCRIPT * others:
        return "el"
    # Japanese has Han characters, too, but never without kana.
    kana = int(counts[SCRIPTS["HIRAGANA"]] + counts[SCRIPTS["KATAKANA"]])
    return "zh" if counts[SCRIPTS["CJK"]] > MIN_SCRIPT * others and kana < 0.1 * others else UNKNOWN
