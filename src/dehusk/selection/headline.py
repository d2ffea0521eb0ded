"""The headline: the block that says what the title of the piece says."""

import re
from bisect import bisect_right
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from dehusk.blocks import Block, Blocks, Kind
from dehusk.characters import UNSPACED
from dehusk.html_tables import HEADINGS
from dehusk.metadata.claims import Claims
from dehusk.metadata.fast_clean_text import folded, spans_saying
from dehusk.metadata.titles import PageHeading, Title, headings, repeated_heading, separators
from dehusk.page import Page, Span
from dehusk.page.leaves import BoolArray
from dehusk.page.walk_flags import LINKED
from dehusk.scores import Scores
from dehusk.selection import HeadlineChoice
from dehusk.whole_words import span_columns

MAX_LENGTH: Final = 300  # characters; what is longer is running text in the markup of a heading
# Share of words that an `h1` must have in common with a title that it does not repeat: below it more of the
# training pages of wcxb-dev have the title of the head as their gold title, from there on more have the `h1`.
MIN_COMMON_WORDS: Final = 0.2
LOWER_HEADINGS: Final = ("h2", "h3")
# What repeats a title and is no headline: the end of a path, a choice, an entry.
ITEMS: Final = frozenset(("button", "dd", "dt", "label", "legend", "li", "nav", "option", "select", "summary"))
MAX_LEVELS: Final = 50  # of ancestors that are looked at, which bounds the cost of hostile pages
TITLE_KINDS: Final = (int(Kind.PARAGRAPH), int(Kind.HEADING))
FIRST_HEADING: Final = 1 << 8 | Kind.HEADING  # as `Blocks.codes` has it
UNSPACED_CLASS: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
WORD: Final = re.compile(rf"[{UNSPACED_CLASS}]|[^\W_{UNSPACED_CLASS}]+")
MAX_LINES: Final = 50  # that have the words of a title in them


class Headline(NamedTuple):
    """The title of the piece, and the span of the page's text that says it; None if only the page's head does."""

    title: str
    span: Span | None


def find_headline(page: Page, kind: str | None, claims: Claims | None = None) -> Headline | None:
    """Return the headline of a page of some kind; `claims` saves reading those of its head again.

    >>> find_headline(Page.from_html("<title>Rain - The News</title><p>News<h1>Rain</h1><p>It rained."), None)
    Headline(title='Rain', span=(5, 9))
    """
    if page.tree is None:
        return None
    heading = repeated_heading(page)
    if heading is None:
        claims = claims or Claims(page, "", kind)
        title = claims.title
        if title is None or not 0 < len(title.text) <= MAX_LENGTH or folded(title.text) in claims.site_names:
            return None
        heading = _heading(page, title, claims, kind)
        if heading is None:
            span = _line(page, title.text)
            # What only the head of a front page says is the title of the site.
            return None if span is None and _is_front_page(page.url) else Headline(title.text, span)
    return _headline(page, heading)


def rows(blocks: Blocks, span: Span) -> range:
    """Return the indexes of the blocks that make up a span; none if these have more text outside of it than in it."""
    first, stop = int(np.searchsorted(blocks.end, span[0], "right")), int(np.searchsorted(blocks.start, span[1]))
    start, end = blocks.start[first:stop], blocks.end[first:stop]
    inside = np.minimum(end, span[1]) - np.maximum(start, span[0])
    return range(first, stop) if 2 * int(inside.sum()) >= int((end - start).sum()) else range(0)


def rows_saying(blocks: Blocks, headline: Headline) -> list[int]:
    """Return the indexes of the blocks that say a headline: its own, and headings and paragraphs that equal it.

    Where the page does not show the title, all headings of level 1 stand for it.
    """
    if headline.span is None:
        indexes = {index for index, code in enumerate(blocks.codes()) if code == FIRST_HEADING}
    else:
        indexes = set(rows(blocks, headline.span))
    equal = spans_saying(blocks.text, *span_columns(blocks), folded(headline.title), 2 * len(headline.title))
    if others := [index for index in equal if index not in indexes]:
        codes = zip(others, blocks.codes(others), strict=True)
        indexes.update(index for index, code in codes if code & 0xFF in TITLE_KINDS)
    return sorted(indexes)


def as_block(blocks: Blocks, indexes: range) -> Block | None:
    """Return some blocks in a row as one: a method may cut a headline at its tags."""
    if len(indexes) < 2:
        return blocks[indexes[0]] if indexes else None
    first, last = blocks[indexes[0]], blocks[indexes[-1]]
    link_chars = int(blocks.link_chars[indexes[0] : indexes[-1] + 1].sum())
    text = blocks.text[first.start : last.end]
    return Block(text, first.start, last.end, first.kind, first.level, first.hidden, link_chars)


