"""Features: numbers that describe blocks, one family per file. No labels, no learning, no language.

A matrix has one row per feature and one column per block, so that the values of a feature are contiguous. The rows are
named by an enum, such as `TextRow`, and its names in lower case are the names of the features.
"""

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Matrix = Floats  # one row per feature, one column per block
Column = Floats  # one number per block
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

# log(1 + n) for each n: counts matter by their order of magnitude, and a table is faster than a logarithm.
LOGS: Final = np.log1p(np.arange(1 << 16)).astype(np.float32)


def row_names(rows: type[IntEnum]) -> tuple[str, ...]:
    """Return the names of features.

    >>> row_names(IntEnum("Row", "WORDS LINK_DENSITY"))
    ('words', 'link_density')
    """
    return tuple(row.name.lower() for row in rows)
