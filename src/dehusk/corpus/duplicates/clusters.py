"""Clusters: documents connected by pairs of duplicates, directly or by way of others."""

import numpy as np
from numpy.typing import NDArray

Documents = NDArray[np.uint64]  # by their numbers: `keys.document_numbers`


def clusters(first: Documents, second: Documents) -> tuple[Documents, Documents]:
    """Return all documents of the pairs, sorted, and for each the least document that it is connected with.

    >>> documents, roots = clusters(np.array([1, 5, 7], np.uint64), np.array([5, 3, 8], np.uint64))
    >>> documents.tolist(), roots.tolist()
    ([1, 3, 5, 7, 8], [1, 1, 1, 7, 7])
    """
    documents, indices = np.unique(np.concatenate([first, second]), return_inverse=True)
    left, right = indices[: len(first)], indices[len(first) :]
    parent = np.arange(len(documents))
    while True:
        # Each root takes the least root that one of its pairs leads to; then every document looks up its root.
        roots = parent.copy()
        np.minimum.at(roots, parent[left], parent[right])
        np.minimum.at(roots, parent[right], parent[left])
        while not np.array_equal(shorter := roots[roots], roots):
            roots = shorter
        if np.array_equal(roots[parent], parent):
            return documents, documents[parent]
        parent = roots[parent]
