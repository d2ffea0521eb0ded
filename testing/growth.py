"""How cost grows with size, by CPU time, on however busy a machine: ratios, never seconds."""

import gc
from collections.abc import Callable
from math import inf, log
from time import process_time
from typing import Final

FACTOR: Final = 8  # how much larger the second input is
LINEAR: Final = 1.3  # the most that a slope which should be 1 is measured as
MEASURABLE: Final = 0.02  # seconds of the larger input; less is noise
ROUNDS: Final = 8


def exponent(small: Callable[[], object], large: Callable[[], object]) -> float:
    """Return the slope of log cost over log size: 1 is linear, 2 quadratic; `large` does `FACTOR` times as much.

    Each time is the least of as many rounds as it takes, since other processes only ever add to it.
    """
    least, slope = [inf, inf], inf
    for _ in range(ROUNDS):
        least = [min(old, _seconds(run)) for old, run in zip(least, (small, large), strict=True)]
        slope = log(max(least[1], MEASURABLE) / max(least[0], MEASURABLE / FACTOR)) / log(FACTOR)
        if slope <= LINEAR:
            break
    return slope


def _seconds(run: Callable[[], object]) -> float:
    gc.disable()  # it goes through all objects of this process, those of other tests too
    start = process_time()
    run()
    spent = process_time() - start
    gc.enable()
    return spent
