"""Lines: what a page claims about itself as one line of plain text, and its letters alone, for comparing.

Compiled by way of lines.pxd, which gives the names below their C types; as plain Python it finds the same.
"""

import re
from html import unescape

LONGEST = 1000  # characters of a title, name or description; what is longer is no such thing, and is cut
TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
# Control characters and lone surrogates; soft hyphens, zero-width blanks and byte order marks, which make what looks
# equal unequal.
UNSEEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\xad\\u200b\\ufeff\\ud800-\\udfff]+")


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


def under(told: dict[str, list[str]], names: dict[str, str]) -> list[tuple[str, str]]:
    """Return everything that was `told` under some names, in their order and in one line, with what each stands for.

    >>> under({"b": ["one", " "], "a": ["two"], "c": ["three"]}, {"a": "A", "b": "B"})
    [('two', 'A'), ('one', 'B')]
    """
    found: list[tuple[str, str]] = []
    # Few of the many names are ever there, and most pages tell less than there are names.
    for name in told:
        if name in names:
            break
    else:
        return found
    for name, origin in names.items():
        if name in told:
            for said in told[name]:
                text = line(said)
                if text:
                    found.append((text, origin))
    return found


def is_plain(text: str) -> bool:
    """Tell whether a text is one line that can be shown: no markup, no references, no white space but single blanks."""
    before = "x"
    for letter in text:
        if letter <= "<":
            if letter < " " or letter in "&<" or (letter == " " and before == " "):
                return False
        elif letter >= "\x7f" and not letter.isprintable():
            return False
        before = letter
    return True


def letters(text: str) -> str:
    """Return the letters and digits of a text, whatever stands between them."""
    pieces = []
    start = -1
    for place in range(len(text)):
        if text[place].isalnum():
            if start < 0:
                start = place
        elif start >= 0:
            pieces.append(text[start:place])
            start = -1
    if start == 0:
        return text
    if start > 0:
        pieces.append(text[start:])
    return "".join(pieces)
