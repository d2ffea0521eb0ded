"""Features: columns of numbers that describe blocks, one family a file. No labels, no learning, no language.

A matrix has one row a feature and one column a block, so that a feature lies in one piece.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

# The logarithm of one more than each number: counts matter by their size, and a table is faster than a logarithm.
LOGS: Final = np.log1p(np.arange(1 << 16)).astype(np.float32)
