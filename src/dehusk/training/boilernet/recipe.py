"""Recipes: what a network and its training can be told; research/boilernet has what was tried, with figures."""

from dataclasses import dataclass, replace
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Recipe:
    """How large a network is, and how it is trained; by default as the paper has it."""

    cell: Literal["lstm", "gru"] = "lstm"
    layers: int = 2
    width: int = 256  # of the dense layer, and of every recurrent layer in either direction
    dropout: float = 0.5  # of what the last recurrent layer gives
    by_words: bool = False  # whether a leaf counts by the root of its words, and a page by that of its sum
    rate: float = 1e-3
    epsilon: float = 1e-7  # of Adam, as Keras has it
    clip: float = 0.0  # the norm that gradients are cut to; 0 leaves them as they are
    falling: bool = False  # whether the rate falls to nothing, along half a cosine
    epochs: int = 50
    chosen_from: int = 50  # how many of the last epochs the best is chosen from
    averaged: float = 0.0  # the share of its average of weights that a step leaves; 0 takes weights as they are
    batch: int = 16  # pages
    # How batches are drawn, anew in each epoch: of pages "alike" in length, which takes less time, or of any, as "even"
    # in number as can be. With those, what fills up the shorter pages counts in the mean loss, as in the original.
    batches: Literal["alike", "even"] = "even"
    longest: int = 8192  # leaves; pages with more are learnt in pieces


# Fifty epochs are two hundred steps, and the networks still learn in the last ones: what is best before has been lucky.
# Few pages choose an epoch worse than chance does; averages over some ten epochs lie so near to each other that it
# matters little which is chosen.
PAPER: Final = Recipe(chosen_from=10, averaged=0.975)
SHIPPED: Final = Recipe(by_words=True, epsilon=1e-8, clip=5.0, falling=True, epochs=10, batches="alike", longest=2048)
LARGE: Final = SHIPPED
SMALL: Final = replace(SHIPPED, cell="gru", layers=1, width=64, dropout=0.2, rate=3e-3, epochs=14)
