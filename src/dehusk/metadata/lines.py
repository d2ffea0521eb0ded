"""Lines: whatever a page claims about itself, as one line of plain text."""

import re
from functools import lru_cache
from html import unescape
from typing import Final

from dehusk.core.lines import is_plain, letters

LONGEST: Final = 1000  # characters of a title, name or description; what is longer is no such thing, and is cut
TAG: Final = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
# Control characters and lone surrogates; soft hyphens, zero-width blanks and byte order marks, which make what looks
# equal unequal.
UNSEEN: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\xad\\u200b\\ufeff\\ud800-\\udfff]+")


def line(value: object, *, shown: bool = False) -> str:
    """Return a claim in one line: white space single, tags gone, references resolved; "" for what is no string.

    Many systems escape twice, and put markup into what is to be plain. Text that readers are `shown` keeps its tags.

    >>> line(" Fish &amp;amp; <b>chips</b>\\n"), line(["a"]), line("a\\ud800b\\x00")
    ('Fish & chips', '', 'ab')
    >>> line("The <b> tag", shown=True)
    'The <b> tag'
    """
    if not isinstance(value, str):
        return ""
    # Nearly all that is said is clean.
    if len(value) <= LONGEST and is_plain(value):
        return value.strip()
    text = value[: 4 * LONGEST]
    if "&" in text:
        text = unescape(unescape(text))
    if "<" in text and not shown:
        text = TAG.sub("", text)
    text = " ".join(text.split())
    if not text.isprintable():
        text = " ".join(UNSEEN.sub("", text).split())
    return text if len(text) <= LONGEST else text[:LONGEST].rstrip()


@lru_cache(4096)  # the same few strings are compared again and again
def folded(text: str) -> str:
    """Return the letters and digits alone, for comparing what should be the same.

    >>> folded("Fish & Chips!") == folded("fish chips")
    True
    """
    return letters(text.casefold())
