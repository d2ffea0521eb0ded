"""Text: what is changed in the main text, each change by option; the text of the page stays as it is."""

import re
import unicodedata
from collections import Counter
from typing import Final

from dehusk.corpus.blanks import BLANKS
from dehusk.corpus.case import Case
from dehusk.corpus.settings import Settings, TextSettings

# After texrex: what sets of characters are written as.
PLAIN: Final = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e",
    "'": "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u0060\u00b4",
    " ": "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "": "\u00ad\u200b\u200c\u200d\u2060\ufeff",
    "...": "\u2026",
    "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02", "ffi": "\ufb03", "ffl": "\ufb04", "st": "\ufb06",
}  # fmt: skip
TABLE: Final = {ord(letter): plain for plain, letters in PLAIN.items() for letter in letters}
# UTF-8 that was read as Windows-1252 and saved again.
GARBLED: Final = {
    letter.encode().decode("cp1252"): letter
    for letter in "\u2018\u2019\u201c\u2013\u2014\u2026äöüÄÖÜßéèêëàâáçñóòôíîïúùûÉ€"
}
GARBLED_PATTERN: Final = re.compile("|".join(map(re.escape, sorted(GARBLED, key=len, reverse=True))))
HYPHENATED: Final = re.compile(r"\b([^\W\d_]{2,40})-[ \n]([^\W\d_]{2,40})\b")
RUN_TOGETHER: Final = re.compile(r"\b([^\W\d_]{2,40})([.!?:]+)([^\W\d_]{2,40})\b")
WORD: Final = re.compile(r"[^\W\d_]+")


def edit_text(case: Case, settings: Settings) -> Case:
    """Change the main text as the settings say."""
    if case.document is None or settings.text == TextSettings():
        return case
    return case.with_columns(text=edited(case.columns["text"], settings.text))


def edited(text: str, settings: TextSettings) -> str:
    """Return a text with the changes that the settings name.

    >>> edited("Write to me@example.org", TextSettings(blank=("email",)))
    'Write to emailblank'
    >>> edited("“Off” – donâ€™t…", TextSettings(normalise=True))
    '"Off" - don\\'t...'
    """
    if settings.normalise:
        text = GARBLED_PATTERN.sub(lambda match: GARBLED[match[0]], text).translate(TABLE)
    if settings.nfc:
        text = unicodedata.normalize("NFC", text)
    for name in settings.blank:
        for pattern, replacement in BLANKS[name]:
            text = pattern.sub(replacement, text)
    if settings.dehyphenate or settings.split_sentences:
        words = Counter(WORD.findall(text.lower()))
        if settings.dehyphenate:
            text = HYPHENATED.sub(lambda match: _joined(match, words), text)
        if settings.split_sentences:
            text = RUN_TOGETHER.sub(lambda match: _split(match, words), text)
    return text


def _joined(match: re.Match[str], words: Counter[str]) -> str:
    """Return a word without the hyphen of a line end, if the whole word occurs in the text, else as it was.

    >>> edited("An exam- ple, one example, two- and three-fold", TextSettings(dehyphenate=True))
    'An example, one example, two- and three-fold'
    """
    left, right = match[1], match[2]
    return left + right if words[f"{left}{right}".lower()] else match[0]


def _split(match: re.Match[str], words: Counter[str]) -> str:
    """Return two sentences that run together apart, if both words occur on their own, else as they were.

    >>> edited("It was the end.The day was over. At the end see the.example", TextSettings(split_sentences=True))
    'It was the end. The day was over. At the end see the.example'
    """
    left, right = match[1], match[3]
    on_their_own = words[left.lower()] > 1 and words[right.lower()] > 1
    return f"{left}{match[2]} {right}" if on_their_own and right[0].isupper() else match[0]
