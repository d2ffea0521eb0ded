"""Blocks: a page's text cut into contiguous runs, as columns; and the common cut, at block-level elements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.page import Page
from dehusk.page.leaves import HIDDEN, LINKED, NEW_BLOCK, BoolArray, Elements, IntArray, Leaves


class Kind(IntEnum):
    """What a block is on the page."""

    PARAGRAPH = 0
    HEADING = 1
    ITEM = 2
    CELL = 3
    CODE = 4
    QUOTE = 5
    CAPTION = 6
    OTHER = 7

    @property
    def label(self) -> str:
        """The name that formats print, such as 'list item'."""
        return "list item" if self is Kind.ITEM else "table cell" if self is Kind.CELL else self.name.lower()


# The nearest of these tags above a block's text tells its kind; without any it is a paragraph.
KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Kind.HEADING),
    **dict.fromkeys(("li", "dt", "dd"), Kind.ITEM),
    **dict.fromkeys(("td", "th"), Kind.CELL),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), Kind.CODE),
    "blockquote": Kind.QUOTE,
    **dict.fromkeys(("figcaption", "caption"), Kind.CAPTION),
    **dict.fromkeys(("button", "option", "select", "textarea", "legend", "label", "summary"), Kind.OTHER),
}
LISTS: Final = frozenset({"ul", "ol", "dl", "menu", "dir"})
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(frozen=True, slots=True)
class Block:
    """One block, as a value of its own."""

    text: str
    start: int
    end: int
    kind: Kind
    level: int  # of a heading 1 to 6, of a list item its depth, else 0
    hidden: bool
    link_chars: int


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Columns, one row a block, in document order.

    `text` is the page's; `first_leaf` and `last_leaf` (one past the end) say which leaves a block reaches into.

    >>> blocks = Blocks.of(("Home", 4), ("A plain sentence.", 0))
    >>> [block.text for block in blocks], blocks.link_chars
    (['Home', 'A plain sentence.'], array([4, 0], dtype=int32))
    """

    text: str = field(repr=False)
    start: IntArray
    end: IntArray
    kind: NDArray[np.uint8]
    level: NDArray[np.uint8]
    hidden: BoolArray
    link_chars: IntArray
    first_leaf: IntArray
    last_leaf: IntArray
    complete: bool = True  # False when the page had more blocks than its limit

    def __len__(self) -> int:
        return len(self.start)

    def __iter__(self) -> Iterator[Block]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> Block:
        start, end = int(self.start[index]), int(self.end[index])
        return Block(
            self.text[start:end],
            start,
            end,
            Kind(int(self.kind[index])),
            int(self.level[index]),
            bool(self.hidden[index]),
            int(self.link_chars[index]),
        )

    @classmethod
    def of(cls, *blocks: tuple[str, int]) -> Self:
        """Make blocks from pairs of text and number of characters that can be clicked: for tests and examples."""
        length = np.array([len(text) for text, _ in blocks], np.int32)
        end = (np.cumsum(length + 1) - 1).astype(np.int32)
        rows: IntArray = np.arange(len(blocks), dtype=np.int32)
        none = np.zeros(len(blocks), np.uint8)
        links = np.array([link for _, link in blocks], np.int32)
        text = "\n".join(text for text, _ in blocks)
        return cls(text, end - length, end, none, none, none.astype(np.bool_), links, rows, rows + 1)

    def strings(self) -> list[str]:
        """Return the text of every block."""
        text = self.text
        return [text[start:end] for start, end in zip(self.start.tolist(), self.end.tolist(), strict=True)]


def cut(page: Page, limit: int = 200_000) -> Blocks:
    """Cut a page at its block-level elements; what comes after `limit` blocks is left out.

    >>> [(block.kind.label, block.text) for block in cut(Page.from_html("<h1>Title</h1>Some <i>text</i><ul><li>x"))]
    [('heading', 'Title'), ('paragraph', 'Some text'), ('list item', 'x')]
    """
    leaves = page.leaves
    first = np.flatnonzero(leaves.parted == NEW_BLOCK).astype(np.int32)
    last = np.append(first[1:], np.int32(len(leaves))).astype(np.int32)
    words = _with_words(page, first, last)
    first, last = first[words][:limit], last[words][:limit]
    kind, level = _kinds(page.elements, leaves.element[first].tolist())
    hidden, link_chars = _leaf_sums(leaves, first, last)
    return Blocks(
        page.text,
        leaves.start[first],
        leaves.end[last - 1],
        np.array(kind, np.uint8),
        np.array(level, np.uint8),
        hidden,
        link_chars,
        first,
        last,
        complete=int(np.count_nonzero(words)) <= limit,
    )


def _with_words(page: Page, first: IntArray, last: IntArray) -> BoolArray:
    """Tell which runs hold more than white space, as verbatim ones need not."""
    leaves = page.leaves
    verbatim = np.flatnonzero(leaves.state[first] & 2)
    kept = np.ones(len(first), np.bool_)
    for run in verbatim.tolist():
        kept[run] = bool(page.text[leaves.start[first[run]] : leaves.end[last[run] - 1]].strip())
    return kept


def _leaf_sums(leaves: Leaves, first: IntArray, last: IntArray) -> tuple[BoolArray, IntArray]:
    """Return which blocks are hidden altogether, and how many of their characters can be clicked."""
    length = leaves.end - leaves.start
    shown = _sums(length * ((leaves.state & HIDDEN) == 0), first, last)
    return shown == 0, _sums(length * ((leaves.state & LINKED) != 0), first, last)


def _sums(values: IntArray, first: IntArray, last: IntArray) -> IntArray:
    """Add up `values` over each range of leaves."""
    total: IntArray = np.zeros(len(values) + 1, np.int32)
    np.cumsum(values, out=total[1:])
    return total[last] - total[first]


def _kinds(elements: Elements, owners: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the kind and the level of blocks whose text begins in the elements `owners`."""
    tags, parents = elements.tag, elements.parent
    layout = _layout_tables(elements) if "table" in tags else frozenset()
    known: dict[int, tuple[int, int]] = {}
    for owner in owners:
        if owner in known:
            continue
        index, kind = owner, None
        while index >= 0 and (kind := KINDS.get(tags[index])) is None:
            index = parents[index]
        known[owner] = _kind_at(elements, index, kind, layout)
    pairs = [known[owner] for owner in owners]
    return [kind for kind, _ in pairs], [level for _, level in pairs]


def _kind_at(elements: Elements, index: int, kind: Kind | None, layout: "frozenset[int]") -> tuple[int, int]:
    if kind is Kind.HEADING:
        return kind, int(elements.tag[index][1])
    if kind is Kind.ITEM:
        depth = sum(elements.tag[above] in LISTS for above in elements.chain(index))
        return kind, min(depth, 255)
    if kind is None or (kind is Kind.CELL and _table_above(elements, index) in layout):
        return Kind.PARAGRAPH, 0
    return kind, 0


def _layout_tables(elements: Elements) -> frozenset[int]:
    """Return the tables that lay out the page: those that hold another table or a heading. Their cells are no cells."""
    tags, parents = elements.tag, elements.parent
    nearest = [-1] * len(tags)  # the table that each element stands in
    layout = set()
    for index in range(1, len(tags)):
        tag, parent = tags[index], parents[index]
        nearest[index] = parent if tags[parent] == "table" else nearest[parent]
        if tag == "table" or tag in HEADINGS:
            layout.add(nearest[index])
    return frozenset(layout - {-1})


def _table_above(elements: Elements, index: int) -> int:
    return next((above for above in elements.chain(index) if elements.tag[above] == "table"), -1)
