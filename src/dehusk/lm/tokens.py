"""Tokens: sentences as columns of hashed words, with a boundary mark between them; no string is kept.

A word is a run of letters and digits in lower case, with every digit as 0; each other visible character is a word, and
so is each character of a script without spaces. Quotation marks, apostrophes and dashes of all kinds count as the
plain ones.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk import characters
from dehusk.characters import BEYOND, PART_OF_WORD, SPACE, WHOLE_WORD, class_table, joins_words, word_begins

Keys = NDArray[np.uint64]

MAX_OFFSETS: Final = 64  # letters of a word whose position counts
HALF: Final = np.uint64(32)
BATCH: Final = (2000, 400_000)  # sentences, and characters: enough for numpy, few enough for the processor's cache
GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
# Invisible characters, which would split words: soft hyphens, joiners, marks of direction.
INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
# Letters that may be written in parts: with combining marks, or in Korean. No more marks are composed than a letter may
# have, since composing takes time in the square of their number.
PARTS: Final = re.compile("[\u0300-\u036f\u3099\u309a\u1100-\u11ff]")
DECOMPOSED: Final = re.compile(
    "[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]{1,8}|[\uac00-\ud7a3]?[\u1100-\u11ff]+"
)
LINE_ENDS: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
EQUIVALENT: Final = {"'": "‘’‚‛ʼ`´′", '"': "“”„‟«»″", "-": "‐‑‒–—―−"}


@dataclass(frozen=True, slots=True, eq=False)
class HashedTokens:
    """Words as hashes, and where the marks are: before the first sentence, between two, and after the last."""

    key: Keys
    mark: NDArray[np.int64]

    def __len__(self) -> int:
        """Return how many words there are, not counting marks."""
        return len(self.key) - len(self.mark)


def tokens(sentences: Iterable[str]) -> HashedTokens:
    """Return the words of sentences.

    >>> words = tokens(["The cat.", "the CAT,"])
    >>> words.mark.tolist(), len(words)
    ([0, 4, 8], 6)
    >>> bool(words.key[1] == words.key[5]), bool(words.key[3] == words.key[7])
    (True, False)
    """
    lines = [LINE_ENDS.sub(" ", sentence) for sentence in sentences]
    text = "\n".join(("", *lines, "")) if lines else "\n"
    if not text.isascii():
        if PARTS.search(text):
            text = DECOMPOSED.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)
        text = INVISIBLE.sub("", text)
    codes = np.minimum(np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32), BEYOND)
    classes, folded = _tables()
    kinds = classes[codes]
    begins = word_begins(kinds)
    start = np.flatnonzero(begins)
    # The position of each character in its word; spaces have one too, and add nothing.
    offset = np.arange(len(codes)) - start[np.maximum(np.cumsum(begins) - 1, 0)]
    letters = folded[codes].astype(np.uint64)
    letters[kinds == SPACE] = 0
    key = mixed(np.add.reduceat(letters * _FACTORS[np.minimum(offset, MAX_OFFSETS - 1)], start))
    return HashedTokens(key, np.flatnonzero(codes[start] == ord("\n")))


def batches(sentences: Iterable[str]) -> Iterator[list[str]]:
    """Yield sentences in lists that are short enough to be processed together.

    >>> [len(batch) for batch in batches(["One.", "x" * 500_000, "Two.", "Three."])]
    [2, 2]
    """
    batch: list[str] = []
    length = 0
    for sentence in sentences:
        batch.append(sentence)
        length += len(sentence)
        if len(batch) == BATCH[0] or length > BATCH[1]:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def grams(words: HashedTokens, order: int) -> Keys:
    """Return the key of the last `order` words at each position from the second on; n-grams do not cross marks.

    >>> one, two = tokens(["a b"]), tokens(["c", "a b"])
    >>> bool((grams(one, 3) == grams(two, 3)[2:]).all())
    True
    """
    return words.key[1:] if order == 1 else mixed(histories(words, order))


def histories(words: HashedTokens, order: int) -> Keys:
    """Return the same before mixing: the upper half has the words before, the lower half the last one.

    So the continuations of the same words are adjacent once keys are sorted.
    """
    keys = words.key >> HALF
    if order == 2:
        return (keys[:-1] << HALF) | keys[1:]
    pairs = mixed(histories(words, 2)) >> HALF
    mark = keys[:1]
    before = np.concatenate((mixed((mark << HALF) | mark) >> HALF, pairs[:-1]))
    before[words.mark[:-1]] = before[0]
    return (before << HALF) | keys[1:]


def mixed(numbers: Keys) -> Keys:
    """Return hashes of numbers: every bit depends on every bit of the number (the last step of splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    out: Keys = numbers ^ (numbers >> np.uint64(31))
    return out


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Return the class of each character, and the character that it counts as."""
    # Beyond the first plane most are pictures, or of scripts without spaces.
    marks = (WHOLE_WORD, [(ord("\n"), ord("\n")), (BEYOND, BEYOND)])
    classes = class_table(PART_OF_WORD, (_word_class, [(0, BEYOND - 1)]), marks)
    folded = characters.lower_case(BEYOND + 1)
    folded[[code for code in range(BEYOND) if chr(code).isdigit()]] = ord("0")
    for character, others in EQUIVALENT.items():
        folded[[ord(other) for other in others]] = ord(character)
    return classes, folded


def _word_class(character: str) -> int:
    kind = int(characters.WORD_CLASSES[ord(character)])
    if kind != PART_OF_WORD or joins_words(character):
        return kind
    return SPACE if unicodedata.category(character) in ("Cc", "Cf", "Cs") else WHOLE_WORD


_FACTORS: Final = mixed(np.arange(1, MAX_OFFSETS + 1, dtype=np.uint64) * GOLDEN) | np.uint64(1)
