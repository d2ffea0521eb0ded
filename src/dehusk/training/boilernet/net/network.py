"""The network: a dense layer, recurrent layers in both directions, one number per leaf."""

from typing import TypeAlias

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from dehusk.training.boilernet.net.batches import LeafBatch
from dehusk.training.boilernet.net.chunked_rnn import run_chunked
from dehusk.training.boilernet.recipe import BoilernetRecipe

Tensor: TypeAlias = torch.Tensor


class LeafNet(nn.Module):  # type: ignore[misc]
    """Gives each leaf the logit of being boilerplate."""

    def __init__(self, width: int, recipe: BoilernetRecipe) -> None:
        super().__init__()
        self.recipe = recipe
        self.dense = nn.Linear(width, recipe.width)
        kind = nn.LSTM if recipe.cell == "lstm" else nn.GRU
        self.recurrent = kind(recipe.width, recipe.width, recipe.layers, bidirectional=True)
        self.drop = nn.Dropout(recipe.dropout)
        self.out = nn.Linear(2 * recipe.width, 1)
        self._begin()

    def _begin(self) -> None:
        """Set the initial weights as Keras does, which the paper used.

        An LSTM keeps its memory at first. A gate has one bias in Keras and the sum of two in torch: if both learnt,
        their sum would move twice as fast.
        """
        for name, weight in self.named_parameters():
            if "bias" in name:
                nn.init.zeros_(weight)
            elif "weight_hh" in name:
                nn.init.orthogonal_(weight)
            else:
                nn.init.xavier_uniform_(weight)
            if "bias_ih" in name and self.recipe.cell == "lstm":
                weight.data[self.recipe.width : 2 * self.recipe.width] = 1  # the forget gate
            if "bias_hh" in name and self.recipe.cell == "lstm":
                weight.requires_grad_(False)

    def forward(self, dense: Tensor) -> Tensor:
        """Return the scores of one page from the output of the dense layer; this is traced for ONNX."""
        states, _ = self.recurrent(torch.relu(dense).unsqueeze(1))
        return torch.sigmoid(self.out(states.squeeze(1)).squeeze(-1))

    def logits(self, batch: LeafBatch) -> Tensor:
        """Return the logits of all leaves of a batch, in its order."""
        dense = torch.relu(self.dense(batch.rows))
        chunked = dense.is_cpu
        states = run_chunked(self.recurrent, dense, batch.lengths) if chunked else self.run_packed(dense, batch)
        return self.out(self.drop(states)).squeeze(-1)

    def run_packed(self, dense: Tensor, batch: LeafBatch) -> Tensor:
        """Return the output of the recurrent layers for all leaves at once, which is best on a GPU.

        Pages are packed, so the padding of shorter ones is never read: the original masked zeros behind a layer that
        had changed them.
        """
        padded = dense.new_zeros(int(batch.lengths.max()), len(batch.lengths), dense.shape[1])
        padded[batch.offset, batch.page] = dense
        packed = pack_padded_sequence(padded, batch.lengths, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.recurrent(packed)[0])
        return states[batch.offset, batch.page]
