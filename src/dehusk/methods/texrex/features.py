"""texrex's features: 37 numbers a block, as the paper defines them, or as the original program counted them.

Schäfer: Accurate and efficient general-purpose boilerplate detection for crawled web corpora. LREV 2017, table 1. Where
the program of 2016 does something else than its paper says, `quirks` gives the program's numbers, since its author's
nets and vectors are made of them:

    characters      the program counts one too few; its shares of letters, digits… are shares of what is no blank
    letters         only those of scripts with capitals
    container       the tag that began the block, opening or closing; the paper has the element round it
    anchors         every tag whose name begins with a; the paper has those with an address
    tags            those left over in the text; the paper has those of the block
    years           2000 to 2019, not at the start of a block; here 1900 to 2099
    hashtags        never counted in its default setting
    empty blocks    pass their tags on to the next block; comments are opening tags
    document        its share of text; the paper has that of markup
    windows         means of the blocks' shares, where a page's edge takes the place of what it cuts off

Texts are those of the page; the program put placeholders in the place of addresses before it counted characters, and
left out `form` and `code`, which are kept here.
"""

import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut_at
from dehusk.characters import BEYOND, class_table
from dehusk.features import Ints, Longs, Matrix
from dehusk.methods.texrex.fast_features import containers, count_characters, match_leaves, scan
from dehusk.page import Page
from dehusk.page.leaves import NEW_BLOCK

NAMES: Final = (
    "Length", "PageProp", "PercText", "PercDiv", "DocMarkupProp", "MarkupProp", "PunctProp", "LetterProp",
    "NumberProp", "TagProp", "EmailProp", "UriProp", "HashProp", "YearProp", "AnchorProp", "UpperProp", "SentBogus",
    "SentLength", "SentCount", "Copy", "EndsPunct", "DtXhtml", "DtHtml4", "DtHtml5", "ContArticle", "ContSection",
    "ContDiv", "ContP", "ContH", "ContBlock", "ContTd", "ContLi", "ContClose", "OpenProp", "SkippedDivs", "Window1",
    "Window2",
)  # fmt: skip
CONTAINERS: Final = (
    ("article",), ("section",), ("div",), ("p",), ("h1", "h2", "h3", "h4", "h5", "h6"), ("blockquote",), ("td",),
    ("li",),
)  # fmt: skip
DOCTYPES: Final = ("xhtml", "html4", "html5")
FIRST_DOCTYPE: Final = NAMES.index("DtXhtml")
FIRST_CONTAINER: Final = NAMES.index("ContArticle")
# How far ahead a leaf's place in the source is looked for. On 200 pages of wcxb-dev 98.9 % of the leaves are found.
FAR: Final = 16

# What `scan` knows of tags, beside the numbers of containers.
NO_TEXT: Final = 16
ANCHOR: Final = 32
NUMBERS: Final = {tag: number for number, tags in enumerate(CONTAINERS, 1) for tag in tags}
FACTS: Final = {
    **NUMBERS,
    **dict.fromkeys(("script", "style", "template", "title", "iframe", "noembed"), NO_TEXT),
    "a": ANCHOR,
}

Floats = NDArray[np.float64]


class Count(IntEnum):
    """The columns that `count_characters` fills in; the first seven are the classes of characters."""

    BLANK = 0
    UPPER = 1
    LOWER = 2
    LETTER = 3  # without capitals
    NUMBER = 4
    PUNCTUATION = 5
    OTHER = 6
    SENTENCES = 7
    COPYRIGHT = 8
    YEARS = 9
    YEARS_QUIRK = 10
    MAILS = 11
    URIS = 12
    HASHTAGS = 13
    LITERAL_TAGS = 14
    ENDS = 15


class Tag(IntEnum):
    """The columns of breaks that `scan` fills in."""

    END = 0
    OPENED = 1
    CLOSED = 2
    HREFS = 3
    BEGIN_WITH_A = 4
    COMMENTS = 5
    CONTAINER = 6
    CLOSES = 7


