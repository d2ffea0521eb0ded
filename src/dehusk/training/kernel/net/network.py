"""The network of `dehusk.methods.kernel.network` in torch."""

from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch.nn import functional

from dehusk.features.tree import ABOVE
from dehusk.methods.kernel.features import PAGE_NAMES, TAGS
from dehusk.training.kernel.bins import QuantileBins
from dehusk.training.kernel.net.batches import PREDICTED_KINDS, BlockBatch, DeviceExamples, Tensor
from dehusk.training.kernel.recipe import Noise, Shape

Weights: TypeAlias = dict[str, Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class KernelNet:
    """A network: its shape, the bins of its features, and its weights by name."""

    shape: Shape
    bins: QuantileBins
    weights: Weights

    @property
    def gap(self) -> int:
        """How many slots must separate two examples: as far as any layer sees."""
        return self.shape.taps // 2 * max(self.shape.steps)

    def copy(self) -> "KernelNet":
        """Return the same network with a copy of its weights, which is not trained."""
        return KernelNet(
            self.shape, self.bins, {name: weight.detach().clone() for name, weight in self.weights.items()}
        )

    def ways(self, layer: int) -> list[int]:
        """Return which ways to group a layer sees; if not all, layers take turns."""
        return [(layer + turn) % 4 for turn in range(self.shape.groups)]


@dataclass(frozen=True, slots=True, eq=False)
class NetOutput:
    """What a network returns."""

    blocks: Tensor  # logits of main text
    kinds: Tensor  # of each example, logits of its kinds
    empty: Tensor  # of each example, the logit of having no main text


def new_net(store: DeviceExamples, shape: Shape, bins: QuantileBins) -> KernelNet:
    """Return a network with random weights."""
    width, layers = shape.width, range(len(shape.steps))

    def random(*size: int, spread: float) -> Tensor:
        return torch.randn(*size, device=store.device) * spread

    def constant(value: float, *size: int) -> Tensor:
        return torch.full(size, value, device=store.device)

    weights = {
        "numbers": random(len(bins), width, spread=len(bins) ** -0.5),
        "shift": constant(0.0, 1, width),
        "bits": random(len(ABOVE) + TAGS + 2 * store.tokens, width, spread=0.05),
        "page": random(len(PAGE_NAMES) + store.tokens, width, spread=0.05),
        "corpus": random(len(store.packed.licences) + 1, width, spread=0.02),
        **{f"taps{layer}": random(shape.taps, width, spread=0.5 * shape.taps**-0.5) for layer in layers},
        **{f"groups{layer}": random(shape.groups, width, spread=0.3) for layer in layers},
        **{f"mix{layer}": random(width, width, spread=width**-0.5) for layer in layers},
        **{f"layer_page{layer}": random(2 * width, width, spread=0.5 * width**-0.5) for layer in layers},
        **{f"layer_shift{layer}": constant(0.0, 1, width) for layer in layers},
        **{f"gain{layer}": constant(1.0, 1, width) for layer in layers},
        **{f"bias{layer}": constant(0.0, 1, width) for layer in layers},
        "out": random(width, 1, spread=width**-0.5),
        "out_shift": constant(0.0, 1, 1),
        "kind": random(2 * width, len(PREDICTED_KINDS), spread=0.1),
        "empty": random(2 * width, 1, spread=0.1),
        "empty_shift": constant(0.0, 1, 1),
    }
    return KernelNet(shape, bins, {name: weight.requires_grad_() for name, weight in weights.items()})


def run(net: KernelNet, given: BlockBatch, noise: Noise | None = None) -> NetOutput:
    """Return the output of a network for a batch; `noise` is for training."""
    dropout = noise.dropout if noise else 0.0
    state = functional.dropout(_first(net, given, noise), dropout)
    for layer in range(len(net.shape.steps)):
        state = state + functional.dropout(_update(net, layer, state, given), dropout)
    pooled, weights = _pooled(state, given), net.weights
    blocks = (state @ weights["out"] + weights["out_shift"])[..., 0]
    return NetOutput(blocks, pooled @ weights["kind"], (pooled @ weights["empty"] + weights["empty_shift"])[..., 0])


def _first(net: KernelNet, given: BlockBatch, noise: Noise | None) -> Tensor:
    """Return the state of every block before the first layer."""
    bins = (net.bins.column, net.bins.low, net.bins.slope)
    column, low, slope = (torch.from_numpy(each).to(given.numbers.device) for each in bins)
    numbers, bits = ((given.numbers[:, column] - low) * slope).clamp(0, 1), given.bits
    if noise:
        numbers = numbers * _kept_columns(numbers, noise.inputs) / (1 - noise.inputs)
        # Most bits are not set: scaling up the rest would exaggerate them.
        bits = bits * _kept_columns(bits, noise.inputs)
    weights = net.weights
    page = given.page @ weights["page"] + weights["corpus"].index_select(0, given.corpus)
    return torch.relu(numbers @ weights["numbers"] + weights["shift"] + bits @ weights["bits"] + _spread(page, given))


def _kept_columns(values: Tensor, hidden: float) -> Tensor:
    return (torch.rand(values.shape[1], device=values.device) > hidden).float()


def _update(net: KernelNet, layer: int, state: Tensor, given: BlockBatch) -> Tensor:
    """Return what a layer adds to the state."""
    weights, width = net.weights, net.shape.width
    normal = functional.layer_norm(state, (width,)) * weights[f"gain{layer}"] + weights[f"bias{layer}"]
    seen = _neighbours(normal, given, weights[f"taps{layer}"], net.shape.steps[layer])
    for row, way in enumerate(net.ways(layer)):
        group = given.groups[way]
        sums = torch.zeros(len(group.size), width, device=normal.device).index_add(0, group.index, normal)
        mean = (sums / group.size).index_select(0, group.index)
        seen = seen + mean * weights[f"groups{layer}"][row]
    page = _spread(_pooled(normal, given) @ weights[f"layer_page{layer}"], given)
    return torch.relu(seen @ weights[f"mix{layer}"] + weights[f"layer_shift{layer}"] + page)


def _neighbours(values: Tensor, given: BlockBatch, taps: Tensor, step: int) -> Tensor:
    """Return the weighted sum of each block's neighbours; gaps between examples are zeros."""
    room = torch.zeros(given.room, values.shape[1], device=values.device).index_copy(0, given.slot, values)
    reach = len(taps) // 2 * step
    inner = given.room - 2 * reach
    total = torch.zeros(1, device=values.device)
    for tap, weight in enumerate(taps):
        total = total + room[tap * step : tap * step + inner] * weight
    return total.index_select(0, given.slot - reach)


def _pooled(values: Tensor, given: BlockBatch) -> Tensor:
    """Return the mean and the maximum over the blocks of each example."""
    parts = [torch.segment_reduce(values, how, lengths=given.lengths, axis=0) for how in ("mean", "max")]
    return torch.cat(parts, 1)


def _spread(values: Tensor, given: BlockBatch) -> Tensor:
    """Return for each block the row of its example."""
    return torch.repeat_interleave(values, given.lengths, dim=0, output_size=len(given.slot))
