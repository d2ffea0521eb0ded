"""Bylines: who wrote a piece, as readers are told near its title."""

import re
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final

from dehusk.metadata.around import LEVELS, LONGEST, Line
from dehusk.metadata.beginnings import Beginnings
from dehusk.metadata.dates import written
from dehusk.metadata.names import BY, BY_WORDS, shown

if TYPE_CHECKING:
    from dehusk.page import Page

# What attributes say where a name is; looked for in lower case, with a blank on either side.
MARKS: Final = (
    "author", "byline", " by-", "writer", "auteur", " autor ", "autor-", "-autor", "autor_", "_autor", "username",
    "user-name", "creator", "postedby", "posted-by", "writtenby", "written-by", "p-name",
)  # fmt: skip
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
    first = min((near.first for near in lines), default=0)
    holders = page.leaves.element[first : max((near.last for near in lines), default=0)].tolist()
    marks = _Marks(page)
    for near in lines:
        owners = [marks.nearest(element) for element in holders[near.first - first : near.last - first]]
        if max(owners) >= 0 and (names := _named(page, near, owners, marks)):
            return names
        if names := _said(near.text):
            return names
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
    if BY_WORDS.isdisjoint(text.lower().replace(":", " ").split()) and not text.startswith(GLUED):
        return ()
    text = _without_dates(text)
    for place in WITHIN.finditer(text):
        if names := shown(text[place.end() :]):
            return names
    return ()


def _named(page: "Page", near: Line, owners: list[int], marks: "_Marks") -> tuple[str, ...]:
    """Return the names in that part of a line whose elements are marked as a name; `owners` has those of its leaves."""
    leaves, place = page.leaves, 0
    for owner, group in groupby(owners):
        first, place = place, place + len(list(group))
        if owner >= 0:
            text = page.text[int(leaves.start[near.first + first]) : int(leaves.end[near.first + place - 1])]
            if names := shown(_without_dates(text), label=True, account="user" in marks.said(owner)):
                return names
    return ()


def _hints(said: str) -> bool:
    """Whether one of `MARKS` may be there: each holds one of these, so that most elements are passed at once."""
    return "by" in said or "aut" in said or "user" in said or "writ" in said or "creat" in said or "p-name" in said


class _Marks:
    """What the attributes of elements say about the text in them; each is read once."""

    __slots__ = ("_known", "_nodes", "_parents")

    def __init__(self, page: "Page") -> None:
        self._nodes, self._parents = page.elements.node, page.elements.parent
        self._known: dict[int, tuple[str, bool]] = {}

    def said(self, index: int) -> str:
        """Return the attributes of an element, in lower case with blanks round them."""
        return self._look(index)[0]

    def nearest(self, index: int) -> int:
        """Return the nearest element above a text that is marked as a name, or -1: none, or that of another."""
        parents, below = self._parents, ""
        for _ in range(LEVELS):
            if index <= 0:
                break
            said, marked = self._known.get(index) or self._look(index)
            below += said
            if marked:
                return -1 if any(map(below.__contains__, OTHERS)) or self._in_comment(index) else index
            index = parents[index]
        return -1

    def _look(self, index: int) -> tuple[str, bool]:
        if index not in self._known:
            attr: Any = self._nodes[index].attr  # type: ignore[attr-defined]
            said, role, relation = attr("class"), attr("itemprop"), attr("rel")
            if role or relation:
                said = " ".join(filter(None, (said, role, relation)))
            said = f" {said.lower()} " if said else ""
            self._known[index] = said, _hints(said) and any(map(said.__contains__, MARKS))
        return self._known[index]

    def _in_comment(self, index: int) -> bool:
        for _ in range(LEVELS):
            index = self._parents[index]
            if index <= 0:
                return False
            if "comment" in self.said(index):
                return True
        return False


def _without_dates(text: str) -> str:
    for day in reversed(written(text)):
        text = f"{text[: day.start]} | {text[day.end :]}"
    return text
