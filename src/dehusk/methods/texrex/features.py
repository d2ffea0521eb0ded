"""texrex's features: 37 numbers per block, as the paper defines them or as the original program counts them.

Where the program of 2016 differs from table 1 of its paper, `quirks` returns the program's numbers, because its
author's nets and vectors were made with them:

    characters      the program counts one too few; its shares of letters, digits… are shares of what is not blank
    letters         only those of scripts with capitals
    container       the tag that began the block, opening or closing; in the paper the element around it
    anchors         every tag whose name begins with a; in the paper those with an address
    tags            those left over in the text; in the paper those of the block
    years           2000 to 2019, not at the start of a block; here 1900 to 2099
    sentences       end with . ? or ! before white space; here in every script, and with closing quotation marks
    hashtags        never counted in its default setting
    empty blocks    pass their tags on to the next block; comments count as opening tags
    document        its share of text; in the paper that of markup
    windows         means of the blocks' shares, where the edge of the page replaces the blocks beyond it

Texts are those of the page; the program replaced addresses by placeholders before it counted characters, and left out
`form` and `code`, which are kept here.
"""

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut_at
from dehusk.characters import BEYOND, class_table
from dehusk.fast_hash_table import build_table
from dehusk.features import Ints, Longs, Matrix
from dehusk.methods.texrex.fast_characters import Count, Mark, count_characters
from dehusk.methods.texrex.fast_tags import Boundary, Flag, find_containers, match_leaves, name_key, scan_source
from dehusk.page import Page
from dehusk.page.walk_flags import NEW_BLOCK

NAMES: Final = (
    "Length", "PageProp", "PercText", "PercDiv", "DocMarkupProp", "MarkupProp", "PunctProp", "LetterProp",
    "NumberProp", "TagProp", "EmailProp", "UriProp", "HashProp", "YearProp", "AnchorProp", "UpperProp", "SentBogus",
    "SentLength", "SentCount", "Copy", "EndsPunct", "DtXhtml", "DtHtml4", "DtHtml5", "ContArticle", "ContSection",
    "ContDiv", "ContP", "ContH", "ContBlock", "ContTd", "ContLi", "ContClose", "OpenProp", "SkippedDivs", "Window1",
    "Window2",
)  # fmt: skip
CONTAINERS: Final = {
    "ContArticle": ("article",), "ContSection": ("section",), "ContDiv": ("div",), "ContP": ("p",),
    "ContH": ("h1", "h2", "h3", "h4", "h5", "h6"), "ContBlock": ("blockquote",), "ContTd": ("td",), "ContLi": ("li",),
}  # fmt: skip
CONTAINER_NUMBERS: Final = {tag: number for number, tags in enumerate(CONTAINERS.values(), 1) for tag in tags}
TAG_FLAGS: Final[dict[str, int]] = {
    **CONTAINER_NUMBERS,
    **dict.fromkeys(("script", "style", "template", "title", "iframe", "noembed"), Flag.NO_TEXT),
    "a": Flag.ANCHOR,
}

# Unicode's Sentence_Terminal in scripts of today, and the ellipsis.
STOPS: Final = frozenset(".!?…‼⁇⁈⁉‽։؟۔܀܁܂।॥၊။።፧፨។៕᠃᠉᥄᥅᪨᪩᭚᭛᭞᭟᰻᰼᱾᱿⸮꓿꘎꘏꛳꛷꡶꡷꧈꧉꩝꩞꩟꫰꫱꯫\u037e\u061e\u07f9")
STOPS_ANYWHERE: Final = frozenset("。！？｡．﹒﹖﹗")

Floats = NDArray[np.float64]
Rows = dict[str, Floats | NDArray[np.bool_] | float]


