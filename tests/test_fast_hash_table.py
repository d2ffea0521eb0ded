"""Hash tables: every key is found with its value, no other key is, and both copies of the search agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk import fast_hash_table
from dehusk.fast_hash_table import build_table, find_slot
from tests.helpers.compiled import uncompiled

PLAIN = uncompiled(fast_hash_table)


@given(st.sets(st.integers(1, 400), max_size=60), st.integers(1, 3))
def test_keys_are_found_and_others_are_not(chosen: set[int], room: int) -> None:
    numbers = np.array(sorted(chosen), np.int64)
    keys, values = build_table(numbers, -numbers.astype(np.int32), room * len(chosen) + 1)
    for key in range(1, 401):
        slot = find_slot(key, keys)
        assert (keys[slot], values[slot]) == ((key, -key) if key in chosen else (0, 0))
        assert slot == PLAIN.find_slot(key, keys)


@pytest.mark.parametrize("module", [fast_hash_table, PLAIN])
def test_a_key_goes_to_the_next_free_slot_and_around_the_end(module: object) -> None:
    keys, values = module.build_table(np.array([4, 9, 14]), np.array([1, 2, 3]), 5)  # type: ignore[attr-defined]
    assert (keys.tolist(), values.tolist()) == ([9, 14, 0, 0, 4], [2, 3, 0, 0, 1])
