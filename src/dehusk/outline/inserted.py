"""Inserted: what stands between texts without being one: images, and formulas that no text shows.

Such a thing belongs to what is written if the text next to it does: of the text before and after it, the one that
shares the smaller element with it decides, and where both share the same, either will do. So a photograph goes with its
caption, a drawing with its paragraph, and the picture of a teaser with the teaser.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np

from dehusk.outline import formulas
from dehusk.outline.parts import Formula, Image
from dehusk.page import Elements, Page
from dehusk.page.address import Addresses
from dehusk.page.leaves import GLUED, BoolArray

LAZY: Final = ("data-src", "data-lazy-src", "data-original")
SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset")
LONGEST_SET: Final = 20_000  # characters
LONGEST_WORDS: Final = 1000
# What stands in `src` until a script puts the picture there.
STAND_IN: Final = re.compile(
    r"(?:blank|spacer|pixel|placeholder|transparent|loading|lazy|empty|1x1)[\w.-]{0,40}\.(?:gif|png|svg|jpe?g|webp)",
    re.I,
)
COUNTER: Final = frozenset({"0", "1"})  # the width or height of an image that counts readers
SHOWN: Final = ("http:", "https:")
FURTHEST: Final = 100  # steps in the tree; a page is seldom so deep, and hostile ones take no longer


class Inserted(NamedTuple):
    """A thing, the leaf that it stands before, and the element that it stands in."""

    before: int
    inside: int
    content: Image | Formula
    gap: str


def find(page: Page, kept: BoolArray, *, images: bool) -> list[Inserted]:
    """Return what belongs to the kept leaves, in order; drawn formulas always, images if asked for."""
    found: list[Inserted] = []
    # Most pages draw no formula, and the tree tells that faster than a look at every image.
    if images or formulas.are_drawn(page):
        found += _from_images(page, kept, images=images)
    if scripts := formulas.in_scripts(page):
        found += _from_scripts(page, kept, scripts)
    return sorted(found, key=lambda thing: thing.before) if found else found


def _from_images(page: Page, kept: BoolArray, *, images: bool) -> Iterator[Inserted]:
    elements, last = page.elements, ""
    nearby, addresses = _Nearby(page, kept), Addresses(page)
    for index, before in _candidates(page, kept):
        if not nearby.belongs(elements.parent[index], before):
            continue
        node: Any = elements.node[index]
        if formula := formulas.of_image(node):
            yield Inserted(before, elements.parent[index], formula, nearby.gap(before))
        elif images and (address := _address(node, addresses)) and address != last:
            # The same once more is what a lazy image brings along for readers without scripts.
            last = address
            words = " ".join((node.attr("alt") or "")[:LONGEST_WORDS].split())
            yield Inserted(before, elements.parent[index], Image(address, words), nearby.gap(before))


def _candidates(page: Page, kept: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the images that stand next to a kept leaf, each with the leaf after it."""
    tags = page.elements.tag
    places: list[int] = []
    with suppress(ValueError):
        while True:  # a list finds a string many times faster than a loop would
            places.append(tags.index("img", places[-1] + 1 if places else 0))
    before = page.leaves.opened.searchsorted(np.array(places, np.int32), "right")
    beside = np.concatenate(([False], kept, [False]))
    near = beside[before] | beside[before + 1]
    return zip(np.array(places)[near].tolist(), before[near].tolist(), strict=True)


def _address(node: Any, addresses: Addresses) -> str:
    """Return where the picture itself is, whichever way the page keeps it from being loaded; "" for what is none."""
    if node.attr("width") in COUNTER or node.attr("height") in COUNTER:
        return ""
    for address in _claimed(node):
        whole = addresses.absolute(address) if address else None
        if whole and not STAND_IN.search(whole) and (whole.startswith(SHOWN) or ":" not in whole.partition("/")[0]):
            return whole
    return ""


def _claimed(node: Any) -> Iterator[str | None]:
    """Yield the addresses that an image gives for itself, the best first."""
    for name in SETS:
        yield largest(node.attr(name))
    for name in LAZY:
        yield node.attr(name)
    yield node.attr("src")
    if getattr(node.parent, "tag", "") == "picture":
        for child in node.parent.children:
            if getattr(child, "tag", "") == "source":
                yield largest(child.attr("srcset"))
                yield largest(child.attr("data-srcset"))