def cut(page: Page) -> Blocks:
    """Cut a page where one of texrex's containers begins or ends; nothing is left out.

    >>> cut(Page.from_html("<div>One <b>two</b><ul>three<li>four</ul><table><th>five<th>six")).strings()
    ['One two\\nthree', 'four', 'five\\nsix']
    """
    leaves = page.leaves
    edge = leaves.gap == NEW_BLOCK
    if page.tree and len(leaves):
        nearest, kinds = _containers(page)
        nearest = nearest[leaves.element]
        before = np.cumsum(kinds > 0)[leaves.opened - 1]
        # A container was opened in between, or one was closed, which leaves another one as the nearest.
        edge[1:] &= (np.diff(before) > 0) | (np.diff(nearest) != 0)
    return cut_at(page, edge)


def texrex_features(page: Page, blocks: Blocks, *, quirks: bool = False) -> Matrix:
    """Return one row per name in `NAMES` and one column per block.

    >>> page = Page.from_html("<!doctype html><ul><li><a href=/>Home</a></ul><p>It rained. We stayed in.</p>")
    >>> matrix = texrex_features(page, cut(page))
    >>> [(name, [f"{value:g}" for value in matrix[NAMES.index(name)]]) for name in ("Length", "AnchorProp", "ContLi")]
    [('Length', ['0.004', '0.024']), ('AnchorProp', ['0.25', '0']), ('ContLi', ['1', '0'])]
    """
    matrix: Matrix = np.zeros((len(NAMES), len(blocks)), np.float32)
    if len(blocks):
        counts = _count(page, blocks, quirks=quirks)
        rows = _position(page, counts, quirks=quirks) | _characters(counts, quirks=quirks)
        rows |= _structure(page, blocks, counts, quirks=quirks) | _windows(counts, quirks=quirks)
        for row, name in zip(matrix, NAMES, strict=True):
            row[:] = rows[name]
    return matrix


@dataclass(frozen=True, slots=True, eq=False)
class BlockCounts:
    """What is counted in each block, before anything is divided by anything."""

    characters: Floats
    raw: Floats  # characters of its source, from the tag that begins it to the end of the next
    text: Floats  # one row per `Count`
    tags: Floats  # one row per `Boundary`: how many there are in the block
    before: Ints  # one column per `Boundary`: that which begins the block
    skipped: Floats  # empty blocks before it

    @property
    def markup(self) -> Floats:
        """The share of its source that is not text."""
        return (self.raw - self.characters) / self.raw


def _count(page: Page, blocks: Blocks, *, quirks: bool) -> BlockCounts:
    text: Ints = np.zeros((len(blocks), len(Count)), np.int32)
    count_characters(blocks.text, blocks.start, blocks.end, _classes(), text)
    length = (blocks.end - blocks.start).astype(np.float64)
    boundaries, before = _boundaries(page)
    first, last = before[blocks.first_leaf], before[blocks.last_leaf - 1]
    ended = np.append(0, last[:-1])  # the boundary that ended the block before
    # Nodes that the parser moved can come before the ones they follow.
    skipped = np.maximum(first - 1 - ended, 0)
    since = np.where(skipped > 0, ended, first - 1) if quirks else first - 1
    tags = np.maximum(boundaries[last] - boundaries[since], 0)
    raw = np.maximum(boundaries[last, Boundary.END] - boundaries[first - 1, Boundary.END], 0).astype(np.float64)
    # The program misses the last character of a text and the last character of the tag that ends it.
    characters = np.maximum(length - 1, 1) if quirks else length
    raw = np.maximum(raw - 1, 1) if quirks else np.maximum(raw, length)
    floats, tag_floats = text.T.astype(np.float64), tags.T.astype(np.float64)
    return BlockCounts(characters, raw, floats, tag_floats, boundaries[first - 1], skipped)


