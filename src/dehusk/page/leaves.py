"""Leaves: the text nodes of a page as columns, and the elements that hold them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element, Node

from dehusk.page.walk_flags import HIDDEN, LINKED

IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """The elements that were entered, in document order; row 0 is the root, whose parent is -1.

    >>> Elements.none().parents
    array([-1], dtype=int32)
    """

    tag: list[str]
    parents: IntArray
    node: list[Node]
    annotated: set[Element] = field(default_factory=set)  # those with role or itemprop, and a few others
    known_tags: Collection[str] = ()  # those of all elements, and of some that were left out
    _parent: list[int] = field(default_factory=list)

    @property
    def parent(self) -> list[int]:
        """`parents` as a list, for work on single elements."""
        if not self._parent:
            object.__setattr__(self, "_parent", self.parents.tolist())
        return self._parent

    def __len__(self) -> int:
        return len(self.tag)

    def may_have(self, tag: str) -> bool:
        """Return whether any element may have a tag, without a look at all of them.

        >>> Elements.none().may_have("h1")
        False
        """
        return tag in (self.known_tags or self.tag)

    @classmethod
    def none(cls) -> Self:
        """Return the elements of a page without a tree: the root alone."""
        return cls(["#document"], np.array([-1], np.int32), [])

    def chain(self, index: int) -> Iterator[int]:
        """Yield the element at `index` and its ancestors, the root last."""
        parent = self.parent
        while index >= 0:
            yield index
            index = parent[index]


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """Columns, one row per text node: its span in the page's text, its element, and what it inherits."""

    start: IntArray
    end: IntArray
    element: IntArray
    opened: IntArray  # how many elements were opened before the leaf
    gap: NDArray[np.uint8]  # to the leaf before: GLUED, SPACED, NEW_LINE or NEW_BLOCK
    state: NDArray[np.uint8]  # HIDDEN, VERBATIM, LINKED and IN_SVG, added up

    def __len__(self) -> int:
        return len(self.start)

    @property
    def hidden(self) -> BoolArray:
        """Which leaves a browser would not show; tabs and accordions also hide main text."""
        hidden: BoolArray = (self.state & HIDDEN) != 0
        return hidden

    @property
    def link(self) -> BoolArray:
        """Which leaves can be clicked."""
        link: BoolArray = (self.state & LINKED) != 0
        return link
