"""Stretches: recurrent layers on a processor, some steps at a time.

At every step torch takes a slice of what it was given, and on a processor the gradient of a slice is as large as all
that it was taken from: the time for a page grows with the square of its length. Given a few steps at a time, it grows
with the length alone.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_sequence

Tensor: TypeAlias = torch.Tensor
Recurrent: TypeAlias = nn.LSTM | nn.GRU

STEPS: Final = 32
WEIGHTS: Final = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def read(layers: Recurrent, leaves: Tensor, lengths: Tensor) -> Tensor:
    """Return what layers in both directions say of leaves that stand one page after the other."""
    pages = torch.arange(len(leaves)).split(lengths.tolist())
    # Which leaf is read when: the first of all pages, then the second, and so on; then the same from the ends.
    onwards = pack_sequence(pages, enforce_sorted=False)
    backwards = pack_sequence([page.flip(0) for page in pages], enforce_sorted=False)
    for layer in range(layers.num_layers):
        sides = []
        for side, order in (("", onwards), ("_reverse", backwards)):
            weights = [getattr(layers, f"{name}_l{layer}{side}") for name in WEIGHTS]
            found = torch.cat(list(_stretches(layers, weights, leaves, order)))
            sides.append(torch.empty_like(found).index_copy(0, order.data, found))
        leaves = torch.cat(sides, 1)
    return leaves


def _stretches(layers: Recurrent, weights: list[Tensor], leaves: Tensor, order: PackedSequence) -> Iterator[Tensor]:
    """Read a few steps, then the next from where those came to."""
    sizes = torch.split(order.batch_sizes, STEPS)
    given = torch.split(leaves[order.data], [int(size.sum()) for size in sizes])
    step, states = (torch.lstm, 2) if isinstance(layers, nn.LSTM) else (torch.gru, 1)
    state = [leaves.new_zeros(1, int(sizes[0][0]), layers.hidden_size) for _ in range(states)]
    for some, size in zip(given, sizes, strict=True):
        # Pages that have come to an end stand last.
        state = [each[:, : int(size[0])].contiguous() for each in state]
        before = tuple(state) if states > 1 else state[0]
        # With biases, one layer, no dropout, in one direction.
        found, *state = step(some, size, before, weights, True, 1, 0.0, layers.training, False)
        yield found
