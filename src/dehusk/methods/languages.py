"""The language of a page, out of the few that methods have models for, from its most common words.

A language identifier for a hundred languages would add a quarter to texrex's time (py3langid takes 0.14 of
resiliparse's time per page, texrex 0.58), half a second to load and 80 MB. Here a wrong answer only selects a slightly
worse model.
"""

from collections import Counter
from typing import Final

from dehusk.page import Page

# Common words of each language, chosen so that the others here, Spanish and Portuguese have few of them. Italian and
# Catalan have some of the French ones (le and il, les), and can be taken for French. Danish and Norwegian share so many
# that neither is ahead of the other: then the language that the page declares decides, if any.
COMMON_WORDS: Final = {
    "en": "the and of that with for was this you have are from they his her not which we been would is be it",
    "de": "der die und das ist nicht ein eine von mit den dem sich auf auch wird sind oder bei zu im für",
    "fr": "le les des est une dans pour qui sur pas au avec du et ce il nous vous sont mais être cette ont",
    "sv": "och att som är inte från men också har till av ett jag vi kan när eller hade blev mycket",
    "nl": "het een van niet zijn wordt ook voor maar deze naar bij uit worden heeft dat door meer over wij",
    "da": "og af ikke jeg fra efter også været hvor blev mig noget meget eller når ved sig",
    "no": "og ikke jeg fra etter også vært hvor ble meg noe mye eller når ved seg",
}
LANGUAGES_OF: Final[dict[str, tuple[str, ...]]] = {
    word: tuple(language for language, words in COMMON_WORDS.items() if word in words.split())
    for words in COMMON_WORDS.values()
    for word in words.split()
}
SLICES: Final = 4
SLICE: Final = 1500  # characters
MIN_SHARE: Final = 0.04  # of the words in the sample; menus have few common words, running text has 20 %
MIN_LEAD: Final = 1.3  # times the hits of the second language


def language_by_words(page: Page) -> str | None:
    """Return the code of the language of a page's words, else the language that the page declares, else None.

    >>> language_by_words(Page.from_html("<p>Es ist nicht das Wetter, und der Wind ist es auch nicht."))
    'de'
    >>> language_by_words(Page.from_html("<html lang=sv-SE><p>Hej")), language_by_words(Page.from_html("<p>Hej"))
    ('sv', None)
    """
    words = sample(page.text).lower().split()
    hits = Counter(language for word in words if word in LANGUAGES_OF for language in LANGUAGES_OF[word])
    ranked = hits.most_common(2)
    if ranked and ranked[0][1] >= max(3.0, MIN_SHARE * len(words)):
        next_best = ranked[1][1] if len(ranked) > 1 else 0
        if ranked[0][1] >= MIN_LEAD * next_best:
            return ranked[0][0]
    return declared_language(page)


def sample(text: str) -> str:
    """Return a few slices, evenly spaced, or the whole of a short text."""
    if len(text) <= SLICES * SLICE:
        return text
    step = len(text) // SLICES
    return " ".join(text[start : start + SLICE] for start in range(0, SLICES * step, step))


def declared_language(page: Page) -> str | None:
    """Return the language that the page's `html` element declares, without the country."""
    root = page.tree.select_one("html") if page.tree else None
    lang = root.attr("lang") if root else None
    return (lang or "").strip().lower().replace("_", "-").partition("-")[0][:8] or None
