"""Clean text: what a page claims about itself as one line of plain text, and folded for comparison.

Compiled with the C types in fast_clean_text.pxd; as plain Python it returns the same.
"""

import re
from functools import lru_cache
from html import unescape

import numpy as np
from numpy.typing import NDArray

MAX_LENGTH = 1000  # characters of a title, name or description; the rest is cut off
TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
# Control characters and lone surrogates; soft hyphens, zero-width blanks and byte order marks, which make equal-looking
# strings unequal.
INVISIBLE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\xad\\u200b\\ufeff\\ud800-\\udfff]+")


def clean_line(value: object, *, keep_tags: bool = False) -> str:
    """Return a claim as one line: single blanks, no tags, character references resolved; "" if it is not a string.

    References are resolved twice, since many systems escape twice. Text that readers see keeps what looks like a tag.

    >>> clean_line(" Fish &amp;amp; <b>chips</b>\\n"), clean_line(["a"]), clean_line("a\\ud800b\\x00")
    ('Fish & chips', '', 'ab')
    >>> clean_line("The <b> tag", keep_tags=True)
    'The <b> tag'
    """
    if not isinstance(value, str):
        return ""
    # Nearly all claims are clean already.
    if len(value) <= MAX_LENGTH and is_clean(value):
        return value.strip()
    text = value[: 4 * MAX_LENGTH]
    if "&" in text:
        text = unescape(unescape(text))
    if "<" in text and not keep_tags:
        text = TAG.sub("", text)
    text = " ".join(text.split())
    if not text.isprintable():
        text = " ".join(INVISIBLE.sub("", text).split())
    return text if len(text) <= MAX_LENGTH else text[:MAX_LENGTH].rstrip()


@lru_cache(4096)  # the same few strings are compared again and again
def folded(text: str) -> str:
    """Return the letters and digits of a text without their case, to compare titles and names.

    >>> folded("Fish & Chips!") == folded("fish chips")
    True
    """
    return letters_and_digits(text.casefold())


def spans_saying(text: str, starts: NDArray[np.int32], ends: NDArray[np.int32], name: str, longest: int) -> list[int]:
    """Return the indices of those spans of a text that are a folded name when folded, of `longest` characters at most.

    >>> spans_saying("Rain! Wind, rain.", np.array([0, 6], np.int32), np.array([5, 17], np.int32), "rain", 9)
    [0]
    """
    spans: list[int] = []
    length = len(name)
    for index in range(len(starts)):
        start = starts[index]
        end = ends[index]
        if length <= end - start <= longest and _says(text, start, end, name):
            spans.append(index)
    return spans


def _says(text: str, start: int, end: int, name: str) -> bool:
    length = len(name)
    reached = 0
    for offset in range(start, end):
        character = text[offset]
        if character < "\x80":
            if character.isalnum():
                if reached == length or character.lower() != name[reached]:
                    return False
                reached += 1
        else:
            for letter in character.casefold():  # of some there are several
                if letter.isalnum():
                    if reached == length or letter != name[reached]:
                        return False
                    reached += 1
    return reached == length


def clean_claims(values: dict[str, list[str]], origins: dict[str, str]) -> list[tuple[str, str]]:
    """Return the values of all names in `origins`, in that order, as clean lines, each with the origin of its name.

    >>> clean_claims({"b": ["one", " "], "a": ["two"], "c": ["three"]}, {"a": "A", "b": "B"})
    [('two', 'A'), ('one', 'B')]
    """
    claims: list[tuple[str, str]] = []
    # A page has few of the many names, so the shorter of the two is searched first.
    for name in values:
        if name in origins:
            break
    else:
        return claims
    for name, origin in origins.items():
        if name in values:
            for value in values[name]:
                text = clean_line(value)
                if text:
                    claims.append((text, origin))
    return claims


def is_clean(text: str) -> bool:
    """Return whether a text is printable and has no markup, character references or white space but single blanks."""
    before = "x"
    for character in text:
        if character <= "<":
            if character < " " or character in "&<" or (character == " " and before == " "):
                return False
        elif character >= "\x7f" and not character.isprintable():
            return False
        before = character
    return True


def letters_and_digits(text: str) -> str:
    """Return a text without all other characters.

    >>> letters_and_digits("Fish & chips, 2")
    'Fishchips2'
    """
    pieces = []
    start = -1
    for offset in range(len(text)):
        if text[offset].isalnum():
            if start < 0:
                start = offset
        elif start >= 0:
            pieces.append(text[start:offset])
            start = -1
    if start == 0:
        return text
    if start > 0:
        pieces.append(text[start:])
    return "".join(pieces)
