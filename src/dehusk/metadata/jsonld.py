"""JSON-LD: what scripts of linked data say about the page, in schema.org's words."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from dehusk.metadata.clean_text import folded, line

if TYPE_CHECKING:
    from dehusk.page import Page

SCRIPTS: Final = 'script[type^="application/ld+json" i]'
MOST_SCRIPTS: Final = 50
MOST_CHARACTERS: Final = 1 << 20  # of a script; a shop may list a thousand offers, but what is longer is data
MOST_NODES: Final = 1000
MOST_AUTHORS: Final = 100
LONGEST_TYPE: Final = 200  # characters
Node = dict[str, Any]
DEEPER: Final = ("mainEntityOfPage", "mainEntity", "@graph")  # the last is looked at first
# Made once: a decoder takes longer to make than most scripts to read.
DECODER: Final = json.JSONDecoder(strict=False)
WHITE: Final = " \t\n\r"  # to JSON

# What a piece is, and what merely holds it. The first tells when it was written and by whom; the second speaks of the
# page as a file, which is why it is asked last.
PIECE: Final = re.compile(
    r"article|posting|question|report\b|recipe|howto|review$|videoobject|podcastepisode|thesis|book$"
)
HOLDER: Final = re.compile(r"page$|webpage|creativework|course|dataset|software|product|event")
OPENED: Final = re.compile(r"\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)")
CLOSED: Final = ("-->", "]]>", ";")
TRAILING_COMMA: Final = re.compile(r",\s*([}\]])")
STRING: Final = r'\s*"((?:[^"\\]|\\.){1,500})"'
PAIRS: Final = {key: re.compile(f'"{key}"\\s*:{STRING}') for key in ("headline", "datePublished", "dateModified")}
AUTHOR: Final = re.compile(rf'"author"\s*:[\s\[]*(?:\{{[^{{}}]{{0,500}}?"name"\s*:)?{STRING}')


class LinkedData:
    """The nodes of a page's JSON-LD, the one that is the piece itself, and what it says.

    >>> from dehusk.page import Page
    >>> data = '{"@type": "NewsArticle", "author": {"name": "Ann Example"}}'
    >>> LinkedData(Page.from_html(f'<script type="application/ld+json">{data}</script>')).authors()
    ['Ann Example']
    """

    def __init__(self, page: "Page", titles: Iterable[str] = ()) -> None:
        self.nodes = _nodes(page)
        pieces: list[Node] = []
        holders: list[Node] = []
        self._site: Node | None = None
        for node in self.nodes:
            is_piece, is_holder, is_site = _roles(_type(node))
            if is_piece:
                pieces.append(node)
            if is_holder:
                holders.append(node)
            if is_site and self._site is None:
                self._site = node
        self.piece, self.holder = _main(pieces, titles), _main(holders, titles)
        self._ids: dict[str, Node] | None = None

    def string(self, *keys: str, node: Node | None = None) -> str:
        """Return the first of the piece's properties that is, or has for its name, a string."""
        found = self.piece if node is None else node
        for key in keys:
            if key in found:
                for value in _listed(found[key]):
                    if text := self._name(value):
                        return text
        return ""

    def strings(self, key: str) -> list[str]:
        """Return all values of one of the piece's properties that are strings or have a name."""
        if key not in self.piece:
            return []
        return [text for value in _listed(self.piece[key]) if (text := self._name(value))]

    def authors(self) -> list[str]:
        """Return who the piece says has written it, each as it is called there."""
        return self.strings("author") or self.strings("creator")

    def address(self, key: str) -> str:
        """Return the first address that a property holds, as itself or as the `url` or `@id` of an object."""
        for value in _listed(self.piece[key]) if key in self.piece else ():
            found = value if isinstance(value, str) else value.get("url") or value.get("contentUrl") or value.get("@id")
            if isinstance(found, list):
                found = found[0] if found else None
            if isinstance(found, str) and found.strip():
                return found
        return ""

    @property
    def site(self) -> str:
        """The name of the site: of the node that is the site, or of whoever published the piece."""
        name = line(self._site.get("name")) if self._site else ""
        return name or self.string("publisher") or self.string("publisher", node=self.holder)

    @property
    def _by_id(self) -> dict[str, Node]:
        if self._ids is None:
            self._ids = {node["@id"]: node for node in self.nodes if _names_itself(node)}
        return self._ids

    def _name(self, value: str | Node) -> str:
        if isinstance(value, str):
            return line(value)
        name = value.get("name")
        if isinstance(name, str) and (found := line(name)):
            return found
        # An object may only point at another one, which says more.
        whole = self._by_id.get(value["@id"], value) if isinstance(value.get("@id"), str) else value
        for known in (value, whole):
            parts = (known.get("name"),), (known.get("givenName"), known.get("familyName"))
            for names in parts:
                words = (line(name[0] if isinstance(name, list) and name else name) for name in names)
                if found := " ".join(filter(None, words)):
                    return found
        return ""


