"""Lines: arrays that begin where a line of the processor's cache does.

The compiled layers take numbers eight at a time. Where an array begins anywhere, as those of numpy do, every other of
these vectors lies across two lines, and the bins' weights were added up a third slower.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

LINE: Final = 16  # numbers in single precision


def lined(size: int) -> NDArray[np.float32]:
    """Return room for so many numbers."""
    room = np.empty(size + LINE, np.float32)
    begin = -(room.__array_interface__["data"][0] // room.itemsize) % LINE
    return room[begin : begin + size]


def lined_floats(array: NDArray[np.generic]) -> NDArray[np.float32]:
    """Return the numbers of an array in single precision.

    >>> lined_floats(np.array([[1, 2]]))
    array([[1., 2.]], dtype=float32)
    """
    floats = lined(array.size).reshape(array.shape)
    floats[...] = array
    return floats
