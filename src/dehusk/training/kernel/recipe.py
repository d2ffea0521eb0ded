"""The recipe: the size of the networks and how they are trained; research/kernel/README.md has what else was tried."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a network."""

    width: int = 48
    steps: tuple[int, ...] = (1, 2, 4, 8)  # per layer: the distance between the neighbours it sees
    taps: int = 5  # how many neighbours a layer sees, including the block itself
    groups: int = 4  # how many of the ways to group blocks a layer sees
    bins: int = 6  # ranges per feature


@dataclass(frozen=True, slots=True)
class Noise:
    """How often something is hidden from the network during training, so that it relies on no single thing."""

    dropout: float = 0.15
    inputs: float = 0.1  # of a batch: a column
    values: float = 0.02  # how far a number is moved, as a standard deviation
    token: float = 0.1  # of a page: one token
    tokens: float = 0.25  # of a page: all tokens
    semantic: float = 0.2  # of a page: the tags that HTML 5 introduced
    page_tokens: float = 0.5  # of a page: what `html` and `body` say
    declared: float = 0.3  # of a page: doctype and og:type
    corpus: float = 0.5  # of a page: which set it is from, which is unknown for a new page


@dataclass(frozen=True, slots=True)
class KernelRecipe:
    """How a network is trained."""

    seeds: tuple[int, ...] = (0, 1, 2)  # one per network; they are trained separately and averaged
    shape: Shape = Shape()
    noise: Noise = Noise()
    f1: float = 0.5  # weight of the loss that is one minus the page's expected F1
    kind: float = 0.1  # weight of predicting the kind of page
    empty: float = 0.05  # weight of predicting whether there is main text at all
    varied: float = 0.75  # how often a page is replaced by a variant of it
    emptied: float = 0.04  # pages without their main text that are added, as a share of all pages
    rate: float = 3e-3
    decay: float = 0.02
    warmup: int = 200  # batches until the full rate
    epochs: int = 40
    batch: int = 48  # pages


RECIPE: Final = KernelRecipe()
