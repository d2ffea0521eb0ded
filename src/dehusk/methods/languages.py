"""Languages: which of the few that a method has nets for a page is written in, told by its commonest words.

A language identifier for a hundred languages would take a quarter of texrex's time again (py3langid: 0.14 of
resiliparse's time a page, texrex 0.58), half a second to load and 80 MB, so that it is used for metadata only. Here a
wrong answer only picks a net that is a little worse.
"""

from collections import Counter
from typing import Final

from dehusk.page import Page

# The commonest words of each language, chosen so that the others here, Spanish and Portuguese have few of them. Italian
# and Catalan have some of the French (le and il, les), and can be taken for it. Danish and Norwegian share so many that
# neither is clear of the other: what the page itself says decides, else it is none of these.
COMMON: Final = {
    "en": "the and of that with for was this you have are from they his her not which we been would is be it",
    "de": "der die und das ist nicht ein eine von mit den dem sich auf auch wird sind oder bei zu im für",
    "fr": "le les des est une dans pour qui sur pas au avec du et ce il nous vous sont mais être cette ont",
    "sv": "och att som är inte från men också har till av ett jag vi kan när eller hade blev mycket",
    "nl": "het een van niet zijn wordt ook voor maar deze naar bij uit worden heeft dat door meer over wij",
    "da": "og af ikke jeg fra efter også været hvor blev mig noget meget eller når ved sig",
    "no": "og ikke jeg fra etter også vært hvor ble meg noe mye eller når ved seg",
}
LANGUAGES_OF: Final[dict[str, tuple[str, ...]]] = {
    word: tuple(language for language, words in COMMON.items() if word in words.split())
    for words in COMMON.values()
    for word in words.split()
}
SLICES: Final = 4
SLICE: Final = 1500  # characters
LEAST_SHARE: Final = 0.04  # of the words looked at; menus have few common words, running text has a fifth
CLEAR: Final = 1.3  # times the hits of the next language


def language_by_words(page: Page) -> str | None:
    """Return the code of the language that a page's words are of, else what the page itself says, else None.

    >>> language_by_words(Page.from_html("<p>Es ist nicht das Wetter, und der Wind ist es auch nicht."))
    'de'
    >>> language_by_words(Page.from_html("<html lang=sv-SE><p>Hej")), language_by_words(Page.from_html("<p>Hej"))
    ('sv', None)
    """
    words = sampled(page.text).lower().split()
    hits = Counter(language for word in words if word in LANGUAGES_OF for language in LANGUAGES_OF[word])
    ranked = hits.most_common(2)
    if ranked and ranked[0][1] >= max(3.0, LEAST_SHARE * len(words)):
        next_best = ranked[1][1] if len(ranked) > 1 else 0
        if ranked[0][1] >= CLEAR * next_best:
            return ranked[0][0]
    return declared(page)


def sampled(text: str) -> str:
    """Return a few slices from all over a text, or all of a short one."""
    if len(text) <= SLICES * SLICE:
        return text
    step = len(text) // SLICES
    return " ".join(text[place : place + SLICE] for place in range(0, SLICES * step, step))


def declared(page: Page) -> str | None:
    """Return what the page's `html` element says, without the country."""
    root = page.tree.select_one("html") if page.tree else None
    said = root.attr("lang") if root else None
    return (said or "").strip().lower().replace("_", "-").partition("-")[0][:8] or None
