"""What is inserted between texts: images, and formulas that are drawn or kept in scripts.

An insertion is kept if the text next to it is: of the texts before and after it, the one that shares the smaller
element with it decides; where both share the same element, either will do. So a photograph goes with its caption, a
drawing with its paragraph, and the image of a teaser with the teaser.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np

from dehusk.outline import formulas
from dehusk.outline.images import ImageAddresses
from dehusk.outline.leaf_spans import LeafSpans
from dehusk.outline.nodes import Formula, Image
from dehusk.page import Page
from dehusk.page.address import Addresses
from dehusk.page.leaves import BoolArray
from dehusk.page.walk_flags import GLUED

MAX_ALT_LENGTH: Final = 1000  # characters
MAX_STEPS: Final = 100  # in the tree; few pages are that deep, and it bounds the cost of hostile ones


class Insertion(NamedTuple):
    """An image or formula, and where it is inserted."""

    next_leaf: int
    element: int  # the element that it is in
    content: Image | Formula
    gap: str


def find(page: Page, kept: BoolArray, *, images: bool) -> list[Insertion]:
    """Return the insertions that belong to the kept leaves, in order; formulas always, images if requested."""
    insertions: list[Insertion] = []
    # Most pages draw no formula, and the tree can tell that faster than a look at every image.
    if images or formulas.are_drawn(page):
        insertions += _from_images(page, kept, images=images)
    if scripts := formulas.in_scripts(page):
        insertions += _from_scripts(page, kept, scripts)
    return sorted(insertions, key=lambda insertion: insertion.next_leaf)


def _from_images(page: Page, kept: BoolArray, *, images: bool) -> Iterator[Insertion]:
    elements, last = page.elements, ""
    neighbours, addresses = _Neighbours(page, kept), ImageAddresses(Addresses(page))
    for index, next_leaf in _images_beside(page, kept):
        if not neighbours.keep(elements.parent[index], next_leaf):
            continue
        node: Any = elements.node[index]
        if formula := formulas.of_image(node):
            yield Insertion(next_leaf, elements.parent[index], formula, neighbours.gap(next_leaf))
        elif images and (address := addresses.of(node)) and address != last:
            # The same image twice in a row is a lazy one with its copy for readers without scripts.
            last = address
            words = " ".join((node.attr("alt") or "")[:MAX_ALT_LENGTH].split())
            yield Insertion(next_leaf, elements.parent[index], Image(address, words), neighbours.gap(next_leaf))


def _images_beside(page: Page, kept: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the images next to a kept leaf, each with the leaf after it."""
    tags = page.elements.tag
    images: list[int] = []
    with suppress(ValueError):
        while True:  # list.index finds a string many times faster than a loop would
            images.append(tags.index("img", images[-1] + 1 if images else 0))
    next_leaf = page.leaves.opened.searchsorted(np.array(images, np.int32), "right")
    padded = np.concatenate(([False], kept, [False]))
    beside = padded[next_leaf] | padded[next_leaf + 1]
    return zip(np.array(images)[beside].tolist(), next_leaf[beside].tolist(), strict=True)


def _from_scripts(page: Page, kept: BoolArray, scripts: dict[Any, Formula]) -> Iterator[Insertion]:
    neighbours = _Neighbours(page, kept)
    children = _UnlistedChildren(page)
    for parent in dict.fromkeys(node.parent for node in scripts):
        if (element := children.indexes.get(parent)) is None:
            continue
        for node, next_leaf, gap in children.of(parent, element):
            if node in scripts and neighbours.keep(element, next_leaf):
                yield Insertion(next_leaf, element, scripts[node], gap)


class _UnlistedChildren:
    """The nodes of a page that are not among its elements, since they show no text: scripts and the like."""

    def __init__(self, page: Page) -> None:
        self.indexes = {node: index for index, node in enumerate(page.elements.node)}
        self._spans = LeafSpans(page)
        self._own_leaves: dict[int, list[int]] = {}  # by element
        for leaf, owner in enumerate(page.leaves.element.tolist()):
            self._own_leaves.setdefault(owner, []).append(leaf)

    def of(self, parent: Any, element: int) -> Iterator[tuple[Any, int, str]]:
        """Yield those directly in an element, each with the leaf after it and the gap before it."""
        own_leaves, next_leaf = self._own_leaves.get(element, []), self._spans.first[element]
        gap, texts = "", 0
        for child in parent.children:
            data = getattr(child, "data", None)
            if (index := self.indexes.get(child)) is not None:
                next_leaf, gap = max(next_leaf, self._spans.stop[index]), ""
            elif getattr(child, "tag", None):
                yield child, next_leaf, gap
            elif isinstance(data, str):
                if data.strip() and texts < len(own_leaves):
                    next_leaf, texts = max(next_leaf, own_leaves[texts] + 1), texts + 1
                gap = " " if data[-1:].isspace() else ""


class _Neighbours:
    """The leaves before and after a position on the page, which decide whether an insertion there is kept."""

    def __init__(self, page: Page, kept: BoolArray) -> None:
        self._parents = page.elements.parent
        self._owners = page.leaves.element.tolist()
        self._kept, self._parted = kept.tolist(), page.leaves.gap.tolist()

    def gap(self, next_leaf: int) -> str:
        """Return the gap before an insertion: none where the text goes on without a space."""
        return "" if next_leaf < len(self._parted) and self._parted[next_leaf] == GLUED else " "

    def keep(self, element: int, next_leaf: int) -> bool:
        """Return whether an insertion in `element` before a leaf is kept."""
        left = next_leaf > 0 and self._kept[next_leaf - 1]
        right = next_leaf < len(self._kept) and self._kept[next_leaf]
        if not (left or right):
            return False
        # Elements are numbered from the outside in, so of two that hold a position the smaller has the larger number.
        with_left = self._common(element, next_leaf - 1) if next_leaf > 0 else -1
        with_right = self._common(element, next_leaf) if next_leaf < len(self._kept) else -1
        return left if with_left > with_right else right if with_right > with_left else left or right

    def _common(self, element: int, leaf: int) -> int:
        """Return the smallest element that holds both an element and a leaf, or -1 if they are far apart."""
        parents, owner = self._parents, self._owners[leaf]
        for _ in range(MAX_STEPS):
            if element == owner:
                return element
            if element > owner:
                element = parents[element]
            else:
                owner = parents[owner]
        return -1