def _boundaries(page: Page) -> tuple[Ints, Ints]:
    """Return the boundaries in a page's source, and the number of those before each leaf, which is at least 1."""
    leaves = page.leaves
    if page.tree is None:
        # Lines of plain text: each is ended by the character after it.
        ends = np.append(0, leaves.end + 1)
        boundaries: Ints = np.zeros((len(ends), len(Boundary)), np.int32)
        boundaries[:, Boundary.END] = ends
        return boundaries, np.arange(1, len(leaves) + 1, dtype=np.int32)
    # An element has two tags at most, a leaf one run; twice that leaves room for tags that the parser ignored. If even
    # that is not enough, the rest of the page counts as the source of one block.
    room = 4 * (len(page.elements) + len(leaves)) + 64
    run_start, run_row = np.empty(room, np.int32), np.empty(room, np.int32)
    boundaries = np.zeros((room, len(Boundary)), np.int32)
    codes = np.frombuffer(page.html.encode("utf-32-le"), np.uint32)
    runs, count = scan_source(codes, *_tag_table(), run_start, run_row, boundaries)
    before: Ints = np.ones(len(leaves), np.int32)
    match_leaves(page.text, leaves.start, leaves.end, codes, run_start[:runs], run_row[:runs], before)
    return boundaries[:count], np.maximum(before, 1)


def _position(page: Page, counts: BlockCounts, *, quirks: bool) -> Rows:
    """Return how long a block is, and where in the page it is."""
    characters = counts.characters
    count, total = len(characters), characters.sum()
    share = min(total / max(len(page.html), 1), 1)
    return {
        "Length": np.minimum(characters, 1000) / 1000,
        "PageProp": characters / total,
        "PercText": 2 * np.abs((np.cumsum(characters) - characters / 2) / total - 0.5),
        # The program never reaches the last index; a page of one block is all edge, or all middle.
        "PercDiv": 2 * np.abs(np.arange(count) / (count if quirks else max(count - 1, 1)) - 0.5),
        "DocMarkupProp": share if quirks else 1 - share,
        "MarkupProp": counts.markup,
    }


def _characters(counts: BlockCounts, *, quirks: bool) -> Rows:
    """Return what the characters of a block tell."""
    text, tags, characters = counts.text, counts.tags, counts.characters
    visible = np.maximum(characters - text[Count.BLANK], 1) if quirks else characters
    cased = text[Count.UPPER] + text[Count.LOWER]
    letters = cased if quirks else cased + text[Count.LETTER]
    ends = text[Count.SENTENCES_QUIRK if quirks else Count.SENTENCES]
    sentences = np.maximum(ends, 1)
    length = characters / sentences
    every_tag = tags[Boundary.OPENING_TAGS] + tags[Boundary.CLOSING_TAGS]
    return {
        "PunctProp": text[Count.PUNCTUATION] / characters,
        "LetterProp": letters / visible,
        "NumberProp": text[Count.NUMBER] / visible,
        "TagProp": (text[Count.LITERAL_TAGS] if quirks else every_tag) / visible,
        "EmailProp": text[Count.MAILS] / visible,
        "UriProp": text[Count.URIS] / visible,
        "HashProp": 0 if quirks else text[Count.HASHTAGS] / visible,
        "YearProp": text[Count.YEARS_QUIRK if quirks else Count.YEARS] / visible,
        "AnchorProp": tags[Boundary.NAMES_WITH_A if quirks else Boundary.HREFS] / visible,
        "UpperProp": text[Count.UPPER] / np.maximum(letters, 1),
        "SentBogus": ends == 0,
        "SentLength": np.minimum(np.floor(length) if quirks else length, 100) / 100,
        "SentCount": np.minimum(sentences, 10) / 10,
        "Copy": text[Count.COPYRIGHT] > 0,
        "EndsPunct": text[Count.ENDS_QUIRK if quirks else Count.ENDS],
    }


def _structure(page: Page, blocks: Blocks, counts: BlockCounts, *, quirks: bool) -> Rows:
    """Return what the doctype and the tags tell."""
    container = counts.before[:, Boundary.CONTAINER]
    if page.tree is not None and not quirks:
        nearest, kinds = _containers(page)
        container = kinds[nearest][blocks.owner]
    opening, closing = counts.tags[Boundary.OPENING_TAGS], counts.tags[Boundary.CLOSING_TAGS]
    if quirks:
        opening = opening + counts.tags[Boundary.COMMENTS]
    return {
        "DtXhtml": page.doctype == "xhtml",
        "DtHtml4": page.doctype == "html4",
        "DtHtml5": page.doctype == "html5",
        **{name: container == number for number, name in enumerate(CONTAINERS, 1)},
        "ContClose": counts.before[:, Boundary.CLOSES] > 0,
        "OpenProp": opening / np.maximum(opening + closing, 1),
        "SkippedDivs": np.minimum(counts.skipped, 20) / 20,
    }


