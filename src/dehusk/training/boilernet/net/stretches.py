"""Stretches: recurrent layers on a processor, some steps at a time.

At every step torch takes a slice of what it was given, and on a processor the gradient of a slice is as large as all
that it was taken from: the time for a page grows with the square of its length. Given a few steps at a time, it grows
with the length alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import torch
from torch import nn

Tensor: TypeAlias = torch.Tensor
Recurrent: TypeAlias = nn.LSTM | nn.GRU

STEPS: Final = 32
WEIGHTS: Final = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Leaves as a recurrent layer reads them: the first of all pages, the longest page's first, then the second."""

    sizes: Tensor  # how many pages have a leaf at each step
    onwards: Tensor  # which of the leaves is read when
    backwards: Tensor  # and which where pages are read from their ends

    @classmethod
    def of(cls, lengths: Tensor) -> Self:
        """Return the order of leaves that stand one page after the other."""
        longest = torch.argsort(lengths, descending=True, stable=True)
        size, start = lengths[longest], (torch.cumsum(lengths, 0) - lengths)[longest]
        step, page = torch.nonzero(torch.arange(int(size[0]))[:, None] < size, as_tuple=True)
        return cls(torch.bincount(step), start[page] + step, start[page] + size[page] - 1 - step)


def read(layers: Recurrent, leaves: Tensor, lengths: Tensor) -> Tensor:
    """Return what layers in both directions say of leaves that stand one page after the other."""
    order = Order.of(lengths)
    for layer in range(layers.num_layers):
        sides = []
        for side, places in (("", order.onwards), ("_reverse", order.backwards)):
            weights = [getattr(layers, f"{name}_l{layer}{side}") for name in WEIGHTS]
            found = torch.cat(list(_stretches(layers, weights, leaves[places], order.sizes)))
            sides.append(torch.empty_like(found).index_copy(0, places, found))
        leaves = torch.cat(sides, 1)
    return leaves


def _stretches(layers: Recurrent, weights: list[Tensor], leaves: Tensor, sizes: Tensor) -> Iterator[Tensor]:
    """Read a few steps, then the next from where those came to."""
    stretches = torch.split(sizes, STEPS)
    step = torch.lstm if isinstance(layers, nn.LSTM) else torch.gru
    state = [leaves.new_zeros(1, int(sizes[0]), layers.hidden_size) for _ in range(2 if step is torch.lstm else 1)]
    for given, each in zip(torch.split(leaves, [int(each.sum()) for each in stretches]), stretches, strict=True):
        # Pages that have come to an end stand last.
        state = [one[:, : int(each[0])].contiguous() for one in state]
        before = tuple(state) if step is torch.lstm else state[0]
        found, *state = step(given, each, before, weights, True, 1, 0.0, layers.training, False)
        yield found
