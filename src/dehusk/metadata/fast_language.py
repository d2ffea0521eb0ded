# cython: cdivision=True, wraparound=False, boundscheck=False
"""Language: which one a naive Bayes model takes some bytes for, and how likely it is.

Compiled by way of language.pxd, which gives the names below their C types; as plain Python it finds the same.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

E = 2.718281828459045
LONGEST = 4096  # bytes of a text that are looked at
CHAINS = 8  # places of a text that are read at the same time
LEAST = -40.0  # what has a smaller logarithm changes no sum that has a 1 in it


class Room:
    """What is worked out of one text; it is used again, since arrays take longer to make than a text to be read."""

    def __init__(self, classes: int) -> None:
        self.rows: NDArray[np.uint32] = np.zeros(CHAINS, np.uint32)  # of the automaton, at each place
        self.told: NDArray[np.int32] = np.zeros(LONGEST, np.int32)  # the feature that ends with each byte, from 1, or 0
        self.table: NDArray[np.int32] = np.zeros(2 * LONGEST, np.int32)  # where a feature is counted, from 1, or 0
        self.found: NDArray[np.int32] = np.zeros(LONGEST, np.int32)  # the features, each once
        self.often: NDArray[np.int32] = np.zeros(LONGEST, np.int32)  # how often each is found
        self.scores: NDArray[np.float32] = np.zeros(classes, np.float32)


class Bayes:
    """A model that counts the features which an automaton finds in a text, and weighs them for every language."""

    def __init__(
        self,
        moves: NDArray[np.uint32],
        first: int,
        memory: int,
        weights: NDArray[np.int16],
        unit: float,
        prior: NDArray[np.float32],
        same: Sequence[tuple[int, int]],
    ) -> None:
        """Take the automaton and what its features weigh.

        `moves` has 256 numbers a row, one a byte: where it leads, as the next row times one more than there are
        features, plus the number of the feature that is found there, from 1, or 0. In one number, since each step
        looks at a place of memory that nothing has looked at before. `first` is the row to begin with, and what lies
        more than `memory` bytes back has no say in a step. `weights` has a row a feature and a column a class, in
        whole numbers of a `unit`, since the less memory they take the sooner they come from there; `prior` has one
        number a class; of two classes that are the `same` the second is added to the first.
        """
        self.moves = moves
        self.first = first
        self.memory = memory
        self.weights = weights
        self.prior = prior
        self.same = list(same)
        self.logs: NDArray[np.float32] = np.float32(unit) * np.log1p(np.arange(LONGEST + 1, dtype=np.float32))
        self.rooms: list[Room] = []  # that nobody is in: each thread takes one out

    def likeliest(self, text: bytes) -> tuple[int, float]:
        """Return the likeliest class and its probability; the root of the length keeps long texts from being too sure.

        A text in which nothing is found is as likely to be of any class as of any other.
        """
        try:
            room = self.rooms.pop()
        except IndexError:
            room = Room(len(self.prior))
        self.read(text, room)
        count = self.count(min(len(text), LONGEST), room)
        self.asked(room, count)
        self.weigh(room, count)
        found = room.scores
        classes = len(found)
        shrink = (min(len(text), LONGEST) or 1) ** -0.5
        most = found[0]
        for place in range(1, classes):
            most = max(most, found[place])
        total = 0.0
        for place in range(classes):
            power = shrink * (found[place] - most)
            found[place] = E**power if power > LEAST else 0.0
            total += found[place]
        for first, second in self.same:
            found[first] += found[second]
            found[second] = 0.0
        best = 0
        for place in range(1, classes):
            if found[place] > found[best]:
                best = place
        likelihood = found[best] / total
        self.rooms.append(room)
        return best, likelihood

    def read(self, text: bytes, room: Room) -> None:
        """Find the feature that ends with each byte of a text.

        Each step waits for what memory says of the step before. So the text is read in several places at once, each
        from a little before its part.
        """
        moves, features, rows, told = self.moves, len(self.weights) + 1, room.rows, room.told
        length = min(len(text), LONGEST)
        part = length // CHAINS + 1
        for chain in range(CHAINS):
            rows[chain] = self.first
        for step in range(-self.memory, part):
            place = step
            for chain in range(CHAINS):
                if 0 <= place < length:
                    move = moves[256 * rows[chain] + text[place]]
                    rows[chain] = move // features
                    if step >= 0:
                        told[place] = move - rows[chain] * features
                place += part

    def count(self, length: int, room: Room) -> int:
        """Count each of the features that were found, in their order, and return how many there are."""
        told, table, found, often = room.told, room.table, room.found, room.often
        size = 64
        while size < 2 * length:
            size *= 2
        for place in range(size):
            table[place] = 0
        count = 0
        for index in range(length):
            feature = told[index] - 1
            if feature >= 0:
                # By its last bits, or in the next place that is free.
                place = feature & (size - 1)
                while table[place] and found[table[place] - 1] != feature:
                    place = (place + 1) & (size - 1)
                if table[place]:
                    often[table[place] - 1] += 1
                else:
                    found[count], often[count] = feature, 1
                    count += 1
                    table[place] = count
        return count

    def asked(self, room: Room, count: int) -> int:
        """Ask for all weights before the first is needed; what is returned is of no use.

        Memory brings many at a time to whoever asks so, and one after the other to whoever uses each before asking for
        the next.
        """
        weights, found = self.weights, room.found
        classes = len(self.prior)
        bits = 0
        for index in range(count):
            for place in range(0, classes, 32):  # as many come at once
                bits |= weights[found[index], place]
        return bits

    def weigh(self, room: Room, count: int) -> None:
        """Add up the logarithms of how likely each class is, as far as classes differ."""
        weights, prior, logs, scores = self.weights, self.prior, self.logs, room.scores
        classes = len(prior)
        for place in range(classes):
            scores[place] = prior[place] if count else 0.0
        for index in range(count):
            feature, weight = room.found[index], logs[room.often[index]]
            for place in range(classes):
                scores[place] += weight * weights[feature, place]


def has_letters(text: str, least: int) -> bool:
    """Tell whether a text has at least so many letters."""
    for letter in text:
        if letter.isalpha():
            least -= 1
            if least <= 0:
                return True
    return False
