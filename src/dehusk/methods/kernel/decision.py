"""Decision: from logits to scores. Every page has its own cut, which follows from the F1 that is expected of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.kernel.fast_scoring import Doubles, stretch

# Between the page's own cut and 0.5, scores are squeezed into a strip of this width next to 0.5, so that all others
# remain probabilities.
STRIP: Final = 0.02
# However little the model expects of a page, a block must be this likely.
LOWEST_CUT: Final = 0.05


@dataclass(frozen=True, slots=True)
class Tuning:
    """A few numbers chosen after training, on pages that the weights had not seen."""

    scale: float  # scale and offset turn a logit into that of a probability
    offset: float
    cut: tuple[float, float]  # blocks are kept from here on: a constant, and a factor of the expected F1
    least: float  # a page without a block likelier than this has no main text
    confidence: tuple[float, float]  # a constant and a factor that turn the expected F1 into the measured one

    @classmethod
    def of(cls, description: Mapping[str, Any]) -> Self:
        """Make a tuning of what model.json holds; raise TypeError or ValueError for all but finite numbers."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in description.items()
        }
        tuning = cls(**values)
        pairs = (tuning.cut, tuning.confidence)
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise ValueError(f"two numbers expected, got {pair!r}")
        for number in (tuning.scale, tuning.offset, tuning.least, *chain(*pairs)):
            if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
                raise ValueError(f"a finite number expected, got {number!r}")
        return tuning

    def likely(self, logits: NDArray[np.floating[Any]]) -> Doubles:
        """Return the probability that each block is main text: of blocks with 0.8, eight in ten are."""
        exponent = np.minimum(-self.scale * logits.astype(np.float64) - self.offset, 30)
        likely: Doubles = 1 / (1 + np.exp(exponent))
        return likely

    def decide(self, likely: Doubles, expected: float) -> Doubles:
        """Move what the page's own cut keeps above 0.5, and nothing else.

        The expected F1 is best when blocks are kept from half of that F1 on: where the model is unsure of a whole
        page, being unsure of a block is no reason to drop it. Blocks of a page are not independent, which moves the
        cut a little; by how much was found by trial.
        """
        if likely.max() < self.least:
            return np.minimum(likely, 0.5)
        constant, factor = self.cut
        cut = max(constant + factor * expected, LOWEST_CUT)
        if cut >= 0.5:
            return likely
        decided = np.empty_like(likely)
        stretch(likely, cut, 0.5 + STRIP, decided)
        return decided

    def confident(self, expected: float) -> float:
        """Return the F1 that a page is likely to reach, given the one expected from its scores."""
        constant, factor = self.confidence
        return min(max(constant + factor * expected, 0.0), 1.0)