def largest(candidates: str | None) -> str | None:
    """Return the address of the largest picture in a `srcset`.

    >>> largest("a.jpg 480w, b,c.jpg 1024w, d.jpg 2x"), largest("one.jpg, two.jpg 2x"), largest("")
    ('b,c.jpg', 'two.jpg', None)
    """
    if not candidates:
        return None
    best, widest = None, -1.0
    address: str | None = None
    size = 1.0
    for word in [*candidates[:LONGEST_SET].split(), ","]:
        part = word.rstrip(",")
        if address is None:
            address, size = part or None, 1.0
        elif part:
            size = _size(part)
        if word.endswith(",") and address is not None:
            best, widest = (address, size) if size > widest else (best, widest)
            address = None
    return best


def _size(word: str) -> float:
    try:
        return min(float(word[:-1]), 1e6) if word[-1] in "wxh" else 1.0
    except ValueError:
        return 1.0


def _from_scripts(page: Page, kept: BoolArray, scripts: dict[Any, Formula]) -> Iterator[Inserted]:
    nearby = _Nearby(page, kept)
    rows = {node: index for index, node in enumerate(page.elements.node)}
    reach = ends(page.elements)
    for parent in dict.fromkeys(node.parent for node in scripts):
        if (inside := rows.get(parent)) is None:
            continue
        for node, before, gap in _positions(page, parent, inside, rows, reach):
            if node in scripts and nearby.belongs(inside, before):
                yield Inserted(before, inside, scripts[node], gap)


def _positions(
    page: Page, parent: Any, inside: int, rows: dict[Any, int], reach: list[int]
) -> Iterator[tuple[Any, int, str]]:
    """Yield each child of an element that has no row of its own, with the leaf it stands before and what parts it."""
    own = (page.leaves.element == inside).nonzero()[0].tolist()
    owners, before = page.leaves.element.tolist(), int(page.leaves.opened.searchsorted(inside, "right"))
    gap, texts = "", 0
    for child in parent.children:
        data = getattr(child, "data", None)
        if (row := rows.get(child)) is not None:
            # Past the leaves in it: those whose elements have larger numbers than itself.
            while before < len(owners) and row <= owners[before] < reach[row]:
                before += 1
            gap = ""
        elif getattr(child, "tag", None):
            yield child, before, gap
        elif isinstance(data, str):
            if data.strip() and texts < len(own):
                before, texts = max(before, own[texts] + 1), texts + 1
            gap = " " if data[-1:].isspace() else ""


class _Nearby:
    """Tells what the texts next to a place on the page say about it."""

    def __init__(self, page: Page, kept: BoolArray) -> None:
        self._parents = page.elements.parent
        self._owners = page.leaves.element.tolist()
        self._kept, self._parted = kept.tolist(), page.leaves.parted.tolist()

    def gap(self, before: int) -> str:
        """Return what parts a thing from the text before it: nothing where the text goes on without a gap."""
        return "" if before < len(self._parted) and self._parted[before] == GLUED else " "

    def belongs(self, inside: int, before: int) -> bool:
        """Tell whether what stands in the element `inside` before a leaf belongs to what is kept."""
        left = before > 0 and self._kept[before - 1]
        right = before < len(self._kept) and self._kept[before]
        if not (left or right):
            return False
        # Elements are numbered from the outside in, so of two that hold a place the smaller has the larger number.
        with_left = self._common(inside, before - 1) if before > 0 else -1
        with_right = self._common(inside, before) if before < len(self._kept) else -1
        return left if with_left > with_right else right if with_right > with_left else left or right

    def _common(self, index: int, leaf: int) -> int:
        """Return the smallest element that holds both an element and a leaf, or -1 if they are far apart."""
        parents, owner = self._parents, self._owners[leaf]
        for _ in range(FURTHEST):
            if index == owner:
                return index
            if index > owner:
                index = parents[index]
            else:
                owner = parents[owner]
        return -1


def ends(elements: Elements) -> list[int]:
    """Return for each element where the elements below it end.

    >>> ends(Page.from_html("<p>a<b>b</b><p>c").elements)
    [7, 7, 3, 7, 6, 6, 7]
    """
    found = list(range(1, len(elements) + 1))
    for index in range(len(found) - 1, 0, -1):
        above = elements.parent[index]
        found[above] = max(found[above], found[index])
    return found