def with_headline(kept: BoolArray, page: Page, blocks: Blocks, scores: Scores, choice: HeadlineChoice) -> BoolArray:
    """Return which blocks are kept after the headline was kept or dropped; a page without main text stays empty."""
    if choice == "auto" or not kept.any():
        return kept
    headline = find_headline(page, scores.verdict.kind if scores.verdict else None)
    if headline is not None and headline.span is not None:
        kept = kept.copy()
        for index in rows(blocks, headline.span):
            kept[index] = choice == "keep"
    return kept


def says_the_same(one: str, other: str) -> bool:
    """Return whether two texts are one title: equal, or the shorter is most of the longer or a part of it, in words.

    >>> says_the_same("Rain", "RAIN!"), says_the_same("Rain", "Rain | The News"), says_the_same("Rain", "Rainbow")
    (True, True, False)
    """
    short, long = sorted((one, other), key=len)
    name = folded(short)
    if not name or name in (folded(part) for part in (long, *separators(long).split(long))):
        return bool(name)
    words, whole = _spaced_words(short), _spaced_words(long)
    return words in whole and 2 * len(words) >= len(whole)


def _spaced_words(text: str) -> str:
    """Return the words of a text in lower case, each with a blank before and after it.

    >>> _spaced_words("Rain — again!"), _spaced_words("大雨")
    (' rain again ', ' 大 雨 ')
    """
    return f" {' '.join(WORD.findall(text.casefold()))} "


def _heading(page: Page, title: Title, claims: Claims, kind: str | None) -> PageHeading | None:
    """Return the heading that says a title: an `h1` that is like it, or one of the next levels that equals it."""
    candidates = [heading for heading in headings(page) if folded(heading.text) not in claims.site_names]
    for heading in candidates:
        if heading.leaf == title.leaf and title.origin == "heading":
            return heading
    for heading in candidates:
        if says_the_same(heading.text, title.text) or _common_words(heading.text, title.text) >= MIN_COMMON_WORDS:
            return heading
    if candidates and kind == "product":  # its name, whatever the head praises it as
        return candidates[0]
    name = folded(title.text)
    for tag in LOWER_HEADINGS:
        for heading in headings(page, tag):
            if folded(heading.text) == name:
                return heading
    return None


def _headline(page: Page, heading: PageHeading) -> Headline | None:
    """Return a heading with its span; None if it is too long for a headline."""
    leaves, tags, parents = page.leaves, page.elements.tag, page.elements.parent
    element = int(leaves.element[heading.leaf])
    while tags[element] not in HEADINGS:
        element = parents[element]
    start, stop = int(leaves.start[heading.leaf]), heading.leaf
    while stop < len(leaves) and leaves.end[stop] - start <= MAX_LENGTH and _is_in(stop, element, page):
        stop += 1
    if stop == heading.leaf or (stop < len(leaves) and _is_in(stop, element, page)):
        return None
    return Headline(heading.text, (start, int(leaves.end[stop - 1])))


def _is_in(leaf: int, element: int, page: Page) -> bool:
    owner, parents = int(page.leaves.element[leaf]), page.elements.parent
    for _ in range(MAX_LEVELS):
        if owner <= element:
            break
        owner = parents[owner]
    return owner == element


def _line(page: Page, title: str) -> Span | None:
    """Return where a line of the page is the title, and neither a link nor in a list or a form."""
    text, start = page.text, -1
    for _ in range(MAX_LINES):
        start = text.find(title, start + 1)
        end = start + len(title)
        if start < 0:
            break
        if text[start - 1 : start] in ("", "\n") and text[end : end + 1] in ("", "\n"):
            leaf = bisect_right(page.leaves.start, start) - 1
            if not page.leaves.state[leaf] & LINKED and not _is_item(page, int(page.leaves.element[leaf])):
                return start, end
    return None


def _is_item(page: Page, element: int) -> bool:
    for _ in range(MAX_LEVELS):
        if element <= 0:
            break
        if page.elements.tag[element] in ITEMS:
            return True
        element = page.elements.parent[element]
    return False


def _is_front_page(url: str | None) -> bool:
    try:
        parts = urlsplit(url or "about:blank")
    except ValueError:  # such as "http://[half an IPv6 address"
        return False
    return parts.path in ("", "/") and not parts.query


def _common_words(one: str, other: str) -> float:
    left, right = set(one.casefold().split()), set(other.casefold().split())
    return len(left & right) / len(left | right)
