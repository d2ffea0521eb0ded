"""Recipes: what a network and its training can be told. What else was tried, with figures, is in docs/boilernet.md."""

from dataclasses import dataclass
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
    falling: bool = False  # whether the rate falls to nothing, along half a cosine
    epochs: int = 50
    batch: int = 16  # pages
    longest: int = 2048  # leaves; pages with more are learnt in pieces


PAPER: Final = Recipe()
LARGE: Final = Recipe(by_words=True, falling=True, epochs=10)
SMALL: Final = Recipe("gru", 1, 64, 0.2, by_words=True, rate=3e-3, falling=True, epochs=14)
