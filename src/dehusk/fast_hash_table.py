# cython: cdivision=True, wraparound=False, boundscheck=False
"""The hash table that the compiled loops share: an array of keys with, beside it, an array of their values.

Linear probing: a key is in slot `key % len(keys)`, or in one of those after it, up to the first empty slot. Keys are
distinct and positive, 0 marks an empty slot. At least one slot must be empty, or a search might never end.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]


def _find_slot(key: int, keys: Longs) -> int:
    """Return the slot that holds a key, or the empty slot that shows that no slot does."""
    size = len(keys)
    slot = key % size
    while keys[slot] != 0 and keys[slot] != key:
        slot = slot + 1 if slot + 1 < size else 0
    return slot


# A loop in another module that cimports `find_slot` gets the copy in the .pxd, which C can inline.
find_slot = _find_slot


def build_table(keys: Longs, values: NDArray[Any], size: int) -> tuple[Longs, NDArray[Any]]:
    """Return the keys and the values of a table with `size` slots.

    >>> keys, values = build_table(np.array([7, 12, 3]), np.array([1.5, 2.5, 3.5]), 5)
    >>> keys.tolist(), values.tolist(), find_slot(12, keys), find_slot(4, keys)
    ([0, 0, 7, 12, 3], [0.0, 0.0, 1.5, 2.5, 3.5], 3, 0)
    """
    slots: Longs = np.zeros(len(keys), np.int64)
    table: Longs = np.zeros(size, np.int64)
    insert_keys(keys, table, slots)
    placed = np.zeros(size, values.dtype)
    placed[slots] = values
    return table, placed


def insert_keys(keys: Longs, table: Longs, slots: Longs) -> None:
    """Put keys into a table, and write down the slot of each."""
    for index in range(len(keys)):
        slot = find_slot(keys[index], table)
        table[slot] = keys[index]
        slots[index] = slot
