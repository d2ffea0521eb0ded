"""Aligned arrays: arrays that begin at a line of the processor's cache.

The compiled layers read eight numbers at a time. In arrays that begin anywhere, as numpy's do, every other of these
vectors crosses two lines, and adding up the weights of the bins took a third longer.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

LINE: Final = 16  # numbers in single precision


def aligned_empty(size: int) -> NDArray[np.float32]:
    """Return an array of so many numbers, not initialised."""
    room = np.empty(size + LINE, np.float32)
    begin = -(room.__array_interface__["data"][0] // room.itemsize) % LINE
    return room[begin : begin + size]


def aligned_floats(array: NDArray[np.generic]) -> NDArray[np.float32]:
    """Return a copy in single precision.

    >>> aligned_floats(np.array([[1, 2]]))
    array([[1., 2.]], dtype=float32)
    """
    floats = aligned_empty(array.size).reshape(array.shape)
    floats[...] = array
    return floats
