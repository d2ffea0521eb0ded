"""Losses: summed over members, averaged over pages; every page counts once, its blocks by the root of their words."""

import torch
from torch.nn import functional

from dehusk.training.kernel.net.batches import Batch, Tensor
from dehusk.training.kernel.net.network import Answer
from dehusk.training.kernel.recipe import Recipe


def loss(said: Answer, given: Batch, recipe: Recipe) -> Tensor:
    """Return how far the answers are from the labels."""
    words = given.words * given.known
    total = _entropy(said.blocks, given.labels, given.words.sqrt() * given.known, given)
    has_gold = (_sums(words * given.labels, given) > 0).float()
    f1 = _expected_f1(said.blocks, given.labels, words, given)
    total = total + recipe.f1 * ((1 - f1) * has_gold).sum() / has_gold.sum().clamp(min=1)
    return total + recipe.kind * _kind_loss(said, given) + recipe.empty * _empty_loss(said, given)


def _entropy(logits: Tensor, wanted: Tensor, weights: Tensor, given: Batch) -> Tensor:
    each = functional.binary_cross_entropy_with_logits(logits, wanted.expand_as(logits), reduction="none")
    return (_sums(each * weights, given) / _sums(weights, given).clamp(min=1e-3)).mean(1).sum()


def _expected_f1(logits: Tensor, wanted: Tensor, words: Tensor, given: Batch) -> Tensor:
    """Return the F1 of each member on each page, if every block were kept as far as it is likely."""
    kept = words * torch.sigmoid(logits)
    both = _sums(kept * wanted, given)
    return 2 * both / (_sums(kept, given) + _sums(words * wanted, given)).clamp(min=1)


def _kind_loss(said: Answer, given: Batch) -> Tensor:
    known = given.kind >= 0
    members = len(said.kinds)
    if not known.any():
        return torch.zeros((), device=given.kind.device)
    logits = said.kinds[:, known].flatten(0, 1)
    return members * functional.cross_entropy(logits, given.kind[known].repeat(members))


def _empty_loss(said: Answer, given: Batch) -> Tensor:
    wanted = given.empty.expand_as(said.empty)
    return len(said.empty) * functional.binary_cross_entropy_with_logits(said.empty, wanted)


def _sums(values: Tensor, given: Batch) -> Tensor:
    """Return the sum over the blocks of each example: one column an example, whether there are rows or not."""
    if values.dim() == 1:
        return torch.segment_reduce(values, "sum", lengths=given.lengths, axis=0)
    by_block = values.transpose(0, 1).contiguous()
    return torch.segment_reduce(by_block, "sum", lengths=given.lengths, axis=0).transpose(0, 1)
