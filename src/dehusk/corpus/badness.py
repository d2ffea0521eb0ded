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

from dehusk.characters import UNSPACED

TYPES: Final = 10  # words in a profile
LIMIT: Final = 5.0  # points per word
UNSPACED_CLASS: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
TOKEN: Final = re.compile(rf"[{UNSPACED_CLASS}]|[^\W\d_{UNSPACED_CLASS}]+")
MODEL: Final = Path(__file__).parents[1] / "models" / "badness" / "model.json"


class Usual(NamedTuple):
    """How frequent a word is in documents of its language: logarithms to base 10 of relative frequencies."""

    mean: float
    deviation: float


Profile = Mapping[str, Usual]


def tokens(text: str) -> list[str]:
    """Return the words of a text in upper case, as texrex counts them.

    >>> tokens("Rain, 3 days; 雨の日")
    ['RAIN', 'DAYS', '雨', 'の', '日']
    """
    return TOKEN.findall(text.upper())


def score(text: str, profile: Profile) -> float:
    """Return the badness of a text by a profile, from 0 to 50.

    >>> score("THE rain and the sun", {"THE": Usual(-0.5, 0.1), "OF": Usual(-1.5, 0.2)})
    5.0
    """
    found = tokens(text)
    counts, total = Counter(found), len(found)
    points = 0.0
    for word, usual in profile.items():
        if not counts[word]:
            points += LIMIT
        elif (frequency := math.log10(counts[word] / total)) < usual.mean:
            points += min((usual.mean - frequency) / usual.deviation, LIMIT)
    return round(points, 3)


def badness(text: str, language: str | None) -> float | None:
    """Return the badness of a text by the profile of its language; None if there is none."""
    profile = profiles().get(language or "")
    return score(text, profile) if profile and text else None


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
    counted = [Counter(found) for text in documents if (found := tokens(text))]
    spread = Counter(word for counts in counted for word in counts)
    profile = {}
    for word, _ in sorted(spread.items(), key=lambda item: (-item[1], item[0]))[:TYPES]:
        logarithms = [math.log10(counts[word] / counts.total()) for counts in counted if counts[word]]
        profile[word] = Usual(round(float(np.mean(logarithms)), 4), round(max(float(np.std(logarithms)), 0.05), 4))
    return profile