def cut(page: Page) -> Blocks:
    """Cut a page where one of texrex's containers begins or ends; nothing is left out.

    >>> cut(Page.from_html("<div>One <b>two</b><ul>three<li>four</ul><table><th>five<th>six")).strings()
    ['One two\\nthree', 'four', 'five\\nsix']
    """
    leaves = page.leaves
    edge = leaves.parted == NEW_BLOCK
    if page.tree and len(leaves):
        nearest, kinds = _containers(page)
        nearest = nearest[leaves.element]
        before = np.cumsum(kinds > 0)[leaves.opened - 1]
        # Whatever was opened or closed in between: what only closed leaves another container as the nearest one.
        edge[1:] &= (np.diff(before) > 0) | (np.diff(nearest) != 0)
    return cut_at(page, edge)


def texrex_features(page: Page, blocks: Blocks, *, quirks: bool = False) -> Matrix:
    """Return one row a name in `NAMES` and one column a block.

    >>> page = Page.from_html("<!doctype html><ul><li><a href=/>Home</a></ul><p>It rained. We stayed in.</p>")
    >>> found = texrex_features(page, cut(page))
    >>> [(name, [f"{value:g}" for value in found[NAMES.index(name)]]) for name in ("Length", "AnchorProp", "ContLi")]
    [('Length', ['0.004', '0.024']), ('AnchorProp', ['0.25', '0']), ('ContLi', ['1', '0'])]
    """
    count = len(blocks)
    matrix: Matrix = np.zeros((len(NAMES), count), np.float32)
    if not count:
        return matrix
    facts = _facts(page, blocks, quirks=quirks)
    _place(matrix, page, facts, quirks=quirks)
    _text(matrix, facts, quirks=quirks)
    _structure(matrix, page, blocks, facts, quirks=quirks)
    _windows(matrix, facts, quirks=quirks)
    return matrix


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What is counted of each block before anything is divided by anything."""

    characters: Floats
    raw: Floats  # of its source, from the tag that begins it to the end of the next
    counts: Floats  # a row a `Count`
    tags: Floats  # a row a `Tag`, of those in the block
    start: Ints  # a row a `Tag`, of the break that begins it
    skipped: Floats  # empty blocks before it


def _facts(page: Page, blocks: Blocks, *, quirks: bool) -> Facts:
    counts: Ints = np.zeros((len(blocks), len(Count)), np.int32)
    count_characters(blocks.text, blocks.start, blocks.end, _classes(), counts)
    length = (blocks.end - blocks.start).astype(np.float64)
    breaks, before = _source(page)
    first, last = before[blocks.first_leaf], before[blocks.last_leaf - 1]
    ended = np.append(0, last[:-1])  # by which break the block before was ended
    # Nodes that the parser moved can stand before what is before them.
    skipped = np.maximum(first - 1 - ended, 0)
    since = np.where(skipped > 0, ended, first - 1) if quirks else first - 1
    tags = np.maximum(breaks[last] - breaks[since], 0)
    raw = np.maximum(breaks[last, Tag.END] - breaks[first - 1, Tag.END], 0).astype(np.float64)
    # The program is one short in both: the last character of a text, and the last of the tag that ends it.
    characters = np.maximum(length - 1, 1) if quirks else length
    raw = np.maximum(raw - 1, 1) if quirks else np.maximum(raw, length)
    return Facts(characters, raw, counts.T.astype(np.float64), tags.T.astype(np.float64), breaks[first - 1], skipped)


def _source(page: Page) -> tuple[Ints, Ints]:
    """Return the breaks of a page's source, and of each leaf the number of those before it, which is at least 1."""
    leaves = page.leaves
    before: Ints = np.ones(len(leaves), np.int32)
    if page.tree is None:
        # Lines of plain text: each is ended by the character after it.
        ends = np.append(0, leaves.end + 1)
        breaks: Ints = np.zeros((len(ends), len(Tag)), np.int32)
        breaks[:, Tag.END] = ends
        return breaks, np.arange(1, len(leaves) + 1, dtype=np.int32)
    # Every element has two tags at most, every leaf a run; tags that the parser threw away get as much again. Where
    # even that is not enough, the rest of the page counts as one block's source.
    room = 4 * (len(page.elements) + len(leaves)) + 64
    runs: Ints = np.empty((room, 2), np.int32)
    breaks = np.zeros((room, len(Tag)), np.int32)
    found: Ints = np.zeros(2, np.int32)
    codes = np.frombuffer(page.html.encode("utf-32-le"), np.uint32)
    scan(codes, *_names(), runs, breaks, found)
    match_leaves(page.text, leaves.start, leaves.end, codes, runs, int(found[0]), FAR, before)
    return breaks[: found[1]], np.maximum(before, 1)


