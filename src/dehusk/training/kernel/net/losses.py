"""Losses: averaged over pages of equal weight; blocks are weighted by the root of their words."""

import torch
from torch.nn import functional

from dehusk.training.kernel.net.batches import BlockBatch, Tensor
from dehusk.training.kernel.net.network import NetOutput
from dehusk.training.kernel.recipe import KernelRecipe


def loss(output: NetOutput, given: BlockBatch, recipe: KernelRecipe) -> Tensor:
    """Return how far the output is from the labels."""
    words = given.words * given.known
    entropy, weights = functional.binary_cross_entropy_with_logits, given.words.sqrt() * given.known
    blocks = entropy(output.blocks, given.labels, reduction="none")
    total = (_sums(blocks * weights, given) / _sums(weights, given).clamp(min=1e-3)).mean()
    has_gold = (_sums(words * given.labels, given) > 0).float()
    f1 = _expected_f1(output.blocks, given.labels, words, given)
    total = total + recipe.f1 * ((1 - f1) * has_gold).sum() / has_gold.sum().clamp(min=1)
    return total + recipe.kind * _kind_loss(output, given) + recipe.empty * entropy(output.empty, given.empty)


def _expected_f1(logits: Tensor, gold: Tensor, words: Tensor, given: BlockBatch) -> Tensor:
    """Return the F1 of each page if every block were kept to the degree that it is likely."""
    kept = words * torch.sigmoid(logits)
    both = _sums(kept * gold, given)
    return 2 * both / (_sums(kept, given) + _sums(words * gold, given)).clamp(min=1)


def _kind_loss(output: NetOutput, given: BlockBatch) -> Tensor:
    known = given.kind >= 0
    if not known.any():
        return torch.zeros((), device=given.kind.device)
    return functional.cross_entropy(output.kinds[known], given.kind[known])


def _sums(values: Tensor, given: BlockBatch) -> Tensor:
    """Return the sum over the blocks of each example."""
    return torch.segment_reduce(values, "sum", lengths=given.lengths, axis=0)
