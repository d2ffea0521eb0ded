"""The protocol of all methods: cut a page into blocks and score each block; and what some methods can do besides.

A method that recognises readers' comments (`Scores.comments`) declares it by an attribute, `tells_comments = True`. One
that wants the rules of `dehusk.selection` besides its scores declares `refines = True`: tables in whole rows, repeated
text once, nothing that is never prose, and the title at the beginning of the formats for readers. One that looks at
pages as a browser lays them out declares `renders = True`: the command line then puts the layout of each page into the
cache of `dehusk.rendering` before the method sees the page.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dehusk.blocks import Blocks
from dehusk.page import Page
from dehusk.scores import Scores


@runtime_checkable
class Method(Protocol):
    """A way to tell main text from boilerplate; its best threshold is 0.5.

    `Extractor` takes any object with these three: a method of your own needs no registration.

    >>> import numpy as np
    >>> import dehusk
    >>> from dehusk.blocks import cut
    >>> class NoLinks:
    ...     name = "no-links"
    ...
    ...     def segment(self, page):
    ...         return cut(page)
    ...
    ...     def score(self, page, blocks):
    ...         return Scores(blocks, (blocks.link_chars > 0).astype(np.float64), self.name)
    >>> dehusk.extract("<p><a href=/>Home</a><p>Some text.", method=NoLinks()).text
    'Some text.'
    """

    @property
    def name(self) -> str:
        """Its name in the registry and in `Scores.model`."""

    def segment(self, page: Page) -> Blocks:
        """Cut the page's text into contiguous runs, in document order and without overlap."""

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each of these blocks a number in [0, 1], where 1 is boilerplate."""


@runtime_checkable
class Explains(Protocol):
    """A method that can explain its scores."""

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for each block the few facts that decided, in words, the most important first.

        Facts in favour of main text begin with "+", those in favour of boilerplate with "-": "- all of it is links".
        """


@dataclass(frozen=True, slots=True)
class Outline:
    """One region of a picture: its corners in pixels, how its text begins, what was measured, and its mean score."""

    corners: tuple[tuple[int, int], ...]
    text: str
    values: tuple[float, ...]
    score: float  # NaN if nothing in it has one


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as a method sees it: a PNG file, and the regions on it with one value per name."""

    png: bytes
    width: int
    height: int
    names: tuple[str, ...]
    outlines: tuple[Outline, ...]


@runtime_checkable
class Illustrates(Protocol):
    """A method that looks at pages, and can show what it sees."""

    def picture(self, page: Page) -> Picture | None:
        """Return what it sees of a page; None if it sees nothing, since nobody has laid the page out."""
