"""JSON-LD: what a page's linked data says about it, in schema.org's vocabulary."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from dehusk.metadata.fast_clean_text import clean_line, folded

if TYPE_CHECKING:
    from dehusk.page import Page

Node = dict[str, Any]
SCRIPTS: Final = 'script[type^="application/ld+json" i]'
MAX_SCRIPTS: Final = 50
MAX_SCRIPT_LENGTH: Final = 1 << 20  # characters; a shop may list a thousand offers, but longer scripts are data
MAX_NODES: Final = 1000
MAX_VALUES: Final = 100  # of one property
MAX_TYPE_LENGTH: Final = 200  # characters
NESTED_NODES: Final = ("mainEntityOfPage", "mainEntity", "@graph")  # the last is read first
# Created once: creating a decoder takes longer than reading most scripts.
DECODER: Final = json.JSONDecoder(strict=False)
JSON_WHITE_SPACE: Final = " \t\n\r"

# Types of articles and of the pages that contain them. An article has an author and a date of its own; a page node
# describes the file, so it is asked last.
ARTICLE_TYPE: Final = re.compile(
    r"article|posting|question|report\b|recipe|howto|review$|videoobject|podcastepisode|thesis|book$"
)
PAGE_TYPE: Final = re.compile(r"page$|webpage|creativework|course|dataset|software|product|event")
COMMENT_START: Final = re.compile(r"\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)")
SCRIPT_ENDS: Final = ("-->", "]]>", ";")
TRAILING_COMMA: Final = re.compile(r",\s*([}\]])")
STRING: Final = r'\s*"((?:[^"\\]|\\.){1,500})"'
PAIRS: Final = {key: re.compile(f'"{key}"\\s*:{STRING}') for key in ("headline", "datePublished", "dateModified")}
# The white space before the name is never given back, since what follows it begins with white space too.
AUTHOR: Final = re.compile(rf'"author"\s*:[\s\[]*+(?:\{{[^{{}}]{{0,500}}?"name"\s*:)?{STRING}')


class LinkedData:
    """The JSON-LD of a page: the node of its article, that of the page itself, and their properties.

    >>> from dehusk.page import Page
    >>> data = '{"@type": "NewsArticle", "author": {"name": "Ann Example"}}'
    >>> LinkedData(Page.from_html(f'<script type="application/ld+json">{data}</script>')).authors()
    ['Ann Example']
    """

    def __init__(self, page: "Page", titles: Iterable[str] = ()) -> None:
        self.nodes = _nodes(page)
        articles: list[Node] = []
        pages: list[Node] = []
        self._site_node: Node | None = None
        for node in self.nodes:
            is_article, is_page, is_site = _roles(_type(node))
            if is_article:
                articles.append(node)
            if is_page:
                pages.append(node)
            if is_site and self._site_node is None:
                self._site_node = node
        self.article, self.page_node = _main_node(articles, titles), _main_node(pages, titles)

    def string(self, *keys: str, node: Node | None = None) -> str:
        """Return the first of these properties that is a string or has a name; of the article unless `node` is given.

        "" if there is none.
        """
        source = self.article if node is None else node
        for key in keys:
            if key in source:
                for value in _values(source[key]):
                    if text := self._name(value):
                        return text
        return ""

    def strings(self, key: str) -> list[str]:
        """Return all values of a property of the article that are strings or have a name."""
        if key not in self.article:
            return []
        return [text for value in _values(self.article[key]) if (text := self._name(value))]

    def authors(self) -> list[str]:
        """Return the authors of the article as they are written there."""
        return self.strings("author") or self.strings("creator")

    def address(self, key: str) -> str:
        """Return the first address in a property of the article, as a string or as the `url` or `@id` of an object."""
        for value in _values(self.article[key]) if key in self.article else ():
            address = (
                value if isinstance(value, str) else value.get("url") or value.get("contentUrl") or value.get("@id")
            )
            if isinstance(address, list):
                address = address[0] if address else None
            if isinstance(address, str) and address.strip():
                return address
        return ""

    @property
    def site(self) -> str:
        """The name of the site: that of the site's node, or of the publisher."""
        name = clean_line(self._site_node.get("name")) if self._site_node else ""
        return name or self.string("publisher") or self.string("publisher", node=self.page_node)

    @cached_property
    def _nodes_by_id(self) -> dict[str, Node]:
        # A node with nothing but its id and its type, or less, is a reference to another.
        named = (node for node in self.nodes if isinstance(node.get("@id"), str) and len(node) > 2)
        return {node["@id"]: node for node in named}

    def _name(self, value: str | Node) -> str:
        if isinstance(value, str):
            return clean_line(value)
        name = value.get("name")
        if isinstance(name, str) and (text := clean_line(name)):
            return text
        # An object may only refer to another one by its id.
        target = self._nodes_by_id.get(value["@id"], value) if isinstance(value.get("@id"), str) else value
        for node in (value, target):
            parts = (node.get("name"),), (node.get("givenName"), node.get("familyName"))
            for names in parts:
                words = (clean_line(name[0] if isinstance(name, list) and name else name) for name in names)
                if text := " ".join(filter(None, words)):
                    return text
        return ""