def _names_itself(node: Node) -> bool:
    return isinstance(node.get("@id"), str) and len(node) > 2


def _nodes(page: "Page") -> list[Node]:
    """Return the objects on the outermost level, those of graphs and main entities opened, without recursion."""
    waiting = [value for script in _scripts(page) for value in _parsed(script)][::-1]
    found: list[Node] = []
    while waiting and len(found) < MOST_NODES:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value[:MOST_NODES]))
        elif isinstance(value, dict):
            found.append(value)
            for key in DEEPER:
                if key in value:
                    waiting.append(value[key])
    return found


def _scripts(page: "Page") -> Iterator[str]:
    tree = page.tree
    for script in (tree.select(SCRIPTS) if tree else ())[:MOST_SCRIPTS]:
        text = script.text
        if len(text) <= MOST_CHARACTERS:
            yield text


def _parsed(script: str) -> list[Any]:
    """Return what a script holds; of a broken one what can be told from its words alone.

    >>> _parsed('{"@type": "Article", "headline": "A title",}')
    [{'@type': 'Article', 'headline': 'A title'}]
    >>> _parsed('{"@type": "Article", "headline": "A title", "author": [{"name": "Ann"} oops')
    [{'@type': 'Article', 'headline': 'A title', 'author': 'Ann'}]
    """
    for mend in (str, _mended):
        try:
            # What `decode` does, which searches for white space where hardly any is.
            text = mend(script).strip(WHITE)
            value, end = DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            continue
        if end == len(text):
            return [value]
    pairs = {key: found[1] for key, pattern in PAIRS.items() if (found := pattern.search(script))}
    if found := AUTHOR.search(script):
        pairs["author"] = found[1]
    return [{"@type": "Article", **pairs}] if pairs and "rticle" in script else []


def _mended(script: str) -> str:
    """Return a script without what hides it from old browsers, and without commas after which nothing comes.

    >>> _mended('// <![CDATA[ {"a": [1, 2,],} // ]]> '), _mended("[1];")
    (' {"a": [1, 2]} ', '[1]')
    """
    if opened := OPENED.match(script):
        script = script[opened.end() :]
    # By hand, since a pattern that is tied to the end would be tried at every letter.
    bare = script.rstrip()
    for sign in CLOSED:
        if bare.endswith(sign):
            script = bare.removesuffix(sign)
            if sign == "]]>":
                script = script.rstrip().removesuffix("//")
            break
    return TRAILING_COMMA.sub(r"\1", script)


@lru_cache(1024)  # schema.org has some eight hundred types, and most pages are of the same few
def _roles(kind: str) -> tuple[bool, bool, bool]:
    """Tell whether nodes of a type are pieces, hold one, or are the site."""
    return PIECE.search(kind) is not None, HOLDER.search(kind) is not None, "website" in kind


def _main(found: list[Node], titles: Iterable[str]) -> Node:
    """Return the node that the page is about; of several the one with the page's title, of a list of teasers none."""
    if len(found) < 2:
        return found[0] if found else {}
    known = [folded(title) for title in titles]
    for node in found:
        name = folded(line(node.get("headline")) or line(node.get("name")))
        if name and any(name in title for title in known):
            return node
    return found[0] if len(found) < 4 else {}


def _type(node: Node) -> str:
    """Return the type of a node in lower case, without the vocabulary it is from."""
    kind = node.get("@type")
    if isinstance(kind, str):
        return kind.rpartition("/")[2].lower()[:LONGEST_TYPE]
    names = [name for name in _listed(kind) if isinstance(name, str)]
    return " ".join([name.rpartition("/")[2] for name in names]).lower()[:LONGEST_TYPE]


def _listed(value: object) -> Sequence[str | Node]:
    """Return the strings and objects that a property holds, whether it is a list or not."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, dict) and "@list" in value:
        value = value["@list"]
    values = value[:MOST_AUTHORS] if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, (str, dict))]
