# cython: cdivision=True, wraparound=False, boundscheck=False
"""A naive Bayes classifier of languages: the likeliest language of some bytes, and its probability.

Compiled with the C types in fast_language.pxd; as plain Python it returns the same.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

E = 2.718281828459045
MAX_BYTES = 4096  # of a text; the rest is not read
CHAINS = 8  # parts of a text that are read at the same time
MIN_EXPONENT = -40.0  # smaller ones change no sum that has a 1 in it


class Workspace:
    """The arrays for one text; they are reused, since allocating them takes longer than reading a text."""

    def __init__(self, classes: int) -> None:
        self.rows: NDArray[np.uint32] = np.zeros(CHAINS, np.uint32)  # of the automaton, one per chain
        self.feature_at: NDArray[np.int32] = np.zeros(MAX_BYTES, np.int32)  # that ends with each byte, from 1, or 0
        self.slots: NDArray[np.int32] = np.zeros(2 * MAX_BYTES, np.int32)  # hash table: index of a feature from 1, or 0
        self.features: NDArray[np.int32] = np.zeros(MAX_BYTES, np.int32)  # each distinct feature once
        self.counts: NDArray[np.int32] = np.zeros(MAX_BYTES, np.int32)  # how often each of these occurs
        self.scores: NDArray[np.float32] = np.zeros(classes, np.float32)


class NaiveBayes:
    """Counts the features that an automaton finds in a text, and weighs them for every language."""

    def __init__(
        self,
        moves: NDArray[np.uint32],
        first_row: int,
        memory: int,
        weights: NDArray[np.int16],
        unit: float,
        prior: NDArray[np.float32],
        same: Sequence[tuple[int, int]],
    ) -> None:
        """Take the automaton and the weights of its features.

        `moves` has one row of 256 numbers per state, one number per byte: the next row times (features + 1), plus the
        feature that ends there, from 1, or 0. Row and feature share a number, since each step is a cache miss.
        `first_row` is the initial state; bytes more than `memory` back do not affect a step. `weights` has one row per
        feature and one column per class, in multiples of `unit`: small numbers arrive sooner from memory. `prior` has
        one number per class. Of two classes that are the `same` language, the second is added to the first.
        """
        self.moves = moves
        self.first_row = first_row
        self.memory = memory
        self.weights = weights
        self.prior = prior
        self.same = list(same)
        self.logs: NDArray[np.float32] = np.float32(unit) * np.log1p(np.arange(MAX_BYTES + 1, dtype=np.float32))
        self.free: list[Workspace] = []  # not in use: each thread takes one out

    def likeliest(self, text: bytes) -> tuple[int, float]:
        """Return the likeliest class and its probability, tempered by the square root of the length.

        Without that, long texts would be far too certain. If no feature is found, all classes are equally likely.
        """
        try:
            work = self.free.pop()
        except IndexError:
            work = Workspace(len(self.prior))
        self.find_features(text, work)
        count = self.count_features(min(len(text), MAX_BYTES), work)
        self.prefetch_weights(work, count)
        self.add_scores(work, count)
        scores = work.scores
        classes = len(scores)
        shrink = (min(len(text), MAX_BYTES) or 1) ** -0.5
        most = scores[0]
        for index in range(1, classes):
            most = max(most, scores[index])
        total = 0.0
        for index in range(classes):
            power = shrink * (scores[index] - most)
            scores[index] = E**power if power > MIN_EXPONENT else 0.0
            total += scores[index]
        for first, second in self.same:
            scores[first] += scores[second]
            scores[second] = 0.0
        best = 0
        for index in range(1, classes):
            if scores[index] > scores[best]:
                best = index
        probability = scores[best] / total
        self.free.append(work)
        return best, probability

    def find_features(self, text: bytes, work: Workspace) -> None:
        """Find the feature that ends with each byte of a text.

        Each step waits for memory to answer the step before. So several parts of the text are read at once, each chain
        starting a little before its part.
        """
        moves, step_size, rows, feature_at = self.moves, len(self.weights) + 1, work.rows, work.feature_at
        length = min(len(text), MAX_BYTES)
        part = length // CHAINS + 1
        for chain in range(CHAINS):
            rows[chain] = self.first_row
        for step in range(-self.memory, part):
            offset = step
            for chain in range(CHAINS):
                if 0 <= offset < length:
                    move = moves[256 * rows[chain] + text[offset]]
                    rows[chain] = move // step_size
                    if step >= 0:
                        feature_at[offset] = move - rows[chain] * step_size
                offset += part

    def count_features(self, length: int, work: Workspace) -> int:
        """Count each distinct feature, in order of first occurrence, and return how many there are."""
        feature_at, slots, features, counts = work.feature_at, work.slots, work.features, work.counts
        size = 64
        while size < 2 * length:
            size *= 2
        for slot in range(size):
            slots[slot] = 0
        count = 0
        for index in range(length):
            feature = feature_at[index] - 1
            if feature >= 0:
                # The slot is given by the last bits, or is the next free one.
                slot = feature & (size - 1)
                while slots[slot] and features[slots[slot] - 1] != feature:
                    slot = (slot + 1) & (size - 1)
                if slots[slot]:
                    counts[slots[slot] - 1] += 1
                else:
                    features[count], counts[count] = feature, 1
                    count += 1
                    slots[slot] = count
        return count

    def prefetch_weights(self, work: Workspace, count: int) -> int:
        """Touch all weights before the first is used, so that memory fetches many at a time; the result has no use."""
        weights, features = self.weights, work.features
        classes = len(self.prior)
        bits = 0
        for index in range(count):
            for column in range(0, classes, 32):  # one cache line
                bits |= weights[features[index], column]
        return bits

    def add_scores(self, work: Workspace, count: int) -> None:
        """Add up the log-likelihood of each class, as far as classes differ."""
        weights, prior, logs, scores = self.weights, self.prior, self.logs, work.scores
        classes = len(prior)
        for column in range(classes):
            scores[column] = prior[column] if count else 0.0
        for index in range(count):
            feature, weight = work.features[index], logs[work.counts[index]]
            for column in range(classes):
                scores[column] += weight * weights[feature, column]


def has_letters(text: str, least: int) -> bool:
    """Return whether a text has at least `least` letters."""
    for letter in text:
        if letter.isalpha():
            least -= 1
            if least <= 0:
                return True
    return False
