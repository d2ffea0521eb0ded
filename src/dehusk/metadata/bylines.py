"""Bylines: who wrote a piece, as readers are told near its title."""

import re
from itertools import groupby, islice
from typing import TYPE_CHECKING, Final

from dehusk.metadata.around import LONGEST, Line
from dehusk.metadata.beginnings import Beginnings
from dehusk.metadata.dates import written
from dehusk.metadata.names import BY, BY_WORDS, shown
from dehusk.page.fast_scan import Marks

if TYPE_CHECKING:
    from dehusk.page import Page

# What attributes say where a name is; looked for in lower case, with a blank on either side.
MARKS: Final = (
    "author", "byline", " by-", "writer", "auteur", " autor ", "autor-", "-autor", "autor_", "_autor", "username",
    "user-name", "creator", "postedby", "posted-by", "writtenby", "written-by", "p-name",
)  # fmt: skip
# Each of them holds one of these, so that most elements are passed at once.
HINTS: Final = ("by", "aut", "user", "writ", "creat", "p-name")
# … and where something else is: about the author, or of another one.
OTHERS: Final = (
    "bio", "desc", "avatar", "image", "social", "comment", "related", "count", "job", "role", "position", "company",
    "authority", "reviewer", "editor",
)  # fmt: skip
WITHIN: Final = re.compile(
    rf"(?:^|[\d|•·⋅●∙,:]\s?|\s[-–—]\s|(?=started by))(?={BY}[\s:：]|by(?-i:[A-Z][a-z]))", re.IGNORECASE
)
# Under a piece, at the start of a line; "by" alone would find quotations there.
SIGNED: Final = (
    "written by", "authored by", "words by", "story by", "article by", "post by", "this post was written by",
    "this article was written by", "author", "autor", "autorin", "écrit par", "escrito por", "scritto da",
    "geschreven door", "автор",
)  # fmt: skip
BEGINNINGS: Final = Beginnings(SIGNED)
MOST: Final = 50  # such lines that are looked at
GLUED: Final = ("By", "by", "作者", "記者", "记者", "文", "著者", "글")


def byline(page: "Page", lines: list[Line]) -> tuple[str, ...]:
    """Return the names in the byline that stands nearest to the title.

    >>> from dehusk.metadata.around import lines_around
    >>> from dehusk.page import Page
    >>> page = Page.from_html("<h1>Title</h1><p class=byline><a>Ann Example</a> 2 May 2024")
    >>> byline(page, lines_around(page, 0))
    ('Ann Example',)
    """
    elements, holders = page.elements, page.leaves.element
    marks = Marks(elements.node, elements.parent, holders, HINTS, MARKS, OTHERS)
    place, owners, says = marks.next_named(lines, 0, BY_WORDS, GLUED)
    while place < len(lines):
        text, first, _, _ = lines[place]
        if owners and (names := _named(page, first, owners, marks)):
            return names
        if says and (names := _said(text)):
            return names
        place, owners, says = marks.next_named(lines, place + 1, BY_WORDS, GLUED)
    return ()


def signed(text: str) -> tuple[str, ...]:
    """Return the names after a "written by" at the start of one of a page's lines, as under a piece.

    >>> signed("The end.\\nWritten by Ann Example\\nMore")
    ('Ann Example',)
    """
    for near in islice(BEGINNINGS.lines(text), MOST):
        # The name may stand in a line of its own.
        if names := shown(near.text[near.label : LONGEST].strip(" :") or near.following[:LONGEST], label=True):
            return names
    return ()


def _said(text: str) -> tuple[str, ...]:
    """Return the names after a "by" at the start of a line, or after a date or a mark within it."""
    text = _without_dates(text)
    for place in WITHIN.finditer(text):
        if names := shown(text[place.end() :]):
            return names
    return ()


def _named(page: "Page", first: int, owners: list[int], marks: Marks) -> tuple[str, ...]:
    """Return the names in that part of a line whose elements are marked; `owners` has those of its leaves."""
    leaves, place = page.leaves, first
    for owner, group in groupby(owners):
        start, place = place, place + len(list(group))
        if owner >= 0:
            text = page.text[int(leaves.start[start]) : int(leaves.end[place - 1])]
            if names := shown(_without_dates(text), label=True, account="user" in marks.said(owner)):
                return names
    return ()


def _without_dates(text: str) -> str:
    for day in reversed(written(text)):
        text = f"{text[: day.start]} | {text[day.end :]}"
    return text
