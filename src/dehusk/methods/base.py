"""The contract that every method keeps: cut a page into blocks, give each block a score; and what some can do besides.

A method that tells readers' comments apart (`Scores.comments`) says so by an attribute, `tells_comments = True`.
"""

from typing import Protocol, runtime_checkable

from dehusk.blocks import Blocks
from dehusk.page import Page
from dehusk.scores import Scores


@runtime_checkable
class Method(Protocol):
    """A way to tell main text from boilerplate; 0.5 is its best threshold, 1 is boilerplate."""

    @property
    def name(self) -> str:
        """What the registry and `Scores.model` call it."""

    def segment(self, page: Page) -> Blocks:
        """Cut the page's text into contiguous runs, in document order, no character in two of them."""

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each of those blocks a number in [0, 1], 1 = boilerplate."""


@runtime_checkable
class Explains(Protocol):
    """A method that can say why a block scored as it did."""

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for each block the few facts that decided, in words, the weightiest first.

        A fact that speaks for main text begins with "+", one for boilerplate with "-": "- all of it is links".
        """
