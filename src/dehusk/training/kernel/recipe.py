"""Recipes: what a training can be told. What else was tried, with figures, is in research/kernel/README.md."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is."""

    width: int = 48
    steps: tuple[int, ...] = (1, 2, 4, 8)  # one a layer: how far the neighbours that it sees stand apart
    taps: int = 5  # how many neighbours a layer sees, with the block itself
    groups: int = 4  # how many of the ways to group blocks a layer sees
    bins: int = 6  # into how many ranges a feature is parted


@dataclass(frozen=True, slots=True)
class Noise:
    """How often something is hidden from the network while it learns, so that it leans on no single thing."""

    dropout: float = 0.15
    inputs: float = 0.1  # of a batch: a column
    values: float = 0.02  # how far a number is moved, as a standard deviation
    token: float = 0.1  # of a page: one token
    tokens: float = 0.25  # of a page: all tokens
    semantic: float = 0.2  # of a page: the tags that HTML 5 brought
    page_tokens: float = 0.5  # of a page: what `html` and `body` say
    declared: float = 0.3  # of a page: doctype and og:type
    corpus: float = 0.5  # of a page: which set it is from; nobody knows that of a new page


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a network is trained."""

    seeds: tuple[int, ...] = (0, 1, 2)  # one a network; they are trained apart and asked together
    shape: Shape = Shape()
    noise: Noise = Noise()
    f1: float = 0.5  # weight of the loss that is one minus the page's expected F1
    kind: float = 0.1  # weight of telling the kind of page
    empty: float = 0.05  # weight of telling whether there is main text at all
    varied: float = 0.75  # how often a page is shown with parts taken away, or with another's in their place
    emptied: float = 0.04  # pages without their main text that are added, as a share of all pages
    rate: float = 3e-3
    decay: float = 0.02
    warmup: int = 200  # batches until the full rate
    epochs: int = 40
    batch: int = 48  # pages


RECIPE: Final = Recipe()
