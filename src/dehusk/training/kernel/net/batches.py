"""Batches: packed examples on the device, and some of them as the network takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from dehusk.features.tree import ABOVE
from dehusk.methods.kernel.features import DOCTYPES, PAGE_NAMES, TAGS
from dehusk.scores import KINDS
from dehusk.training.columns import Longs
from dehusk.training.kernel.packed import SHARES, TOP, UNKNOWN, KernelPacked
from dehusk.training.kernel.recipe import Noise

Tensor: TypeAlias = torch.Tensor

PREDICTED_KINDS: Final = KINDS[:-1]  # "other" is for pages of which no kind is likely enough
SEMANTIC: Final = [ABOVE.index(tag) for tag in ("nav", "header", "footer", "aside", "main", "article", "section")]
DECLARED: Final = PAGE_NAMES.index(DOCTYPES[0])  # from here on, what the page declares itself to be
SIGN: Final = 0x8000


@dataclass(frozen=True, slots=True, eq=False)
class DeviceExamples:
    """Packed examples on a device."""

    packed: KernelPacked
    device: str
    numbers: Tensor  # one row per block; int16, since torch supports little of uint16
    near: Tensor
    anywhere: Tensor
    above: Tensor
    tag: Tensor
    groups: Tensor
    words: Tensor
    labels: Tensor
    known: Tensor
    page: Tensor
    whole: Tensor
    corpus: Tensor  # of each example the index of its set, starting at 1
    kind: Tensor  # of each example its index in `PREDICTED_KINDS`, -1 if unknown
    empty: Tensor
    group_counts: Longs  # one row per way to group, one column per example

    @classmethod
    def of(cls, packed: KernelPacked, device: str | None = None) -> "DeviceExamples":
        """Move examples to the device, by default the GPU if there is one."""
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        sets, info = list(packed.licences), packed.info
        known = packed.shares != UNKNOWN
        kinds = [
            PREDICTED_KINDS.index(each.kind) if each.kind in PREDICTED_KINDS and not each.empty else -1 for each in info
        ]

        def moved(array: NDArray[np.generic]) -> Tensor:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device)

        return cls(
            packed,
            device,
            moved((packed.numbers.T ^ SIGN).view(np.int16)),
            moved(packed.near),
            moved(packed.anywhere),
            moved(packed.above),
            moved(packed.tag.astype(np.int64)),
            moved(packed.groups.astype(np.int64)),
            moved(np.maximum(packed.words, 1)),
            moved(np.where(known, packed.shares / SHARES, 0).astype(np.float32)),
            moved(known.astype(np.float32)),
            moved(packed.page),
            moved(packed.whole),
            moved(np.array([sets.index(each.corpus) + 1 for each in info])),
            moved(np.array(kinds)),
            moved(np.array([each.empty for each in info], np.float32)),
            np.maximum.reduceat(packed.groups, packed.start[:-1], axis=1).astype(np.int64) + 1,
        )

    @property
    def tokens(self) -> int:
        """The size of the vocabulary."""
        return len(self.packed.vocabulary)


@dataclass(frozen=True, slots=True, eq=False)
class BlockGroups:
    """One way to group the blocks of a batch: the index of each block's group, and how large each group is."""

    index: Tensor
    size: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class BlockBatch:
    """Some examples, their blocks one after the other."""

    numbers: Tensor
    bits: Tensor  # tags above, the tag that holds the block, tokens near, tokens anywhere
    page: Tensor  # one row per example
    corpus: Tensor
    lengths: Tensor  # blocks of each example
    slot: Tensor  # of each block if a gap separates the examples, so that none sees another's blocks
    room: int  # slots, gaps included
    groups: tuple[BlockGroups, ...]
    blocks: Tensor  # the index of each block in the columns of the store
    labels: Tensor
    known: Tensor
    words: Tensor
    kind: Tensor
    empty: Tensor


def batch(store: DeviceExamples, examples: Sequence[int], gap: int, noise: Noise | None = None) -> BlockBatch:
    """Return some examples; `noise` hides parts of them at random."""
    chosen = np.asarray(examples)
    blocks = torch.from_numpy(store.packed.blocks(chosen.tolist())).to(store.device)
    rows = torch.from_numpy(chosen).to(store.device)
    lengths = torch.from_numpy(store.packed.size[chosen]).to(store.device)
    owner = torch.repeat_interleave(torch.arange(len(chosen), device=store.device), lengths)
    whole = BlockBatch(
        (store.numbers[blocks].float() + SIGN) / TOP,
        _bits(store, blocks),
        torch.cat([store.page[rows], _unpacked(store.whole[rows], store.tokens)], 1),
        torch.zeros_like(rows) if noise is None else store.corpus[rows],
        lengths,
        torch.arange(len(blocks), device=store.device) + (owner + 1) * gap,
        len(blocks) + (len(chosen) + 1) * gap,
        _groups(store, chosen, blocks, owner),
        blocks,
        store.labels[blocks],
        store.known[blocks],
        store.words[blocks],
        store.kind[rows],
        store.empty[rows],
    )
    if noise is not None:
        _hide(whole, owner, noise, store.tokens)
    return whole


def _bits(store: DeviceExamples, blocks: Tensor) -> Tensor:
    tag = torch.nn.functional.one_hot(store.tag[blocks], TAGS).float()
    tokens = [_unpacked(column[blocks], store.tokens) for column in (store.near, store.anywhere)]
    return torch.cat([_unpacked(store.above[blocks], len(ABOVE)), tag, *tokens], 1)


def _unpacked(packed: Tensor, size: int) -> Tensor:
    masks = 2 ** torch.arange(8, device=packed.device, dtype=torch.uint8)
    return ((packed.unsqueeze(-1) & masks) != 0).flatten(1)[:, :size].float()


def _groups(store: DeviceExamples, examples: Longs, blocks: Tensor, owner: Tensor) -> tuple[BlockGroups, ...]:
    """Return the groups, numbered across all examples."""
    groups = []
    for row, counts in zip(store.groups, store.group_counts[:, examples], strict=True):
        first = torch.from_numpy(np.cumsum(counts) - counts).to(store.device)
        index = first[owner] + row[blocks]
        size = torch.bincount(index, minlength=int(counts.sum())).float().clamp(min=1)
        groups.append(BlockGroups(index, size[:, None]))
    return tuple(groups)


def _hide(given: BlockBatch, owner: Tensor, noise: Noise, tokens: int) -> None:
    """Hide parts and move numbers a little, in place."""
    pages, device = len(given.page), given.page.device

    def shown(probability: float, *columns: int) -> Tensor:
        return (torch.rand(pages, *(columns or (1,)), device=device) > probability).float()

    known = shown(noise.token, tokens) * shown(noise.tokens)
    given.bits[:, -2 * tokens :] *= known.repeat(1, 2)[owner]
    given.bits[:, SEMANTIC] *= shown(noise.semantic)[owner]
    given.page[:, len(PAGE_NAMES) :] *= shown(noise.page_tokens)
    given.page[:, DECLARED : len(PAGE_NAMES)] *= shown(noise.declared)
    given.numbers.add_(torch.randn_like(given.numbers), alpha=noise.values).clamp_(0, 1)
    given.corpus.mul_(shown(noise.corpus)[:, 0].long())