def _place(matrix: Matrix, page: Page, facts: Facts, *, quirks: bool) -> None:
    """Fill in how long a block is, and where it stands."""
    characters, raw = facts.characters, facts.raw
    count, total = len(characters), characters.sum()
    matrix[0] = np.minimum(characters, 1000) / 1000
    matrix[1] = characters / total
    matrix[2] = 2 * np.abs((np.cumsum(characters) - characters / 2) / total - 0.5)
    # The program never reaches the last place; a page of one block is all edge, or all middle.
    matrix[3] = 2 * np.abs(np.arange(count) / (count if quirks else max(count - 1, 1)) - 0.5)
    share = min(total / max(len(page.html), 1), 1)
    matrix[4] = share if quirks else 1 - share
    matrix[5] = (raw - characters) / raw


def _text(matrix: Matrix, facts: Facts, *, quirks: bool) -> None:
    """Fill in what is told by characters."""
    counts, characters = facts.counts, facts.characters
    dark = np.maximum(characters - counts[Count.BLANK], 1) if quirks else characters
    cased = counts[Count.UPPER] + counts[Count.LOWER]
    letters = cased if quirks else cased + counts[Count.LETTER]
    opened = facts.tags[Tag.OPENED] + facts.tags[Tag.CLOSED]
    matrix[6] = counts[Count.PUNCTUATION] / characters
    matrix[7] = letters / dark
    matrix[8] = counts[Count.NUMBER] / dark
    matrix[9] = (counts[Count.LITERAL_TAGS] if quirks else opened) / dark
    matrix[10] = counts[Count.MAILS] / dark
    matrix[11] = counts[Count.URIS] / dark
    matrix[12] = 0 if quirks else counts[Count.HASHTAGS] / dark
    matrix[13] = counts[Count.YEARS_QUIRK if quirks else Count.YEARS] / dark
    matrix[14] = facts.tags[Tag.BEGIN_WITH_A if quirks else Tag.HREFS] / dark
    matrix[15] = counts[Count.UPPER] / np.maximum(letters, 1)
    ends = counts[Count.SENTENCES]
    sentences = np.maximum(ends, 1)
    matrix[16] = ends == 0
    length = characters / sentences
    matrix[17] = np.minimum(np.floor(length) if quirks else length, 100) / 100
    matrix[18] = np.minimum(sentences, 10) / 10
    matrix[19] = counts[Count.COPYRIGHT] > 0
    matrix[20] = counts[Count.ENDS]


def _structure(matrix: Matrix, page: Page, blocks: Blocks, facts: Facts, *, quirks: bool) -> None:
    """Fill in what is told by tags."""
    if page.doctype in DOCTYPES:
        matrix[FIRST_DOCTYPE + DOCTYPES.index(page.doctype)] = 1
    if quirks or page.tree is None:
        container = facts.start[:, Tag.CONTAINER]
    else:
        nearest, kinds = _containers(page)
        container = kinds[nearest][blocks.owner]
    inside = np.flatnonzero(container)
    matrix[FIRST_CONTAINER - 1 + container[inside], inside] = 1
    matrix[32] = facts.start[:, Tag.CLOSES]
    opened, closed = facts.tags[Tag.OPENED], facts.tags[Tag.CLOSED]
    if quirks:
        opened = opened + facts.tags[Tag.COMMENTS]
    matrix[33] = opened / np.maximum(opened + closed, 1)
    matrix[34] = np.minimum(facts.skipped, 20) / 20


