"""Table: log-probabilities by hashed key, in sorted arrays of three bytes per entry that are mapped from a file.

Only the upper 32 bits of a key count: 16 of them select the bucket of an entry, the other 16 are stored in it. So a
missing key is mistaken for another with a probability of entries / 2^32: 1 in 1,000 for four million entries.
"""

from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.lm.tokens import Keys

BUCKETS: Final = 1 << 16
STEP: Final = 0.1  # bits of information per step of a value, which go up to 25.5
OFFSET_BYTES: Final = 4 * (BUCKETS + 1)

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilityTable:
    """Where each bucket begins, what it contains, and the bits of each entry, in steps."""

    offsets: NDArray[np.uint32]
    rest: NDArray[np.uint16]
    steps: Bytes

    def __len__(self) -> int:
        return len(self.steps)

    @classmethod
    def of(cls, keys: Keys, probability: NDArray[np.floating]) -> Self:
        """Make a table of sorted keys; of two with the same upper half, the more probable is kept.

        >>> table = ProbabilityTable.of(np.array([5 << 32, 1 << 60], np.uint64), np.array([0.5, 0.25]))
        >>> table.probability(np.array([1 << 60, 6 << 32, 5 << 32], np.uint64)).tolist()
        [0.25, 0.0, 0.5]
        """
        short = (keys >> np.uint64(32)).astype(np.uint32)
        first = np.flatnonzero(np.concatenate(([True], short[1:] != short[:-1]))) if len(short) else np.zeros(0, int)
        best = np.maximum.reduceat(probability, first) if len(first) else np.zeros(0)
        steps = np.clip(np.rint(-np.log2(np.maximum(best, 1e-30)) / STEP), 0, 255).astype(np.uint8)
        short = short[first]
        offsets = np.searchsorted(short, np.arange(BUCKETS + 1, dtype=np.uint64) << np.uint64(16)).astype(np.uint32)
        return cls(offsets, short.astype(np.uint16), steps)

    @classmethod
    def read(cls, data: Bytes, entries: int) -> tuple[Self, Bytes]:
        """Read a table from the start of what `bytes` wrote; return it and what comes after it."""
        ends = list(accumulate((OFFSET_BYTES, 2 * entries, entries)))
        if entries < 0 or ends[-1] > len(data):
            raise ModelError(f"a table of {entries:,} entries does not fit into {len(data):,} bytes; retrain it")
        offsets = data[: ends[0]].view(np.uint32)
        if offsets[0] != 0 or offsets[-1] != entries or np.any(offsets[1:] < offsets[:-1]):
            raise ModelError("a table's buckets are out of order; reinstall dehusk or retrain it")
        table = cls(offsets, data[ends[0] : ends[1]].view(np.uint16), data[ends[1] : ends[2]])
        return table, data[ends[2] + -ends[2] % 8 :]

    def bytes(self) -> Bytes:
        """Return the table as one column of bytes, padded to a multiple of eight."""
        parts = [column.view(np.uint8) for column in (self.offsets, self.rest, self.steps)]
        size = sum(map(len, parts))
        return np.concatenate([*parts, np.zeros(-size % 8, np.uint8)])

    def probability(self, keys: Keys) -> Floats:
        """Return the probability of each key, 0 for missing keys."""
        bucket = keys >> np.uint64(48)
        rest = (keys >> np.uint64(32)).astype(np.uint16)
        low = self.offsets[bucket].astype(np.int64)
        end = self.offsets[bucket + np.uint64(1)].astype(np.int64)
        if not len(self.steps):
            return np.zeros(len(keys), np.float32)
        high = end.copy()
        # All keys are searched for at once, with as many halvings as the fullest bucket needs.
        for _ in range(int((end - low).max(initial=0)).bit_length()):
            middle = (low + high) >> 1
            above = self.rest[np.minimum(middle, len(self.rest) - 1)] < rest
            below = low < high
            low = np.where(above & below, middle + 1, low)
            high = np.where(~above & below, middle, high)
        slot = np.minimum(low, len(self.rest) - 1)
        present = (low < end) & (self.rest[slot] == rest)
        out: Floats = np.where(present, _PROBABILITY[self.steps[slot]], np.float32(0))
        return out


_PROBABILITY: Final = np.exp2(-STEP * np.arange(256)).astype(np.float32)
