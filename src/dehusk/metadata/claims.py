"""Claims: all that a page says about itself in its markup, JSON-LD and title, read once for every field."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from dehusk.metadata import meta_names
from dehusk.metadata.fast_clean_text import clean_claims, clean_line, folded
from dehusk.metadata.fast_title_context import TitleLine, lines_near
from dehusk.metadata.jsonld import LinkedData
from dehusk.metadata.titles import Title, choose_title
from dehusk.page.fast_scan import links_by_rel, meta_values

if TYPE_CHECKING:
    from dehusk.page import Page

Claim = tuple[str, str]  # a value and its origin
NO_CLAIM: Final[Claim] = ("", "")
# Kinds of page that somebody wrote on some day. Shops, listings and company pages show names and dates of other things.
KINDS_WITH_BYLINE: Final = frozenset({None, "article", "forum", "documentation", "other"})
# Locales in which 3/4/2024 is the fourth of March; in all others it is the third of April.
MONTH_FIRST: Final = frozenset({"", "en", "en-us", "en-ca", "en-ph"})
# Nearly all addresses match this, and `urlsplit` takes much longer.
PLAIN_ADDRESS: Final = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)")

MAX_ELEMENTS: Final = 1000  # of each sort that are read
MAX_VALUE: Final = 4000  # characters of an attribute or a link's text
LINKS: Final = "link:is([rel~=canonical i], [rel~=license i], [rel~=image_src i])"
LINK_RELATIONS: Final = frozenset(("author", "license", "tag"))  # `rel` of links in the page that are read
MICRODATA: Final = frozenset(("author", "creator", "datepublished", "datecreated", "datemodified"))
# Items with authors and dates of their own, which are not those of the page.
OTHER_ITEMS: Final = ("comment", "answer", "review", "useraction", "listitem", "person", "organization")
ITEM_LEVELS: Final = 6  # ancestors of a property among which its item is looked for


class Claims:
    """The claims in a page's markup, JSON-LD and title; `text` is the kept text, `kind` the kind of page."""

    def __init__(self, page: "Page", text: str, kind: str | None) -> None:
        self.page = page
        self.text = text
        self.kind = kind
        self.has_own_byline = kind in KINDS_WITH_BYLINE
        self.markup = Markup(page)
        head_title = clean_line(page.title, keep_tags=True)
        opengraph_title = self.markup.first_meta(meta_names.OPENGRAPH_TITLE)
        self.json_ld = LinkedData(page, (head_title, opengraph_title))
        sites = self.meta(meta_names.SITE)
        publisher = self.json_ld.site
        self.site: Claim = sites[0] if sites else (publisher, "json-ld") if publisher else NO_CLAIM
        self.site_names = _site_names(page.url, publisher, [name for name, _ in sites])
        titles = [Title(opengraph_title, "opengraph"), Title(head_title, "title")]
        titles.append(Title(self.json_ld.string("headline", "name"), "json-ld"))
        titles += [Title(value, origin) for value, origin in self.meta(meta_names.OTHER_TITLES)[:2]]
        self.title = choose_title(page, titles, self.site_names, text, sells=kind == "service")
        self.languages = list(self._languages())

    def meta(self, names: meta_names.MetaNames) -> list[Claim]:
        """Return the values of all `meta` elements with one of the names, each as one line with its origin."""
        return clean_claims(self.markup.meta, names)

    @cached_property
    def title_lines(self) -> list[TitleLine]:
        """The lines near the title, nearest first."""
        return lines_near(self.page.text, self.page.leaves, self.title.leaf) if self.title else []

    def _languages(self) -> Iterator[Claim]:
        # The first element of every tree is `html`.
        for root in self.page.elements.node[1:2]:
            attr: Any = root.attr  # type: ignore[attr-defined]
            if value := attr("lang") or attr("xml:lang"):
                yield value, "html lang"
        for name, origin in meta_names.LANGUAGE.items():
            for value in self.markup.meta.get(name, ()):
                yield value, origin
        if value := self.json_ld.string("inLanguage"):
            yield value, "json-ld"

    @property
    def day_first(self) -> bool:
        """Whether the page's readers write the day before the month."""
        first = None
        for value, _ in self.languages:
            locale = value.strip().lower().replace("_", "-")
            first = locale if first is None else first
            # The first locale with a country decides.
            if "-" in locale:
                return locale not in MONTH_FIRST
        return (first or "") not in MONTH_FIRST


