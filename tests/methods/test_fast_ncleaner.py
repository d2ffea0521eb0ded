"""The compiled loops of ncleaner bring home what the same file does as plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dehusk.methods.ncleaner import fast_ngrams as ncleaner
from dehusk.methods.ncleaner.alphabet import EDGE, folding
from tests.helpers.compiled import uncompiled

PLAIN = uncompiled(ncleaner)
KEYS = np.array([1, 97, 98, 99, 0x6162, 0x016162, 0x61626301, 0x6162630161], np.int64)
# Tenths, so that it would show if one of the two added up in 32 bits.
VALUES = np.array([0.5, -1.0, 2.0, 0.1, 0.25, 4.0, -8.0, 16.0], np.float32)


def table(module: object, size: int = 17) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    slots, worth = np.zeros(size, np.int64), np.zeros(size, np.float32)
    module.spread(KEYS, VALUES, slots, worth)  # type: ignore[attr-defined]
    return slots, worth


def weighed(module: object, text: str, order: int = 5) -> tuple[list[float], list[int]]:
    half = len(text) // 2
    start, end = np.array([0, half], np.int32), np.array([half, len(text)], np.int32)
    bits, counts = np.zeros(2), np.zeros(2, np.int32)
    module.weigh(text, start, end, EDGE, folding(), *table(module), order, bits, counts)  # type: ignore[attr-defined]
    return bits.tolist(), counts.tolist()


def test_it_is_compiled_here() -> None:
    assert not str(ncleaner.__file__).endswith(".py"), "run: python setup.py build_ext --inplace"


@settings(deadline=None, max_examples=60)
@given(st.text("abc é木\u200b\U0001f600 \n", max_size=40), st.integers(1, 7))
def test_both_weigh_alike(text: str, order: int) -> None:
    assert weighed(ncleaner, text, order) == weighed(PLAIN, text, order)


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=40))
def test_both_fold_alike(text: str) -> None:
    found = []
    for module in (ncleaner, PLAIN):
        codes = np.zeros(len(text), np.uint8)
        found.append(codes[: module.fold(text, 0, len(text), folding(), codes)].tolist())
    assert found[0] == found[1]


def test_a_table_is_laid_out_alike() -> None:
    (slots, worth), (plain_slots, plain_worth) = table(ncleaner), table(PLAIN)
    assert (slots.tolist(), worth.tolist()) == (plain_slots.tolist(), plain_worth.tolist())


def test_the_longest_known_end_of_a_history_counts() -> None:
    # a: only the unigram is known; b after a and an edge: the trigram; the edge at the end: the unigram.
    bits, counts = np.zeros(1), np.zeros(1, np.int32)
    spans = np.array([0], np.int32), np.array([2], np.int32)
    ncleaner.weigh("ab", *spans, EDGE, folding(), *table(ncleaner), 5, bits, counts)
    assert (bits[0], counts[0]) == (-1.0 + 4.0 + 0.5, 3)


@pytest.mark.parametrize("order", [1, 2])
def test_no_more_is_looked_at_than_the_order_allows(order: int) -> None:
    bits, counts = np.zeros(1), np.zeros(1, np.int32)
    spans = np.array([0], np.int32), np.array([2], np.int32)
    ncleaner.weigh("ab", *spans, EDGE, folding(), *table(ncleaner), order, bits, counts)
    assert bits[0] == {1: -1.0 + 2.0 + 0.5, 2: -1.0 + 0.25 + 0.5}[order]
