"""Blocks: a page's text cut into contiguous runs, as columns; and the common cut, at block-level elements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.page import Page
from dehusk.page.leaves import HIDDEN, LINKED, NEW_BLOCK, VERBATIM, BoolArray, Elements, IntArray, Leaves
from dehusk.tables import nearest_tables


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
# What an element passes on to the text below it, in one number: how many lists stand round it, then a byte for the
# level and a byte for the kind.
DEEPER: Final = 1 << 16
CELL: Final = int(Kind.CELL)
CODES: Final[dict[str, int]] = {
    **{tag: int(kind) for tag, kind in KINDS.items()},
    **{tag: int(tag[1]) << 8 | Kind.HEADING for tag in HEADINGS},
    **dict.fromkeys(LISTS, DEEPER),
}


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

    `text` is the page's; `first_leaf` and `last_leaf` (one past the end) say which leaves a block reaches into, `owner`
    which of the page's elements its text begins in. Kinds follow from the elements, and are worked out when asked for.

    >>> blocks = Blocks.of(("Home", 4), ("A plain sentence.", 0))
    >>> [block.text for block in blocks], blocks.link_chars
    (['Home', 'A plain sentence.'], array([4, 0], dtype=int32))
    """

    text: str = field(repr=False)
    start: IntArray
    end: IntArray
    hidden: BoolArray
    link_chars: IntArray
    elements: Elements = field(repr=False)
    owner: IntArray
    first_leaf: IntArray
    last_leaf: IntArray
    complete: bool = True  # False when the page had more blocks than its limit

    def __len__(self) -> int:
        return len(self.start)

    def __iter__(self) -> Iterator[Block]:
        columns = (self.start, self.end, *self.kinds(), self.hidden, self.link_chars)
        for start, end, kind, level, hidden, link in zip(*(column.tolist() for column in columns), strict=True):
            yield Block(self.text[start:end], start, end, Kind(kind), level, hidden, link)

    def kinds(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the kind and the level of every block.

        >>> [column.tolist() for column in cut(Page.from_html("<h2>a</h2><p>b")).kinds()]
        [[1, 0], [2, 0]]
        """
        return _kinds(self.elements, self.owner.tolist())

    @classmethod
    def of(cls, *blocks: tuple[str, int]) -> Self:
        """Make blocks from pairs of text and number of characters that can be clicked: for tests and examples."""
        length = np.array([len(text) for text, _ in blocks], np.int32)
        end = (np.cumsum(length + 1) - 1).astype(np.int32)
        rows: IntArray = np.arange(len(blocks), dtype=np.int32)
        links = np.array([link for _, link in blocks], np.int32)
        text = "\n".join(text for text, _ in blocks)
        return cls(text, end - length, end, rows < 0, links, Elements.none(), rows * 0, rows, rows + 1)

    def strings(self) -> list[str]:
        """Return the text of every block."""
        text = self.text
        return [text[start:end] for start, end in zip(self.start.tolist(), self.end.tolist(), strict=True)]


def cut(page: Page) -> Blocks:
    """Cut a page at its block-level elements; what comes after the page's limit on blocks is left out.

    >>> [(block.kind.label, block.text) for block in cut(Page.from_html("<h1>Title</h1>Some <i>text</i><ul><li>x"))]
    [('heading', 'Title'), ('paragraph', 'Some text'), ('list item', 'x')]
    """
    leaves = page.leaves
    first = np.flatnonzero(leaves.parted == NEW_BLOCK).astype(np.int32)
    last = np.append(first[1:], len(leaves)).astype(np.int32)[: len(first)]
    words = _with_words(page, first, last)
    limit = page.limits.blocks
    first, last = first[words][:limit], last[words][:limit]
    hidden, link_chars = _leaf_sums(leaves, first, last)
    return Blocks(
        page.text,
        leaves.start[first],
        leaves.end[last - 1],
        hidden,
        link_chars,
        page.elements,
        leaves.element[first],
        first,
        last,
        complete=int(np.count_nonzero(words)) <= limit,
    )


def _with_words(page: Page, first: IntArray, last: IntArray) -> BoolArray:
    """Tell which runs hold more than white space, as verbatim ones need not."""
    leaves = page.leaves
    kept = np.ones(len(first), np.bool_)
    for run in np.flatnonzero(leaves.state[first] & VERBATIM).tolist():
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


def _kinds(elements: Elements, owners: Sequence[int]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the kind and the level of blocks whose text begins in the elements `owners`."""
    tags, parents = elements.tag, elements.parent
    nearest = nearest_tables(elements) if "table" in tags else []
    layout = _layout_tables(elements, nearest) if nearest else frozenset()
    codes: dict[int, int] = {0: 0}
    for owner in owners:
        chain, index = [], owner
        while index not in codes:
            chain.append(index)
            index = parents[index]
        code = codes[index]
        # Down again from the nearest ancestor that is known; each element is looked at once.
        for index in reversed(chain):
            if (own := CODES.get(tags[index])) is not None:
                code = _code_below(code, own, is_cell=own != CELL or not nearest or nearest[index] not in layout)
            codes[index] = code
    found = np.fromiter([codes[owner] & 0xFFFF for owner in owners], np.uint16, len(owners))
    return (found & 0xFF).astype(np.uint8), (found >> 8).astype(np.uint8)


def _code_below(code: int, own: int, *, is_cell: bool) -> int:
    """Return the code of an element, given that of its parent and what its own tag says."""
    depth = code >> 16
    if own == DEEPER:
        return code + DEEPER
    if own == Kind.ITEM:
        return depth << 16 | min(depth, 0xFF) << 8 | own
    return depth << 16 | (own if is_cell else Kind.PARAGRAPH)


def _layout_tables(elements: Elements, nearest: Sequence[int]) -> frozenset[int]:
    """Return the tables that lay out the page: those that hold another table or a heading. Their cells are no cells."""
    inside = (table for tag, table in zip(elements.tag, nearest, strict=True) if tag == "table" or tag in HEADINGS)
    return frozenset(inside) - {-1}
