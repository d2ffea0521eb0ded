"""Chunked RNN: recurrent layers on a CPU, some steps at a time.

At every step torch takes a slice of its input, and on a CPU the gradient of a slice is as large as the whole input: the
time per page grows with the square of its length. With a few steps at a time, it grows linearly.
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


def run_chunked(layers: Recurrent, leaves: Tensor, lengths: Tensor) -> Tensor:
    """Return the output of layers in both directions for leaves, given one page after the other."""
    pages = torch.arange(len(leaves)).split(lengths.tolist())
    # The order in which leaves are read: the first of all pages, then the second, and so on; then from the ends.
    forwards = pack_sequence(pages, enforce_sorted=False)
    backwards = pack_sequence([page.flip(0) for page in pages], enforce_sorted=False)
    for layer in range(layers.num_layers):
        sides = []
        for side, order in (("", forwards), ("_reverse", backwards)):
            weights = [getattr(layers, f"{name}_l{layer}{side}") for name in WEIGHTS]
            output = torch.cat(list(_chunks(layers, weights, leaves, order)))
            sides.append(torch.empty_like(output).index_copy(0, order.data, output))
        leaves = torch.cat(sides, 1)
    return leaves


def _chunks(layers: Recurrent, weights: list[Tensor], leaves: Tensor, order: PackedSequence) -> Iterator[Tensor]:
    """Yield the output of a few steps, then of the next from the state those ended in."""
    sizes = torch.split(order.batch_sizes, STEPS)
    given = torch.split(leaves[order.data], [int(size.sum()) for size in sizes])
    step, states = (torch.lstm, 2) if isinstance(layers, nn.LSTM) else (torch.gru, 1)
    state = [leaves.new_zeros(1, int(sizes[0][0]), layers.hidden_size) for _ in range(states)]
    for some, size in zip(given, sizes, strict=True):
        # Pages that have ended are last.
        state = [each[:, : int(size[0])].contiguous() for each in state]
        before = tuple(state) if states > 1 else state[0]
        # With biases, one layer, no dropout, in one direction.
        output, *state = step(some, size, before, weights, True, 1, 0.0, layers.training, False)
        yield output
