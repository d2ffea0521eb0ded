"""The language of a page as ncleaner needs it: by its letters where they tell, else by its commonest words.

Many pages in other scripts declare no language, or a wrong one: of the 127 Polish training pages 44 say that they are
English.
"""

from typing import Final

import numpy as np

from dehusk.methods.languages import language_by_words, sampled
from dehusk.methods.ncleaner.alphabet import CYRILLIC, GREEK, SCRIPTS, folding
from dehusk.page import Page

UNKNOWN: Final = "und"
LEAST: Final = 0.5  # of all letters, in a script
# Letters that a language has and its neighbours lack, and the least share of them: running Russian has 1.9 % ы.
RUSSIAN: Final = "ы"
LEAST_RUSSIAN: Final = 0.005
POLISH: Final = "ąęłśżź"
LEAST_POLISH: Final = 0.015


def language_of(page: Page) -> str | None:
    """Return the code of a page's language, "und" where only the script is known, None where nothing is.

    >>> language_of(Page.from_text("Вчера мы были у реки, и дождь шёл весь вечер."))
    'ru'
    """
    return by_letters(sampled(page.text)) or language_by_words(page)


def by_letters(text: str) -> str | None:
    """Return what the letters of a text say, None where they are Latin and not Polish.

    >>> by_letters("今天下雨"), by_letters("きょうは雨"), by_letters("Dziś pada śnieg, a ścieżka jest śliska")
    ('zh', 'und', 'pl')
    """
    points = np.minimum(np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32), 0x10000)
    often = np.bincount(folding()[points], minlength=256)
    latin = int(often[65:91].sum() + often[97:123].sum())
    others = int(often[CYRILLIC:].sum())
    if others <= LEAST * (latin + others):
        return "pl" if latin and sum(map(text.count, POLISH)) >= LEAST_POLISH * latin else None
    cyrillic, greek = int(often[CYRILLIC:GREEK].sum()), int(often[GREEK : SCRIPTS["CJK"]].sum())
    if cyrillic > LEAST * others:
        return "ru" if text.count(RUSSIAN) >= LEAST_RUSSIAN * cyrillic else UNKNOWN
    if greek > LEAST * others:
        return "el"
    # Japanese has Han, too, but never without kana.
    kana = int(often[SCRIPTS["HIRAGANA"]] + often[SCRIPTS["KATAKANA"]])
    return "zh" if often[SCRIPTS["CJK"]] > LEAST * others and kana < 0.1 * others else UNKNOWN
