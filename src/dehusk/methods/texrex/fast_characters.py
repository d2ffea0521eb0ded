# cython: cdivision=True, wraparound=False, boundscheck=False
"""Counts of characters, sentences, years and addresses per block, from which texrex's features are computed.

Compiled with the C types in fast_characters.pxd; as plain Python it returns the same.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Classes = NDArray[np.uint8]


class Count(IntEnum):
    """The columns that `count_characters` fills in; the first seven are the classes of characters."""

    BLANK = 0
    UPPER = 1
    LOWER = 2
    LETTER = 3  # without capitals
    NUMBER = 4
    PUNCTUATION = 5
    OTHER = 6
    SENTENCES = 7
    COPYRIGHT = 8
    YEARS = 9
    YEARS_QUIRK = 10
    MAILS = 11
    URIS = 12
    HASHTAGS = 13
    LITERAL_TAGS = 14
    ENDS = 15
    SENTENCES_QUIRK = 16
    ENDS_QUIRK = 17


class Mark(IntEnum):
    """What a character does at the end of a sentence; in the table of classes it has the bits above the class."""

    STOP = 1  # ends one before white space
    STOP_ANYWHERE = 2  # ends one in scripts without white space
    CLOSING = 3  # closes a quotation or a bracket, and may follow the stop


(
    BLANK, UPPER, LOWER, LETTER, NUMBER, PUNCTUATION, OTHER, SENTENCES, COPYRIGHT, YEARS, YEARS_QUIRK, MAILS, URIS,
    HASHTAGS, LITERAL_TAGS, ENDS, SENTENCES_QUIRK, ENDS_QUIRK,
) = Count  # fmt: skip
STOP, STOP_ANYWHERE, CLOSING = Mark


def count_characters(text: str, start: Ints, end: Ints, classes: Classes, counts: Ints) -> None:
    """Fill in one row per block and one column per `Count`; `counts` must come as zeros.

    `classes` has the class of each character, and eight times its `Mark`; the last entry is for all beyond.
    """
    for block in range(len(start)):
        count_block(text, start[block], end[block], classes, counts, block)
        count_sentences(text, start[block], end[block], classes, counts, block)


def count_block(text: str, first: int, last: int, classes: Classes, counts: Ints, block: int) -> None:  # noqa: C901
    """Fill in the row of one block, but for the sentences of all scripts."""
    most = len(classes) - 1
    digits = number = stop = in_uri = 0
    before = BLANK  # the class of the previous character
    for offset in range(first, last):
        code = ord(text[offset])
        kind = classes[code if code < most else most] & 7
        counts[block, kind] += 1
        if ord("0") <= code <= ord("9"):
            number = number * 10 + code - ord("0") if 0 < digits < 4 else code - ord("0")
            digits += 1
        elif digits:
            if digits == 4 and not in_uri:
                count_year(number, offset - 4 > first, counts, block)
            digits = 0
        if kind == BLANK:
            if stop:
                counts[block, SENTENCES_QUIRK] += 1
            in_uri = 0
        elif code == ord("©"):
            counts[block, COPYRIGHT] += 1
        elif not in_uri and code in (ord(":"), ord("w"), ord("@"), ord("#"), ord("<")):
            # Arrays are passed on for these only: to do so for every character would double the time.
            in_uri = count_sign(text, offset, last, before, classes, counts, block)
        stop = code in (ord("!"), ord("."), ord("?"))
        if kind != BLANK:
            counts[block, ENDS_QUIRK] = stop
        before = kind
    if digits == 4 and not in_uri:
        count_year(number, last - 4 > first, counts, block)
    if stop:
        counts[block, SENTENCES_QUIRK] += 1


def count_sentences(text: str, first: int, last: int, classes: Classes, counts: Ints, block: int) -> None:
    """Count the sentences of one block in any script, and note whether it ends with one."""
    most = len(classes) - 1
    ended = 0  # the stop that a sentence ended with, if no other sentence has begun since
    for offset in range(first, last):
        code = ord(text[offset])
        mark = classes[code if code < most else most]
        kind, mark = mark & 7, mark >> 3
        if not mark:
            if ended == STOP_ANYWHERE or (ended and kind == BLANK):
                counts[block, SENTENCES] += 1
            ended = 0
        elif mark != CLOSING and ended != STOP_ANYWHERE:
            ended = mark
        if kind != BLANK:
            counts[block, ENDS] = ended > 0
    if ended:
        counts[block, SENTENCES] += 1


def count_year(number: int, inside: bool, counts: Ints, block: int) -> None:
    """Count a number of four digits if it is a year; `inside` tells that it does not begin the block."""
    if 1900 <= number <= 2099:
        counts[block, YEARS] += 1
    if inside and 2000 <= number <= 2019:
        counts[block, YEARS_QUIRK] += 1


def class_of(code: int, classes: Classes) -> int:
    """Return the class of a character."""
    most = len(classes) - 1
    return classes[code if code < most else most] & 7  # type: ignore[no-any-return]


def count_sign(text: str, offset: int, last: int, before: int, classes: Classes, counts: Ints, block: int) -> bool:
    """Count the address, hashtag or tag that a character reveals; return whether a URI begins."""
    code = ord(text[offset])
    word_begins = before == BLANK or before >= PUNCTUATION
    if code == ord(":"):
        if UPPER <= before <= LETTER and offset + 2 < last and text[offset + 1] == "/" and text[offset + 2] == "/":
            counts[block, URIS] += 1
            return True
    elif code == ord("w"):
        if word_begins and is_www(text, offset, last):
            counts[block, URIS] += 1
            return True
    elif code == ord("@"):
        if UPPER <= before <= NUMBER and is_host(text, offset + 1, last, classes):
            counts[block, MAILS] += 1
    elif code == ord("#"):
        if word_begins and offset + 1 < last and UPPER <= class_of(ord(text[offset + 1]), classes) <= LETTER:
            counts[block, HASHTAGS] += 1
    elif code == ord("<") and is_tag(text, offset + 1, last):
        counts[block, LITERAL_TAGS] += 1
    return False


def is_www(text: str, offset: int, last: int) -> bool:
    """Return whether "www." and a visible character begin at an offset."""
    if offset + 4 >= last or ord(text[offset + 4]) <= 32:
        return False
    return text[offset + 1] == "w" and text[offset + 2] == "w" and text[offset + 3] == "."


def is_host(text: str, offset: int, last: int, classes: Classes) -> bool:
    """Return whether letters, a dot and a letter follow, as in the second half of a mail address."""
    # No host is longer; without a limit "a@a@a@…" would be read over and over.
    limit = offset + 255 if offset + 255 < last else last
    dot = seen = False
    while offset < limit:
        code = ord(text[offset])
        if UPPER <= class_of(code, classes) <= NUMBER:
            if dot:
                return True
            seen = True
        elif code == ord("."):
            if not seen:
                return False
            dot = True
        elif code == ord("-"):
            dot = False
        else:
            return False
        offset += 1
    return False


def is_tag(text: str, offset: int, last: int) -> bool:
    """Return whether the rest of a tag follows, as in text that was escaped twice."""
    limit = offset + 255 if offset + 255 < last else last
    if offset < limit and text[offset] == "/":
        offset += 1
    if offset >= limit or not ("a" <= text[offset] <= "z" or "A" <= text[offset] <= "Z"):
        return False
    while offset < limit:
        code = ord(text[offset])
        if code in (ord("<"), ord(">")):
            return code == ord(">")
        offset += 1
    return False