def _windows(matrix: Matrix, facts: Facts, *, quirks: bool) -> None:
    """Fill in the share of markup of a block with its neighbours, one and two on each side."""
    if quirks:
        matrix[35], matrix[36] = _quirky_windows(matrix[5].astype(np.float64))
        return
    for row, width in ((35, 1), (36, 2)):
        raw, text = (_windowed(column, width) for column in (facts.raw, facts.characters))
        matrix[row] = (raw - text) / raw


def _windowed(values: Floats, width: int) -> Floats:
    """Add up each value and `width` on each side, as far as there are any.

    >>> _windowed(np.array([1.0, 2.0, 4.0]), 1)
    array([3., 7., 6.])
    """
    totals = np.append(0, np.cumsum(values))
    places = np.arange(len(values))
    windowed: Floats = totals[np.minimum(places + width + 1, len(values))] - totals[np.maximum(places - width, 0)]
    return windowed


def _quirky_windows(share: Floats) -> tuple[Floats, Floats]:
    """Return the windows as the program has them: beyond an edge stands the edge again, in the wider one only half.

    >>> [window.round(2).tolist() for window in _quirky_windows(np.array([0.0, 0.3, 0.6, 0.9]))]
    [[0.1, 0.3, 0.6, 0.8], [0.18, 0.36, 0.54, 0.66]]
    """
    count = len(share)
    places = np.arange(count)
    three = share[np.maximum(places - 1, 0)] + share + share[np.minimum(places + 1, count - 1)]
    left = np.where(places < 2, share[0], share[np.maximum(places - 2, 0)])
    # Near the right edge the left half is written over, not added to.
    both = np.where(places > count - 3, share[-1], left + share[np.minimum(places + 2, count - 1)])
    return three / 3, (three + both) / 5


def _containers(page: Page) -> tuple[Ints, Ints]:
    """Return of each element the nearest container, itself included, and its own kind of container, 0 for none."""
    elements = page.elements
    kinds: Ints = np.zeros(len(elements), np.int32)
    nearest: Ints = np.zeros(len(elements), np.int32)
    containers(elements.tag, elements.parents, NUMBERS, kinds, nearest)
    return nearest, kinds


@cache
def _names() -> tuple[Longs, Ints]:
    """Return the table by which `scan` finds tag names: at most a quarter full, so that most searches end at once."""
    keys: Longs = np.zeros(127, np.int64)
    values: Ints = np.zeros(127, np.int32)
    for tag, fact in FACTS.items():
        key = 0
        for letter in tag:
            key = key * 37 + (ord(letter) - 21 if letter.isdigit() else ord(letter) - 96)
        place = key % len(keys)
        while keys[place]:
            place = (place + 1) % len(keys)
        keys[place], values[place] = key, fact
    return keys, values


@cache
def _classes() -> NDArray[np.uint8]:
    """Return the class of every character; what is between these ranges are letters."""
    by_category = (_class_of, [(0, 0x33FF), (0xA000, 0xABFF), (0xD800, 0xFFFF)])
    return class_table(Count.LETTER, by_category, (Count.OTHER, [(BEYOND, BEYOND)]))


def _class_of(character: str) -> Count:
    """Return the class of a character.

    >>> [_class_of(character).name for character in "Aa木7.+ "]
    ['UPPER', 'LOWER', 'LETTER', 'NUMBER', 'PUNCTUATION', 'OTHER', 'BLANK']
    """
    if character.isspace():
        return Count.BLANK
    category = unicodedata.category(character)
    known = {"Lu": Count.UPPER, "Ll": Count.LOWER}
    major = {"L": Count.LETTER, "N": Count.NUMBER, "P": Count.PUNCTUATION}
    return known.get(category) or major.get(category[0], Count.OTHER)
