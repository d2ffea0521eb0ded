"""Recipes: the size of a network and how it is trained; research/boilernet/recipe.md has what else was tried."""

from dataclasses import dataclass, replace
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class BoilernetRecipe:
    """The size of a network and how it is trained, by default as in the paper. model.json has all fields."""

    cell: Literal["lstm", "gru"] = "lstm"
    layers: int = 2
    width: int = 256  # of the dense layer, and of each recurrent layer in each direction
    dropout: float = 0.5  # of the output of the last recurrent layer
    balanced: bool = True  # whether both classes have the same weight in total
    by_words: bool = False  # weight a leaf by the root of its words, and a page by the root of their sum
    rate: float = 1e-3
    epsilon: float = 1e-7  # of Adam, as in Keras
    clip: float = 0.0  # the norm that gradients are clipped to; 0: not clipped
    falling: bool = False  # whether the rate falls to 0, along half a cosine
    epochs: int = 50
    chosen_from: int = 50  # how many of the last epochs the best is chosen from
    averaged: float = 0.0  # decay of the moving average of weights; 0: no average
    batch: int = 16  # pages
    # How the batches of an epoch are drawn: of pages "alike" in length, which is faster, or of any, as "even" in number
    # as possible. In the latter the padding of shorter pages counts in the mean loss, as in the original.
    batches: Literal["alike", "even"] = "even"
    longest: int = 8192  # leaves; longer pages are split
    least: int = 0  # pages that each set counts as at least: those of smaller sets are repeated in each epoch


# Fifty epochs are two hundred steps, and the networks still improve in the last ones: an earlier best is luck. With few
# pages to choose by, averages over some ten epochs are so similar that the choice matters little.
PAPER: Final = BoilernetRecipe(chosen_from=10, averaged=0.975)
# Without repeats the two sets of some fifty pages, whose convention is not that of the news sets, are not learnt.
SHIPPED: Final = BoilernetRecipe(
    by_words=True, epsilon=1e-8, clip=5.0, falling=True, epochs=10, batches="alike", longest=2048, least=200
)
LARGE: Final = SHIPPED
SMALL: Final = replace(SHIPPED, cell="gru", layers=1, width=64, dropout=0.2, rate=3e-3, epochs=14)
