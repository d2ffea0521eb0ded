"""Batches: inputs on the device, and some pages as the network takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import torch

from dehusk.training.boilernet.inputs import Inputs
from dehusk.training.columns import Longs

Tensor: TypeAlias = torch.Tensor
Piece = tuple[int, int]  # the first leaf, and one past the last


@dataclass(frozen=True, slots=True, eq=False)
class LeafBatch:
    """Leaves of some pages, one page after the other."""

    rows: Tensor  # the inputs, one row per leaf
    lengths: Tensor  # leaves of each page; on the CPU, where torch needs it
    page: Tensor  # of each leaf
    offset: Tensor  # of each leaf in its page
    leaves: Longs  # their indices among all leaves

    @property
    def padded_size(self) -> int:
        """The number of leaves if all pages were padded to the longest."""
        return int(self.lengths.max()) * len(self.lengths)


@dataclass(frozen=True, slots=True, eq=False)
class DeviceInputs:
    """Inputs on a device."""

    width: int
    entries: Longs
    column: Tensor
    value: Tensor
    device: str

    @classmethod
    def of(cls, data: Inputs, device: str | None = None) -> "DeviceInputs":
        """Move inputs to the device, by default the GPU if there is one."""
        # All products in 32 bits: for LSTM layers on newer GPUs torch's default is 19 bits, and training the kernel in
        # the same process may have set that for everything else.
        torch.backends.cudnn.allow_tf32 = False
        torch.set_float32_matmul_precision("highest")
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        column, value = torch.from_numpy(data.column).to(device), torch.from_numpy(data.value).to(device)
        return cls(data.width, data.entries, column, value, device)

    def batch(self, pieces: Sequence[Piece]) -> LeafBatch:
        """Return some pieces as one batch."""
        leaves = np.concatenate([np.arange(first, last) for first, last in pieces])
        lengths = np.array([last - first for first, last in pieces])
        counts = self.entries[leaves + 1] - self.entries[leaves]
        entry = np.concatenate([np.arange(self.entries[first], self.entries[last]) for first, last in pieces])
        offset = np.concatenate([np.arange(length) for length in lengths])
        page = np.repeat(np.arange(len(pieces)), lengths)
        which, row = self._moved(entry), self._moved(np.repeat(np.arange(len(leaves)), counts))
        rows = torch.zeros(len(leaves), self.width, device=self.device)
        rows[row, self.column[which].long()] = self.value[which]
        return LeafBatch(rows, torch.from_numpy(lengths), self._moved(page), self._moved(offset), leaves)

    def _moved(self, array: Longs) -> Tensor:
        return torch.from_numpy(array).to(self.device)


def pieces_of(data: Inputs, pages: Sequence[int], longest: int) -> list[Piece]:
    """Return pages as ranges of leaves; those that are too long are split into equal pieces."""
    start, pieces = data.start, []
    for page in pages:
        first, size = int(start[page]), int(data.size[page])
        parts = -(-size // longest)
        edges = [first + size * part // parts for part in range(parts + 1)] if size else []
        pieces += list(pairwise(edges))
    return pieces


def even_batches(pieces: Sequence[Piece], batch: int, random: np.random.Generator) -> list[list[Piece]]:
    """Return pieces in random batches of nearly equal size.

    A small last batch would move the weights as far as a full one, towards the few pages in it.

    >>> [len(each) for each in even_batches([(0, 1)] * 50, 16, np.random.default_rng(0))]
    [13, 13, 12, 12]
    """
    return _cut(pieces, np.array_split(random.permutation(len(pieces)), -(-len(pieces) // batch)))


def similar_batches(pieces: Sequence[Piece], batch: int, random: np.random.Generator) -> list[list[Piece]]:
    """Return batches of pieces of similar length, so that there is little padding, in random order."""
    lengths = np.array([last - first for first, last in pieces])
    order = np.argsort(lengths * random.uniform(0.8, 1.25, len(lengths)))
    batches = _cut(pieces, [order[first : first + batch] for first in range(0, len(order), batch)])
    return [batches[index] for index in random.permutation(len(batches))]


def _cut(pieces: Sequence[Piece], parts: Sequence[Longs]) -> list[list[Piece]]:
    return [[pieces[at] for at in part] for part in parts]