def _nodes(page: "Page") -> list[Node]:
    """Return the objects of the outermost level, and those in graphs and main entities, without recursion."""
    scripts = page.tree.select(SCRIPTS)[:MAX_SCRIPTS] if page.tree else ()
    texts = [text for script in scripts if len(text := script.text) <= MAX_SCRIPT_LENGTH]
    waiting = [value for text in texts for value in _parse(text)][::-1]
    nodes: list[Node] = []
    while waiting and len(nodes) < MAX_NODES:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value[:MAX_NODES]))
        elif isinstance(value, dict):
            nodes.append(value)
            waiting += [value[key] for key in NESTED_NODES if key in value]
    return nodes


def _parse(script: str) -> list[Any]:
    """Return the value of a script; of a broken one, what patterns find in it.

    >>> _parse('{"@type": "Article", "headline": "A title",}')
    [{'@type': 'Article', 'headline': 'A title'}]
    >>> _parse('{"@type": "Article", "headline": "A title", "author": [{"name": "Ann"} oops')
    [{'@type': 'Article', 'headline': 'A title', 'author': 'Ann'}]
    """
    for repair in (str, _repaired):
        try:
            # Like `decode`, which uses patterns to skip white space, although hardly any script has some.
            text = repair(script).strip(JSON_WHITE_SPACE)
            value, end = DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            continue
        if end == len(text):
            return [value]
    pairs = {key: match[1] for key, pattern in PAIRS.items() if (match := pattern.search(script))}
    if match := AUTHOR.search(script):
        pairs["author"] = match[1]
    return [{"@type": "Article", **pairs}] if pairs and "rticle" in script else []


def _repaired(script: str) -> str:
    """Return a script without the comments that hide it from old browsers, and without trailing commas.

    >>> _repaired('// <![CDATA[ {"a": [1, 2,],} // ]]> '), _repaired("[1];")
    (' {"a": [1, 2]} ', '[1]')
    """
    if comment := COMMENT_START.match(script):
        script = script[comment.end() :]
    # Without a pattern, since one that is anchored at the end would be tried at every character.
    bare = script.rstrip()
    for sign in SCRIPT_ENDS:
        if bare.endswith(sign):
            script = bare.removesuffix(sign)
            if sign == "]]>":
                script = script.rstrip().removesuffix("//")
            break
    return TRAILING_COMMA.sub(r"\1", script)


@lru_cache(1024)  # schema.org has some eight hundred types, and most pages use the same few
def _roles(kind: str) -> tuple[bool, bool, bool]:
    """Return whether nodes of a type are articles, pages, or the site."""
    return ARTICLE_TYPE.search(kind) is not None, PAGE_TYPE.search(kind) is not None, "website" in kind


def _main_node(nodes: list[Node], titles: Iterable[str]) -> Node:
    """Return the node that the page is about: of several the one with the page's title, of a list of teasers none."""
    if len(nodes) < 2:
        return nodes[0] if nodes else {}
    known = [folded(title) for title in titles]
    for node in nodes:
        name = folded(clean_line(node.get("headline")) or clean_line(node.get("name")))
        if name and any(name in title for title in known):
            return node
    return nodes[0] if len(nodes) < 4 else {}


def _type(node: Node) -> str:
    """Return the type of a node in lower case, without the address of its vocabulary."""
    kind = node.get("@type")
    if isinstance(kind, str):
        return kind.rpartition("/")[2].lower()[:MAX_TYPE_LENGTH]
    names = [name for name in _values(kind) if isinstance(name, str)]
    return " ".join([name.rpartition("/")[2] for name in names]).lower()[:MAX_TYPE_LENGTH]


def _values(value: object) -> Sequence[str | Node]:
    """Return the strings and objects in a property, whether it is a list or not."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, dict) and "@list" in value:
        value = value["@list"]
    values = value[:MAX_VALUES] if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, (str, dict))]
