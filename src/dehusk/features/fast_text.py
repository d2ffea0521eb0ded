# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops over the text of blocks: classes of characters, and headings compared with the page's title.

Compiled with the C types in fast_text.pxd; runs as plain Python with the same results.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import CharacterClass
from dehusk.features import Floats, Ints, Longs

TextRow = IntEnum(
    "TextRow",
    "CHARACTERS WORDS STOPS WORD_LENGTH UPPER_SHARE LETTER_SHARE UNSPACED_SHARE DIGIT_SHARE OTHER_SHARE CAPITALISED "
    "STOPS_PER_WORD COMMAS_PER_WORD OTHER_PER_WORD RULES_PER_WORD QUOTES_PER_WORD MONEY SIGNS ENDS_IN_STOP "
    "ENDS_IN_COMMA ENDS_IN_LETTER STARTS_UPPER STARTS_DIGIT STARTS_OTHER",
    start=0,
)
TitleRow = IntEnum("TitleRow", "SINCE_TITLE TITLE_OVERLAP BEFORE_TITLE", start=0)
# The members as C numbers: Python objects would have to be looked up for every block.
(
    CHARACTERS, WORDS, STOPS, WORD_LENGTH, UPPER_SHARE, LETTER_SHARE, UNSPACED_SHARE, DIGIT_SHARE, OTHER_SHARE,
    CAPITALISED, STOPS_PER_WORD, COMMAS_PER_WORD, OTHER_PER_WORD, RULES_PER_WORD, QUOTES_PER_WORD, MONEY, SIGNS,
    ENDS_IN_STOP, ENDS_IN_COMMA, ENDS_IN_LETTER, STARTS_UPPER, STARTS_DIGIT, STARTS_OTHER,
) = TextRow  # fmt: skip
SINCE_TITLE, TITLE_OVERLAP, BEFORE_TITLE = TitleRow
BLANK, UPPER, LETTER, UNSPACED_LETTER, DIGIT, STOP, COMMA, CURRENCY, SIGN, RULE, QUOTE, OTHER = CharacterClass
# What is counted of a block besides the classes: capitals at the start of words, and the class of its last character.
CAPITALS, LAST_CLASS = len(CharacterClass), len(CharacterClass) + 1
ROOM = len(CharacterClass) + 2


def text_columns(  # noqa: PLR0913, PLR0917
    text: str,
    start: Ints,
    end: Ints,
    classes: NDArray[np.uint8],
    logs: Floats,
    counts: Ints,
    matrix: Floats,
    words: Floats,
    hashes: Longs,
) -> None:
    """Fill in the rows of `TextRow`, the number of words, and a hash of the text of every block.

    `classes` has the `CharacterClass` of each character, its last entry that of all characters beyond; `logs` the
    logarithms of 1, 2, 3…; `counts` is room for `ROOM` counts of one block.
    """
    most = len(classes) - 1
    for block in range(len(start)):
        hashes[block] = count_characters(text, start[block], end[block], classes, counts)
        length = end[block] - start[block]
        # In scripts without spaces about two characters make a word.
        count = counts[BLANK] + 1 + counts[UNSPACED_LETTER] // 2
        words[block] = count
        write_counts(block, length, count, counts, logs, matrix)
        code = ord(text[start[block]])
        write_edges(block, classes[code if code < most else most], counts[LAST_CLASS], matrix)


def count_characters(text: str, start: int, end: int, classes: NDArray[np.uint8], counts: Ints) -> int:
    """Count the classes of characters in a span of text; return a hash of 44 bits of the span."""
    most, mask = len(classes) - 1, 0xFFFFFFFFFFF
    for kind in range(len(counts)):
        counts[kind] = 0
    kind = before = BLANK
    text_hash = 1
    for offset in range(start, end):
        code = ord(text[offset])
        entry = code if code < most else most
        kind = classes[entry]
        counts[kind] += 1
        text_hash = (text_hash * 112755 + entry) & mask
        if before == BLANK and kind == UPPER:
            counts[CAPITALS] += 1
        before = kind
    counts[LAST_CLASS] = kind
    return text_hash


