"""The contract that every method keeps: cut a page into blocks, give each block a score."""

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
