"""Tokens: sentences as columns of hashed words, with a mark between them; no string is kept.

A word is a run of letters and digits in small letters, every digit taken for 0; each other visible character is a word
of its own, and so is each character of a script without blanks. Quotation marks, apostrophes and dashes of all kinds
are taken for the plain ones.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.word_boundaries import BLANK, CLASSES, PART_OF_WORD, WHOLE_WORD

Keys = NDArray[np.uint64]
Places = NDArray[np.int64]

LAST: Final = 0x10000  # what is beyond the first plane is one character, as far as a model goes
PLACES: Final = 64  # letters of a word whose place counts
HALF: Final = np.uint64(32)
BATCH: Final = (2000, 400_000)  # sentences, and characters: enough for numpy, few enough for the processor's cache
GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
# Characters that nobody sees would part words: soft hyphens, joiners, marks of direction.
UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
# Letters that may be written in parts: with marks, or in Korean. No more marks are put together than a letter may have,
# since the time that takes grows with the square of their number.
PARTS: Final = re.compile("[\u0300-\u036f\u3099\u309a\u1100-\u11ff]")
APART: Final = re.compile(
    "[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]{1,8}|[\uac00-\ud7a3]?[\u1100-\u11ff]+"
)
LINE_ENDS: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
SAME: Final = {"'": "‘’‚‛ʼ`´′", '"': "“”„‟«»″", "-": "‐‑‒–—―−"}


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Words as hashes, and the places of the marks: before the first sentence, between two, after the last."""

    key: Keys
    mark: Places

    def __len__(self) -> int:
        """Return how many words there are, marks left out."""
        return len(self.key) - len(self.mark)


def tokens(sentences: Iterable[str]) -> Tokens:
    """Return the words of sentences.

    >>> found = tokens(["The cat.", "the CAT,"])
    >>> found.mark.tolist(), len(found)
    ([0, 4, 8], 6)
    >>> bool(found.key[1] == found.key[5]), bool(found.key[3] == found.key[7])
    (True, False)
    """
    lines = [LINE_ENDS.sub(" ", sentence) for sentence in sentences]
    text = "\n".join(("", *lines, "")) if lines else "\n"
    if not text.isascii():
        if PARTS.search(text):
            text = APART.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)
        text = UNSEEN.sub("", text)
    codes = np.minimum(np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32), LAST)
    classes, plain = _tables()
    kinds = classes[codes]
    inside = kinds == PART_OF_WORD
    begins = inside.copy()
    begins[1:] &= ~inside[:-1]
    begins |= kinds == WHOLE_WORD
    start = np.flatnonzero(begins)
    # Which place each character has in its word; blanks have one too, and add nothing.
    place = np.arange(len(codes)) - start[np.maximum(np.cumsum(begins) - 1, 0)]
    letters = plain[codes].astype(np.uint64)
    letters[kinds == BLANK] = 0
    key = mixed(np.add.reduceat(letters * _FACTORS[np.minimum(place, PLACES - 1)], start))
    return Tokens(key, np.flatnonzero(codes[start] == ord("\n")))


def batches(sentences: Iterable[str]) -> Iterator[list[str]]:
    """Yield sentences in lists that are short enough to be looked at together.

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


def grams(found: Tokens, order: int) -> Keys:
    """Return the key of the last `order` words at each place from the second on; no mark is looked behind.

    >>> one, two = tokens(["a b"]), tokens(["c", "a b"])
    >>> bool((grams(one, 3) == grams(two, 3)[2:]).all())
    True
    """
    return found.key[1:] if order == 1 else mixed(histories(found, order))


def histories(found: Tokens, order: int) -> Keys:
    """Return the same before it is mixed: in the upper half the words before, in the lower the last one.

    So all that follows on the same words stands together once keys are sorted.
    """
    words = found.key >> HALF
    if order == 2:
        return (words[:-1] << HALF) | words[1:]
    pairs = mixed(histories(found, 2)) >> HALF
    mark = words[:1]
    before = np.concatenate((mixed((mark << HALF) | mark) >> HALF, pairs[:-1]))
    before[found.mark[:-1]] = before[0]
    return (before << HALF) | words[1:]


def mixed(numbers: Keys) -> Keys:
    """Return numbers whose every bit depends on every bit that came in (the last step of splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    out: Keys = numbers ^ (numbers >> np.uint64(31))
    return out


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Return what each character is to a word, and what it is taken for."""
    classes = CLASSES.copy()
    plain = np.arange(LAST + 1, dtype=np.uint32)
    for code in range(LAST):
        character = chr(code)
        if classes[code] == PART_OF_WORD and not character.isalnum() and unicodedata.category(character)[0] != "M":
            classes[code] = BLANK if unicodedata.category(character) in ("Cc", "Cf", "Cs") else WHOLE_WORD
        small = character.lower()
        plain[code] = ord("0") if character.isdigit() else ord(small) if len(small) == 1 else code
    for character, others in SAME.items():
        plain[[ord(other) for other in others]] = ord(character)
    classes[[ord("\n"), LAST]] = WHOLE_WORD  # beyond the first plane most are pictures, or of scripts without blanks
    return classes, plain


_FACTORS: Final = mixed(np.arange(1, PLACES + 1, dtype=np.uint64) * GOLDEN) | np.uint64(1)
