# cython: cdivision=True, wraparound=False, boundscheck=False
"""Language: which one a naive Bayes model takes some bytes for, and how likely it is.

Compiled by way of language.pxd, which gives the names below their C types; as plain Python it finds the same.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

E = 2.718281828459045
LONGEST = 4096  # bytes of a text that are looked at


class Bayes:
    """A model that counts the features which an automaton finds in a text, and weighs them for every language."""

    def __init__(
        self,
        moves: NDArray[np.uint32],
        first: int,
        weights: NDArray[np.float32],
        prior: NDArray[np.float32],
        same: Sequence[tuple[int, int]],
    ) -> None:
        """Take the automaton and what its features weigh.

        `moves` has 256 numbers a row, one a byte: where it leads, as the next row times one more than there are
        features, plus the number of the feature that is found there, from 1, or 0. In one number, since each step
        looks at a place of memory that nothing has looked at before. `first` is the row to begin with. `weights` has
        a row a feature and a column a class, `prior` one number a class; of two classes that are the `same` the
        second is added to the first.
        """
        self.moves = moves
        self.first = first
        self.weights = weights
        self.prior = prior
        self.same = list(same)
        self.logs: NDArray[np.float32] = np.log1p(np.arange(LONGEST + 1, dtype=np.float32))

    def likeliest(self, text: bytes) -> tuple[int, float]:
        """Return the likeliest class and its probability; the root of the length keeps long texts from being too sure.

        A text in which nothing is found is as likely to be of any class as of any other.
        """
        counts = self.counted(text)
        weights, prior = self.weights, self.prior
        classes = len(prior)
        scores: NDArray[np.float32] = np.zeros(classes, np.float32)
        found = scores
        if counts:
            for place in range(classes):
                found[place] = prior[place]
        for feature, count in counts.items():
            weight = self.logs[count]
            for place in range(classes):
                found[place] += weight * weights[feature, place]
        shrink = (min(len(text), LONGEST) or 1) ** -0.5
        most = found[0]
        for place in range(1, classes):
            most = max(most, found[place])
        total = 0.0
        for place in range(classes):
            found[place] = E ** (shrink * (found[place] - most))
            total += found[place]
        for first, second in self.same:
            found[first] += found[second]
            found[second] = 0.0
        best = 0
        for place in range(1, classes):
            if found[place] > found[best]:
                best = place
        return best, found[best] / total

    def counted(self, text: bytes) -> dict[int, int]:
        """Return how often each feature stands in a text."""
        moves, features = self.moves, len(self.weights) + 1
        counts: dict[int, int] = {}
        row = self.first
        for letter in text[:LONGEST]:
            found = moves[256 * row + letter]
            row = found // features
            feature = found - row * features
            if feature:
                counts[feature - 1] = counts.get(feature - 1, 0) + 1
        return counts
