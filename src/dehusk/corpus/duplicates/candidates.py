"""Candidates: the pairs of documents that share a key, and so may be similar."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.corpus.duplicates.keys import shared_keys

ALL_PAIRS: Final = 40  # documents with the same key that are all compared with each other
CHUNK: Final = 100_000  # keys whose pairs are in memory together


def candidates(keys: NDArray[np.void]) -> Iterator[NDArray[np.uint64]]:
    """Yield the pairs of documents that share one of the keys, which are sorted: the earlier document first.

    Where more than `ALL_PAIRS` share a key, each is compared with the first of them and with the one before it.

    >>> from dehusk.corpus.duplicates.keys import KEY
    >>> keys = np.array([(5, 1), (5, 4), (6, 1), (7, 2), (7, 3), (7, 4)], KEY)
    >>> [pairs.tolist() for pairs in candidates(keys)]
    [[[1, 4], [2, 3], [2, 4], [3, 4]]]
    """
    shared = shared_keys(keys)
    begins = _begins(shared)
    first = 0
    while first < len(shared):
        # A chunk ends where a group does; a group larger than that is a chunk of its own.
        group = int(np.searchsorted(begins, first + CHUNK, side="right")) - 1
        end = len(shared) if first + CHUNK >= len(shared) else int(begins[group])
        if end <= first:
            end = int(begins[group + 1]) if group + 1 < len(begins) else len(shared)
        yield np.unique(_pairs(shared[first:end]), axis=0)
        first = end


def _begins(keys: NDArray[np.void]) -> NDArray[np.intp]:
    """Return where each key begins."""
    return np.flatnonzero(np.concatenate([[True], keys["key"][1:] != keys["key"][:-1]])[: len(keys)])


def _pairs(keys: NDArray[np.void]) -> NDArray[np.uint64]:
    begins = _begins(keys)
    sizes = np.diff(np.append(begins, len(keys)))
    size, begin = np.repeat(sizes, sizes), np.repeat(begins, sizes)
    indices = np.arange(len(keys))
    # To the one before, in every group; to the one before that, and so on, in groups that are compared completely.
    pairs = []
    for distance in range(1, ALL_PAIRS):
        right = indices[(indices - begin >= distance) & ((size <= ALL_PAIRS) | (distance == 1))]
        if len(right) == 0:
            break
        pairs.append((right - distance, right))
    far = indices[(size > ALL_PAIRS) & (indices - begin > 1)]
    left, right = (np.concatenate(column) for column in zip(*pairs, (begin[far], far), strict=True))
    return np.stack([keys["document"][left], keys["document"][right]], axis=1)
