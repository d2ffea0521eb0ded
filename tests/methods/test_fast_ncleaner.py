"""The compiled loops of ncleaner return what the same file returns as plain Python."""

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.fast_hash_table import build_table
from dehusk.methods.ncleaner import fast_ngrams as ncleaner
from dehusk.methods.ncleaner.alphabet import folding
from tests.helpers.compiled import uncompiled

PLAIN = uncompiled(ncleaner)
KEYS = np.array([1, 97, 98, 99, 0x6162, 0x016162, 0x61626301, 0x6162630161], np.int64)
# Tenths, so that it would show if one of the two added up in 32 bits.
VALUES = np.array([0.5, -1.0, 2.0, 0.1, 0.25, 4.0, -8.0, 16.0], np.float32)
TABLE = build_table(KEYS, VALUES, 17)


def summed(module: ModuleType, text: str, order: int, *edges: int) -> tuple[list[float], list[int]]:
    """Return the bits and the numbers of characters of the segments between edges."""
    start, end = np.array(edges[:-1], np.int32), np.array(edges[1:], np.int32)
    bits, counts = module.sum_bits(text, start, end, folding(), *TABLE, order)
    return bits.tolist(), counts.tolist()


def test_it_is_compiled_here() -> None:
    assert not str(ncleaner.__file__).endswith(".py"), "run: python setup.py build_ext --inplace"


@settings(deadline=None, max_examples=60)
@given(st.text("abc é木\u200b\U0001f600 \n", max_size=40), st.integers(1, 7))
def test_both_sum_alike(text: str, order: int) -> None:
    found = [summed(module, text, order, 0, len(text) // 2, len(text)) for module in (ncleaner, PLAIN)]
    assert found[0] == found[1]


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=40))
def test_both_fold_alike(text: str) -> None:
    found = []
    for module in (ncleaner, PLAIN):
        codes = np.zeros(len(text), np.uint8)
        found.append(codes[: module.fold(text, 0, len(text), folding(), codes)].tolist())
    assert found[0] == found[1]


def test_the_longest_known_end_of_a_history_counts() -> None:
    # a: only the unigram is known; b after a and an edge: the trigram; the edge at the end: the unigram.
    assert summed(ncleaner, "ab", 5, 0, 2) == ([-1.0 + 4.0 + 0.5], [3])


@pytest.mark.parametrize(("order", "bits"), [(1, -1.0 + 2.0 + 0.5), (2, -1.0 + 0.25 + 0.5)])
def test_no_longer_n_gram_is_used_than_the_order_allows(order: int, bits: float) -> None:
    assert summed(ncleaner, "ab", order, 0, 2)[0] == [bits]