def _windows(counts: BlockCounts, *, quirks: bool) -> Rows:
    """Return the share of markup of a block together with one and two neighbours on each side."""
    if quirks:
        # Means of the feature, which has 32 bits.
        narrow, wide = _program_windows(counts.markup.astype(np.float32).astype(np.float64))
        return {"Window1": narrow, "Window2": wide}
    rows: Rows = {}
    for name, width in (("Window1", 1), ("Window2", 2)):
        raw, text = (_windowed(column, width) for column in (counts.raw, counts.characters))
        rows[name] = (raw - text) / raw
    return rows


def _windowed(values: Floats, width: int) -> Floats:
    """Return the sum of each value and its neighbours, up to `width` on each side.

    >>> _windowed(np.array([1.0, 2.0, 4.0]), 1)
    array([3., 7., 6.])
    """
    totals = np.append(0, np.cumsum(values))
    index = np.arange(len(values))
    windowed: Floats = totals[np.minimum(index + width + 1, len(values))] - totals[np.maximum(index - width, 0)]
    return windowed


def _program_windows(share: Floats) -> tuple[Floats, Floats]:
    """Return the windows as the program has them: the edge is repeated beyond it, in the wider window only in part.

    >>> [window.round(2).tolist() for window in _program_windows(np.array([0.0, 0.3, 0.6, 0.9]))]
    [[0.1, 0.3, 0.6, 0.8], [0.18, 0.36, 0.54, 0.66]]
    """
    count = len(share)
    index = np.arange(count)
    three = share[np.maximum(index - 1, 0)] + share + share[np.minimum(index + 1, count - 1)]
    left = np.where(index < 2, share[0], share[np.maximum(index - 2, 0)])
    # Near the right edge the left half is overwritten, not added to.
    both = np.where(index > count - 3, share[-1], left + share[np.minimum(index + 2, count - 1)])
    return three / 3, (three + both) / 5


def _containers(page: Page) -> tuple[Ints, Ints]:
    """Return each element's nearest container, itself included, and its own kind of container, 0 for none."""
    elements = page.elements
    kinds: Ints = np.zeros(len(elements), np.int32)
    nearest: Ints = np.zeros(len(elements), np.int32)
    find_containers(elements.tag, elements.parents, CONTAINER_NUMBERS, kinds, nearest)
    return nearest, kinds


@cache
def _tag_table() -> tuple[Longs, Ints]:
    """Return the hash table of `TAG_FLAGS`: at most a quarter full, so that most searches end at once."""
    keys = [name_key(np.frombuffer(f"{tag}>".encode("utf-32-le"), np.uint32), 0) for tag in TAG_FLAGS]
    return build_table(np.array(keys, np.int64), np.array([*TAG_FLAGS.values()], np.int32), 127)


@cache
def _classes() -> NDArray[np.uint8]:
    """Return the class of every character, and eight times its mark; what is between these ranges are letters."""
    ranges = [(0, 0x33FF), (0xA000, 0xABFF), (0xD800, 0xFFFF)]
    by_category = (lambda character: _class_of(character) + 8 * _mark_of(character), ranges)
    return class_table(Count.LETTER, by_category, (Count.OTHER, [(BEYOND, BEYOND)]))


def _mark_of(character: str) -> int:
    """Return the mark of a character, 0 if it has none.

    >>> [int(_mark_of(character)) for character in "a.。”«)"]
    [0, 1, 2, 3, 3, 3]
    """
    if character in STOPS:
        return Mark.STOP
    if character in STOPS_ANYWHERE:
        return Mark.STOP_ANYWHERE
    # Which quotation marks close depends on the language: German closes with the one that English opens with.
    closes = character in "\"'" or unicodedata.category(character) in ("Pe", "Pf", "Pi")
    return Mark.CLOSING if closes else 0


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