class Markup:
    """The values of `meta` and `link` elements, microdata and `rel` links, by name in lower case.

    >>> from dehusk.page import Page
    >>> markup = Markup(Page.from_html('<meta property="og:title" content="A title"><p itemprop=author>Ann'))
    >>> markup.meta["og:title"], markup.microdata["author"]
    (['A title'], ['Ann'])
    """

    def __init__(self, page: "Page") -> None:
        self._page = page
        self.links: dict[str, list[str]] = {}  # rel of `link` elements → addresses
        self.meta = meta_values(self._select("meta"), meta_names.KNOWN, MAX_VALUE)
        for node in self._select(LINKS):
            if address := node.attr("href"):
                for word in node.attr("rel").lower().split():
                    self.links.setdefault(word, []).append(address)

    @cached_property
    def microdata(self) -> dict[str, list[str]]:
        """The values of the page's properties in `MICRODATA`; read on first use, since few pages need it."""
        values: dict[str, list[str]] = {}
        for node in self._select("[itemprop]"):
            for name in MICRODATA.intersection((node.attr("itemprop") or "").lower().split()):
                if not _belongs_to_other_item(node):
                    values.setdefault(name, []).append(_microdata_value(node)[:MAX_VALUE])
        return values

    def links_with_rel(self, relation: str) -> list[Any]:
        """Return the links in the page with this `rel`, one of `LINK_RELATIONS`."""
        return self._links_by_rel.get(relation, [])[:MAX_ELEMENTS]

    @cached_property
    def _links_by_rel(self) -> dict[str, list[Any]]:
        # All at once, since looking for one takes nearly as long.
        tree = self._page.tree
        return links_by_rel(tree.select("a[rel]"), LINK_RELATIONS) if tree is not None else {}

    def first_meta(self, name: str) -> str:
        """Return the first value of a `meta` name as one line, or ""."""
        return next(filter(None, map(clean_line, self.meta.get(name, ()))), "")

    def _select(self, selector: str) -> list[Any]:
        tree = self._page.tree
        return tree.select(selector)[:MAX_ELEMENTS] if tree is not None else []


def link_text(link: Any) -> str:
    """Return what readers see of a link."""
    return str(link.to_text())[:MAX_VALUE]


def _microdata_value(node: Any) -> str:
    """Return the value of a property; for an author with a `name` property, that name."""
    for attribute in ("content", "datetime"):
        if value := node.attr(attribute):
            return str(value)
    inner = node.select_one("[itemprop~=name]")
    return str((inner.attr("content") or inner.to_text()) if inner is not None else node.to_text())


def _belongs_to_other_item(node: Any) -> bool:
    """Return whether the nearest item around a property is a comment or the like instead of the page's own."""
    above = node.parent
    for _ in range(ITEM_LEVELS):
        attr = getattr(above, "attr", None)
        if above is None or attr is None:
            break
        if attr("itemscope") is not None:
            return any(other in (attr("itemtype") or "").lower() for other in OTHER_ITEMS)
        above = above.parent
    return False


def _host(url: str) -> str:
    if plain := PLAIN_ADDRESS.match(url):
        return plain[1].removeprefix("www.")
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:  # such as "http://[half an IPv6 address"
        return ""


def _site_names(url: str | None, publisher: str, sites: list[str]) -> frozenset[str]:
    """Return the possible names of the site, folded: what it calls itself, and its host."""
    names = [*sites, publisher]
    if url and (host := _host(url)):
        labels = host.split(".")
        names += [host, ".".join(labels[:-1]), labels[-2] if len(labels) > 1 else ""]
    return frozenset([known for name in names if name and (known := folded(name))])
