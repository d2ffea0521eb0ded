# The types of layers.pyx, for those who check them.
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

WIDEST: int
WAYS: int
TILE: int

def look(matrix: Floats, first: Ints, low: Floats, slope: Floats, rows: Ints, shares: Floats, ends: Longs) -> None: ...
def enter(
    state: Floats,
    shift: Floats,
    tag: Ints,
    tags: Floats,
    above: Longs,
    words: Longs,
    bits: Floats,
    used: int,
    rows: Ints,
    shares: Floats,
    ends: Longs,
    risen: Floats,
) -> None: ...
def advance(state: Floats, weights: Floats, steps: Ints, groups: Ints, shares: Floats, room: Floats) -> None: ...
def leave(state: Floats, out: Floats, logits: Floats, pooled: Floats) -> None: ...
