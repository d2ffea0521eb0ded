# The types of layers.pyx, for those who check them.
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

WIDEST: int

def ramp(matrix: Floats, column: Ints, low: Floats, slope: Floats, out: Floats) -> None: ...
def enter(
    state: Floats, shift: Floats, tag: Ints, tags: Floats, above: Longs, words: Longs, bits: Floats, used: int
) -> None: ...
def advance(
    state: Floats,
    gain: Floats,
    bias: Floats,
    taps: Floats,
    step: int,
    groups: Ints,
    shares: Floats,
    weights: Floats,
    mix: Floats,
    page: Floats,
    shift: Floats,
    room: Floats,
) -> None: ...
def leave(state: Floats, out: Floats, logits: Floats, pooled: Floats) -> None: ...
