"""Tags: what `meta` and `link` elements, `itemprop` and `rel` say about a page."""

from typing import TYPE_CHECKING, Any, Final

from dehusk.metadata import vocabulary
from dehusk.metadata.clean_text import line
from dehusk.page.fast_scan import related, told

if TYPE_CHECKING:
    from dehusk.page import Page

MOST: Final = 1000  # elements of a sort that are looked at; no page says more about itself
LONGEST: Final = 4000  # characters of what is said once
LINKS: Final = "link:is([rel~=canonical i], [rel~=license i], [rel~=image_src i])"
MARKED: Final = "[itemprop]"
RELATIONS: Final = frozenset(("author", "license", "tag"))  # of links in the page that are asked for
# The properties of microdata that are asked for.
PROPERTIES: Final = frozenset(("author", "creator", "datepublished", "datecreated", "datemodified"))
# Things that have authors and dates of their own, which are not those of the page.
OTHERS: Final = ("comment", "answer", "review", "useraction", "listitem", "person", "organization")
DEPTH: Final = 6  # elements upwards in which the thing is looked for that a property belongs to


class Tags:
    """Names and what was said under them, in lower case and document order.

    >>> from dehusk.page import Page
    >>> tags = Tags(Page.from_html('<meta property="og:title" content="A title"><p itemprop=author>Ann'))
    >>> tags.meta["og:title"], tags.properties["author"]
    (['A title'], ['Ann'])
    """

    def __init__(self, page: "Page") -> None:
        self._page = page
        self.links: dict[str, list[str]] = {}  # rel of link elements → address
        self._properties: dict[str, list[str]] | None = None
        self._related: dict[str, list[Any]] | None = None
        self.meta = told(self._select("meta"), vocabulary.KNOWN, LONGEST)
        for node in self._select(LINKS):
            if address := node.attr("href"):
                for word in node.attr("rel").lower().split():
                    self.links.setdefault(word, []).append(address)

    @property
    def properties(self) -> dict[str, list[str]]:
        """The values of microdata by the name of their property; looked for when first asked for, as few ask."""
        if self._properties is None:
            found = self._properties = {}
            for node in self._select(MARKED):
                for name in PROPERTIES.intersection((node.attr("itemprop") or "").lower().split()):
                    if not _belongs_to_another(node):
                        found.setdefault(name, []).append(_value(node)[:LONGEST])
        return self._properties

    def related(self, relation: str) -> list[Any]:
        """Return the links in the page that have this `rel`, one of `RELATIONS`."""
        if self._related is None:
            tree = self._page.tree
            # All at once, since to look for one takes nearly as long.
            self._related = related(tree.select("a[rel]"), RELATIONS) if tree is not None else {}
        return self._related.get(relation, [])[:MOST]

    def first(self, name: str) -> str:
        """Return the first thing that was said under a name, in one line."""
        for said in self.meta.get(name, ()):
            if text := line(said):
                return text
        return ""

    def _select(self, selector: str) -> list[Any]:
        tree = self._page.tree
        return tree.select(selector)[:MOST] if tree is not None else []


def text_of(link: Any) -> str:
    """Return what readers see of a link."""
    return str(link.to_text())[:LONGEST]


def _value(node: Any) -> str:
    """Return the value of a property as microdata has it; of an author with a name of its own, that name."""
    for attribute in ("content", "datetime"):
        if said := node.attr(attribute):
            return str(said)
    inner = node.select_one("[itemprop~=name]")
    return str((inner.attr("content") or inner.to_text()) if inner is not None else node.to_text())


def _belongs_to_another(node: Any) -> bool:
    """Whether the nearest thing round a property is a comment or the like, not the piece."""
    above = node.parent
    for _ in range(DEPTH):
        attr = getattr(above, "attr", None)
        if above is None or attr is None:
            break
        if attr("itemscope") is not None:
            return any(other in (attr("itemtype") or "").lower() for other in OTHERS)
        above = above.parent
    return False
