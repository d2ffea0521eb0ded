"""Badness: texrex's measure of text quality, the lack of the most frequent words of a language.

A profile has for each of ten words the mean and the standard deviation of the logarithm of its relative frequency in
documents. A text gets points for each: the limit if the word is absent, and where it is rarer than usual the number
of standard deviations, up to the limit. So running text is near 0, lists of names and keywords near 50. In scripts
without spaces, single characters take the place of words.

Schäfer and Bildhauer 2013, Web Corpus Construction.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import UNSPACED
from dehusk.corpus.fast_shape import fill_counts
from dehusk.corpus.shingles import word_hashes

TYPES: Final = 10  # words in a profile
LIMIT: Final = 5.0  # points per word
UNSPACED_CLASS: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
TOKEN: Final = re.compile(rf"[{UNSPACED_CLASS}]|[^\W_{UNSPACED_CLASS}]+")
MODEL: Final = Path(__file__).parents[1] / "models" / "badness" / "model.json"


class Usual(NamedTuple):
    """How frequent a word is in documents of its language: logarithms to base 10 of relative frequencies."""

    mean: float
    deviation: float


Profile = Mapping[str, Usual]


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, those that `word_hashes` hashes.

    >>> tokens("Rain, 3 days; 雨の日")
    ['rain', '3', 'days', '雨', 'の', '日']
    """
    return TOKEN.findall(text.lower())


def score(words: NDArray[np.uint64], profile: Profile) -> float:
    """Return the badness of a text, given by the hashes of its words, by a profile: from 0 to 50.

    >>> score(word_hashes("THE rain and the sun"), {"the": Usual(-0.5, 0.1), "of": Usual(-1.5, 0.2)})
    5.0
    """
    counts = np.empty(len(profile), np.int64)
    fill_counts(words, _hashes(tuple(profile)), counts)
    points = 0.0
    for usual, count in zip(profile.values(), counts.tolist(), strict=True):
        if not count:
            points += LIMIT
        elif (frequency := math.log10(count / len(words))) < usual.mean:
            points += min((usual.mean - frequency) / usual.deviation, LIMIT)
    return round(points, 3)


def badness(words: NDArray[np.uint64], language: str | None) -> float | None:
    """Return the badness of a text by the profile of its language; None if there is none."""
    profile = profiles().get(language or "")
    return score(words, profile) if profile and len(words) else None


@lru_cache(100)
def _hashes(words: tuple[str, ...]) -> NDArray[np.uint64]:
    return np.array([word_hashes(word)[0] for word in words], np.uint64)


@lru_cache(1)
def profiles() -> dict[str, Profile]:
    """Return the profiles that are shipped, by language."""
    stored = json.loads(MODEL.read_text(encoding="utf-8"))["profiles"]
    return {
        language: {word: Usual(mean, deviation) for word, mean, deviation in words}
        for language, words in stored.items()
    }


def train(documents: Iterable[str]) -> dict[str, Usual]:
    """Return the profile of documents in one language: of the words that are in most of them."""
    counted = [Counter(words) for text in documents if (words := tokens(text))]
    spread = Counter(word for counts in counted for word in counts)
    profile = {}
    for word, _ in sorted(spread.items(), key=lambda item: (-item[1], item[0]))[:TYPES]:
        logarithms = [math.log10(counts[word] / counts.total()) for counts in counted if counts[word]]
        profile[word] = Usual(round(float(np.mean(logarithms)), 4), round(max(float(np.std(logarithms)), 0.05), 4))
    return profile
