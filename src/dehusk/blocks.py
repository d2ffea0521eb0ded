"""Blocks: a page's text cut into contiguous runs, as columns; and the usual cut, at block-level elements."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Self, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import WORD_CLASSES
from dehusk.fast_blocks import BlockRow, block_columns, kind_codes
from dehusk.fast_repeats import fill_repeats
from dehusk.html_tables import HEADINGS, in_layout_table
from dehusk.page import Page
from dehusk.page.leaves import BoolArray, Elements, IntArray
from dehusk.page.walk_flags import NEW_BLOCK


class Kind(IntEnum):
    """What a block is on the page.

    >>> [kind.label for kind in Kind][:3]
    ['paragraph', 'heading', 'list item']
    """

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


# The nearest of these tags above a block's text gives its kind; without any it is a paragraph.
KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Kind.HEADING),
    **dict.fromkeys(("li", "dt", "dd"), Kind.ITEM),
    **dict.fromkeys(("td", "th"), Kind.CELL),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), Kind.CODE),
    "blockquote": Kind.QUOTE,
    **dict.fromkeys(("figcaption", "caption"), Kind.CAPTION),
    **dict.fromkeys(("button", "option", "select", "textarea", "legend", "label", "summary"), Kind.OTHER),
}
REPEATED_WORDS: Final = 8  # from which on the same text twice is no chance
NO_ROWS: Final[NDArray[np.uint8]] = np.zeros(0, np.uint8)
LISTS: Final = frozenset({"ul", "ol", "dl", "menu", "dir"})
# What an element passes on to the text below it, in one number: how many lists are around it, then a byte for the level
# and a byte for the kind.
DEEPER: Final = 1 << 16
CODES: Final[dict[str, int]] = {
    **{tag: int(kind) for tag, kind in KINDS.items()},
    **{tag: int(tag[1]) << 8 | Kind.HEADING for tag in HEADINGS},
    **dict.fromkeys(LISTS, DEEPER),
}


@dataclass(frozen=True, slots=True)
class Block:
    """One block as a value.

    >>> Blocks.of(("Home", 4), ("A plain sentence.", 0))[0]
    Block(text='Home', start=0, end=4, kind=<Kind.PARAGRAPH: 0>, level=0, hidden=False, link_chars=4)
    """

    text: str
    start: int
    end: int
    kind: Kind
    level: int  # of a heading 1 to 6, of a list item its depth, else 0
    hidden: bool
    link_chars: int


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Columns, one row per block, in document order.

    `text` is the page's; `first_leaf` and `last_leaf` (one past the end) are the leaves that a block extends over,
    `owner` the element that its text begins in. Kinds follow from the elements, and are computed on demand.
    As a sequence it has one `Block` per row: `blocks[0]`, `blocks[2:5]`, `for block in blocks`.

    >>> blocks = Blocks.of(("Home", 4), ("A plain sentence.", 0))
    >>> blocks
    Blocks(2 blocks, 21 characters: 'Home', 'A plain sentence.')
    >>> blocks[-1].text, [block.text for block in blocks[:1]], blocks.link_chars
    ('A plain sentence.', ['Home'], array([4, 0], dtype=int32))
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
        yield from self._rows(range(len(self)))

    @overload
    def __getitem__(self, index: SupportsIndex) -> Block: ...

    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Block | list[Block]:
        rows = range(len(self))
        if isinstance(index, slice):
            return list(self._rows(rows[index]))
        try:
            row = rows[index]
        except IndexError:
            raise IndexError(f"no block {index}: there are {len(self)}, counted from 0") from None
        return next(self._rows(range(row, row + 1)))

    def _rows(self, rows: range) -> Iterator[Block]:
        codes, indices = self.codes(list(rows)), np.array(rows, np.intp)
        columns = (column[indices].tolist() for column in (self.start, self.end, self.hidden, self.link_chars))
        for code, start, end, hidden, link in zip(codes, *columns, strict=True):
            yield Block(self.text[start:end], start, end, Kind(code & 0xFF), code >> 8 & 0xFF, hidden, link)

    def __repr__(self) -> str:
        shown = [
            repr(self.text[start : min(end, start + 40)]) for start, end in zip(self.start[:3], self.end, strict=False)
        ]
        characters = int((self.end - self.start).sum())
        texts = ", ".join(shown) + ", …" * (len(self) > len(shown))
        return f"Blocks({len(self)} blocks, {characters} characters{': ' * bool(texts)}{texts})"

    def kinds(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the kind and the level of every block.

        >>> [column.tolist() for column in cut(Page.from_html("<h2>a</h2><p>b")).kinds()]
        [[1, 0], [2, 0]]
        """
        codes = np.array(self.codes(), np.int32)
        return (codes & 0xFF).astype(np.uint8), (codes >> 8).astype(np.uint8)

    def codes(self, rows: list[int] | None = None) -> list[int]:
        """Return kind and level in one number, the level in its second byte, of the given blocks or of all.

        >>> cut(Page.from_html("<h2>a</h2><p>b")).codes([0]) == [2 << 8 | Kind.HEADING]
        True
        """
        rows = list(range(len(self))) if rows is None else rows
        codes = self._codes(rows, NO_ROWS)
        # Tables for layout matter only where a block is a cell, and finding them takes longer than all the rest.
        return self._codes(rows, in_layout_table(self.elements)) if int(Kind.CELL) in codes else codes

    def _codes(self, rows: list[int], in_layout: NDArray[np.uint8]) -> list[int]:
        tags, parents = self.elements.tag, self.elements.parents
        codes = np.full(len(tags), -1, np.int32)
        codes[0] = 0
        owner = np.ascontiguousarray(self.owner, np.int32)  # a method may have made another array of it
        return kind_codes(tags, parents, CODES, in_layout, owner, rows, codes, np.empty_like(codes))

    def repeats(self, among: BoolArray | None = None) -> IntArray:
        """Return for every block the index of the first block with the same text, -1 where there is none before it.

        Only blocks of eight words or more count, and of these only those `among` some, if that is given; in scripts
        without spaces two characters count as a word.

        >>> twice = "The same eight words appear here two times."
        >>> Blocks.of((twice, 0), ("Menu", 4), (twice, 0), ("Menu", 4)).repeats()
        array([-1, -1,  0, -1], dtype=int32)
        """
        eligible = np.ones(len(self), np.bool_) if among is None else np.ascontiguousarray(among)
        start, end = (np.ascontiguousarray(column, np.int32) for column in (self.start, self.end))
        repeats: IntArray = np.empty(len(self), np.int32)
        slots: IntArray = np.zeros(2 * len(self) + 1, np.int32)
        fill_repeats(self.text, start, end, eligible.view(np.uint8), WORD_CLASSES, REPEATED_WORDS, slots, repeats)
        return repeats

    @classmethod
    def of(cls, *blocks: tuple[str, int]) -> Self:
        """Make blocks from pairs of a text and its number of characters in links: for tests and examples."""
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
    return cut_at(page, page.leaves.gap == NEW_BLOCK)


def cut_at(page: Page, begins: BoolArray) -> Blocks:
    """Cut a page before the leaves that `begins` marks, each of which begins on a line of its own.

    >>> [block.text for block in cut_at(Page.from_html("<p>a<p>b<p>c"), np.array([True, False, True]))]
    ['a\\nb', 'c']
    """
    leaves, room = page.leaves, len(page.leaves)
    rows: IntArray = np.empty((len(BlockRow), room), np.int32)
    all_hidden: NDArray[np.uint8] = np.empty(room, np.uint8)
    spans = (leaves.start, leaves.end, leaves.element)
    count = block_columns(page.text, begins.view(np.uint8), leaves.state, *spans, rows, all_hidden)
    limit = min(count, page.limits.blocks)
    first_leaf, last_leaf, start, end, owner, link_chars = rows[:, :limit]  # in the order of `BlockRow`
    hidden = all_hidden[:limit].view(np.bool_)
    return Blocks(
        page.text, start, end, hidden, link_chars, page.elements, owner, first_leaf, last_leaf, complete=limit == count
    )
