"""Losses: averaged over pages; every page counts once, its blocks by the root of their words."""

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
    each = functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
    return (_sums(each * weights, given) / _sums(weights, given).clamp(min=1e-3)).mean()


def _expected_f1(logits: Tensor, wanted: Tensor, words: Tensor, given: Batch) -> Tensor:
    """Return the F1 on each page, if every block were kept as far as it is likely."""
    kept = words * torch.sigmoid(logits)
    both = _sums(kept * wanted, given)
    return 2 * both / (_sums(kept, given) + _sums(words * wanted, given)).clamp(min=1)


def _kind_loss(said: Answer, given: Batch) -> Tensor:
    known = given.kind >= 0
    if not known.any():
        return torch.zeros((), device=given.kind.device)
    return functional.cross_entropy(said.kinds[known], given.kind[known])


def _empty_loss(said: Answer, given: Batch) -> Tensor:
    return functional.binary_cross_entropy_with_logits(said.empty, given.empty)


def _sums(values: Tensor, given: Batch) -> Tensor:
    """Return the sum over the blocks of each example."""
    return torch.segment_reduce(values, "sum", lengths=given.lengths, axis=0)
