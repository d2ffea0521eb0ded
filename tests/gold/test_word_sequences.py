"""Word sequences: the longest common subsequence, however long the texts."""

import numpy as np
import pytest

from dehusk.gold import word_sequences
from dehusk.gold.word_sequences import common_subsequence, numbered, words
from testing.growth import FACTOR, LINEAR, exponent


@pytest.mark.parametrize("seed", range(5))
def test_common_subsequence_is_as_long_as_the_textbook_says(seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = random.integers(0, 8, 40), random.integers(0, 8, 30)
    places, partners = common_subsequence(first, second)
    assert (first[places] == second[partners]).all()
    assert (np.diff(places) > 0).all()
    assert (np.diff(partners) > 0).all()
    assert len(places) == textbook_length(first.tolist(), second.tolist())


def textbook_length(first: list[int], second: list[int]) -> int:
    row = [0] * (len(second) + 1)
    for left in first:
        before = row
        row = [0]
        for place, right in enumerate(second):
            row.append(before[place] + 1 if left == right else max(before[place + 1], row[place]))
    return row[-1]


def test_long_texts_are_cut_at_words_that_occur_once_on_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_sequences, "CELLS", 20)
    first, second = numbered("aabcdde", "xdcbabbde")
    places, partners = common_subsequence(first, second)
    assert (first[places] == second[partners]).all()
    assert (np.diff(partners) > 0).all()
    assert (places[-1], partners[-1]) == (6, 8)


def test_a_page_made_to_hurt_takes_linear_time() -> None:
    # Two words only, so none occurs once and everything has to be cut by length.
    random = np.random.default_rng(0)

    def align(words: int) -> None:
        indices, _ = common_subsequence(random.integers(1, 3, words), random.integers(1, 3, words))
        assert len(indices) > 0.7 * words

    assert exponent(lambda: align(12_500), lambda: align(12_500 * FACTOR)) < LINEAR


def test_numbers_of_no_words_are_empty() -> None:
    assert [len(text) for text in numbered([], words(" — "))] == [0, 0]
    assert [len(side) for side in common_subsequence(*numbered([], ["a"]))] == [0, 0]


def test_long_texts_are_cut_at_words_that_occur_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_sequences, "CELLS", 3_000)
    once, often = np.arange(1, 51), np.full(50, 99)
    places, partners = common_subsequence(np.concatenate([once, often]), np.concatenate([often, once]))
    assert places.tolist() == list(range(50))
    assert partners.tolist() == list(range(50, 100))