def write_counts(block: int, length: int, words: int, counts: Ints, logs: Floats, matrix: Floats) -> None:
    """Fill in the counts of one block: as logarithms, per character and per word."""
    longest = len(logs) - 1
    characters, per_word = 1.0 * length, 1.0 * words
    matrix[CHARACTERS, block] = logs[min(length, longest)]
    matrix[WORDS, block] = logs[min(words, longest)]
    matrix[STOPS, block] = logs[min(counts[STOP], longest)]
    matrix[WORD_LENGTH, block] = min((length - counts[BLANK]) / (10.0 * words), 3.0)
    matrix[UPPER_SHARE, block] = counts[UPPER] / characters
    matrix[LETTER_SHARE, block] = counts[LETTER] / characters
    matrix[UNSPACED_SHARE, block] = counts[UNSPACED_LETTER] / characters
    matrix[DIGIT_SHARE, block] = counts[DIGIT] / characters
    matrix[OTHER_SHARE, block] = counts[OTHER] / characters
    matrix[CAPITALISED, block] = counts[CAPITALS] / per_word
    matrix[STOPS_PER_WORD, block] = min(counts[STOP] / per_word, 2.0)
    matrix[COMMAS_PER_WORD, block] = min(counts[COMMA] / per_word, 2.0)
    matrix[OTHER_PER_WORD, block] = min(counts[OTHER] / per_word, 2.0)
    matrix[RULES_PER_WORD, block] = min(counts[RULE] / per_word, 2.0)
    matrix[QUOTES_PER_WORD, block] = min(counts[QUOTE] / per_word, 2.0)
    matrix[MONEY, block] = min(counts[CURRENCY], 2)
    matrix[SIGNS, block] = min(counts[SIGN], 2)


def write_edges(block: int, first: int, last: int, matrix: Floats) -> None:
    """Fill in what the classes of a block's first and last character say."""
    matrix[ENDS_IN_STOP, block] = last == STOP
    matrix[ENDS_IN_COMMA, block] = last == COMMA
    matrix[ENDS_IN_LETTER, block] = last == LETTER
    matrix[STARTS_UPPER, block] = first == UPPER
    matrix[STARTS_DIGIT, block] = first == DIGIT
    matrix[STARTS_OTHER, block] = first >= CURRENCY


def link_shares(link_chars: Ints, start: Ints, end: Ints, shares: Floats) -> None:
    """Fill in which share of each block's characters is in links."""
    for block in range(len(start)):
        shares[block] = link_chars[block] / (1.0 * max(end[block] - start[block], 1))


def title_columns(  # noqa: PLR0913, PLR0917
    text: str,
    start: Ints,
    end: Ints,
    above: Longs,
    headings: int,
    title_words: set[str],
    farthest: int,
    logs: Floats,
    matrix: Floats,
) -> None:
    """Fill in the rows of `TitleRow`, which come as zeros.

    Every block with any of the bits `headings` above it is compared with the title. The rows: blocks since the heading
    that has most in common with it, at most `farthest`, as a logarithm; which share of a heading's words is in the
    title; whether a block comes before that heading. No heading is taken for the title that shares less than half.
    """
    best, most = -1, 0.0
    for block in range(len(start)):
        if above[block] & headings == 0:
            continue
        words = text[start[block] : end[block]].lower().split()
        common = len(title_words.intersection(words))
        if common == 0:
            continue
        count = len(set(words))
        overlap = common / (1.0 * count) * min(count / 3.0, 1.0)  # one word in common is chance, three are not
        matrix[TITLE_OVERLAP, block] = overlap
        if overlap > most:
            best, most = block, overlap
    if best < 0 or matrix[TITLE_OVERLAP, best] < 0.5:
        return
    for block in range(len(start)):
        if block < best:
            matrix[BEFORE_TITLE, block] = 1.0
        else:
            matrix[SINCE_TITLE, block] = logs[min(block - best, farthest)]
