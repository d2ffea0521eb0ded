"""Shingles and signatures: texts as sets of word sequences, and what is enough of these to compare them.

MinHash (Broder 1997): two texts have the same least hash of their shingles with a probability that is the Jaccard
similarity of the two sets, so many hash functions estimate it.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import UNSPACED, Table, class_table
from dehusk.corpus.fast_minhash import fill_shingles, fill_signature, fill_words

SEED: Final = 27


def word_hashes(text: str) -> NDArray[np.uint64]:
    """Return the hash of each word of a text, in a script without spaces of each character; capitals do not matter.

    >>> len(word_hashes("To be, or not: 三人")), len(set(word_hashes("be Be BE").tolist()))
    (6, 1)
    """
    text = text.lower()
    hashes = np.empty(len(text) + 1, np.uint64)
    return hashes[: fill_words(text, _classes(), hashes)]


def shingles(text: str, words: int) -> NDArray[np.uint64]:
    """Return the hashes of all sequences of so many words of a text, sorted, each once.

    >>> len(shingles("to be or not to be", 2)), len(shingles("To be or not, to be!", 2)), len(shingles("三人行必有", 2))
    (4, 4, 4)
    """
    return np.unique(shingle_hashes(word_hashes(text), words))


def shingle_hashes(words: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Return the hash of every `size` words in a row, given the hashes of the words; of all, if there are fewer.

    >>> len(shingle_hashes(word_hashes("to be or not to be"), 2))
    5
    """
    hashes = np.empty(max(len(words), 1), np.uint64)
    with np.errstate(over="ignore"):  # where it is not compiled, numpy would warn that numbers overflow, as they should
        return hashes[: fill_shingles(words, len(words), size, hashes)]


def signature(shingle_set: NDArray[np.uint64], hashes: int) -> NDArray[np.uint32]:
    """Return the least value of each of so many hash functions over shingles; to repeat one makes no difference.

    >>> first, second = (signature(shingles(text, 1), 1000) for text in ("a b c d e", "a b c d f"))
    >>> bool(0.6 < (first == second).mean() < 0.73)  # 4 of 6 are in both
    True
    """
    factors, addends = _functions(hashes)
    values = np.empty(hashes, np.uint32)
    fill_signature(shingle_set, factors, addends, values)
    return values


def jaccard(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> float:
    """Return how much of two sets, both sorted, is in both.

    >>> jaccard(shingles("a b c d e", 1), shingles("a b c d f", 1))
    0.6666666666666666
    """
    common = len(np.intersect1d(first, second, assume_unique=True))
    union = len(first) + len(second) - common
    return common / union if union else 0.0


@lru_cache(1)
def _classes() -> Table:
    return class_table(0, (lambda letter: int(letter.isalnum()), [(0, 0xFFFF)]), (2, UNSPACED))


@lru_cache(4)
def _functions(hashes: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the factors, which are odd, and the addends of so many hash functions, always the same."""
    random = np.random.default_rng(SEED)
    factors = random.integers(0, 2**32, hashes, np.uint32) | np.uint32(1)
    return factors, random.integers(0, 2**32, hashes, np.uint32)
