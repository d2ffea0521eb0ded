"""The network: a dense layer, recurrent layers in both directions, one number a leaf."""

from typing import TypeAlias

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from dehusk.training.boilernet.net.batches import Batch
from dehusk.training.boilernet.net.stretches import read
from dehusk.training.boilernet.recipe import Recipe

Tensor: TypeAlias = torch.Tensor


class Net(nn.Module):  # type: ignore[misc]
    """Gives each leaf the logit of being boilerplate."""

    def __init__(self, width: int, recipe: Recipe) -> None:
        super().__init__()
        self.recipe = recipe
        self.dense = nn.Linear(width, recipe.width)
        kind = nn.LSTM if recipe.cell == "lstm" else nn.GRU
        self.recurrent = kind(recipe.width, recipe.width, recipe.layers, bidirectional=True)
        self.drop = nn.Dropout(recipe.dropout)
        self.out = nn.Linear(2 * recipe.width, 1)
        self._begin()

    def _begin(self) -> None:
        """Set the first weights as Keras does, which the paper's networks were made with.

        What an LSTM remembers it keeps at first. A gate of Keras's has one bias, where torch adds up two: both would be
        moved, and their sum twice as fast.
        """
        for name, weight in self.named_parameters():
            if "bias" in name:
                nn.init.zeros_(weight)
            elif "weight_hh" in name:
                nn.init.orthogonal_(weight)
            else:
                nn.init.xavier_uniform_(weight)
            if "bias_ih" in name and self.recipe.cell == "lstm":
                weight.data[self.recipe.width : 2 * self.recipe.width] = 1  # the gate that forgets
            if "bias_hh" in name and self.recipe.cell == "lstm":
                weight.requires_grad_(False)

    def forward(self, dense: Tensor) -> Tensor:
        """Return the scores of one page from what the dense layer made of it: what is traced for ONNX."""
        found, _ = self.recurrent(torch.relu(dense).unsqueeze(1))
        return torch.sigmoid(self.out(found.squeeze(1)).squeeze(-1))

    def logits(self, batch: Batch) -> Tensor:
        """Return the logits of all leaves of a batch, in its order."""
        dense = torch.relu(self.dense(batch.rows))
        found = read(self.recurrent, dense, batch.lengths) if dense.is_cpu else self.packed(dense, batch)
        return self.out(self.drop(found)).squeeze(-1)

    def packed(self, dense: Tensor, batch: Batch) -> Tensor:
        """Return what the recurrent layers say of all leaves, in one go, as is best on a GPU.

        Pages are packed, so that what fills up the shorter ones is never read: the original masked zeros behind a layer
        that had made something else of them.
        """
        padded = dense.new_zeros(int(batch.lengths.max()), len(batch.lengths), dense.shape[1])
        padded[batch.place, batch.page] = dense
        packed = pack_padded_sequence(padded, batch.lengths, enforce_sorted=False)
        found, _ = pad_packed_sequence(self.recurrent(packed)[0])
        return found[batch.place, batch.page]
