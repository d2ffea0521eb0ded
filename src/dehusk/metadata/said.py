"""Said: all that a page says about itself, read once and asked by those who choose."""

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from dehusk.metadata import vocabulary
from dehusk.metadata.around import Line, lines_around
from dehusk.metadata.clean_text import folded, line
from dehusk.metadata.fast_clean_text import under
from dehusk.metadata.jsonld import LinkedData
from dehusk.metadata.tags import Tags
from dehusk.metadata.titles import Title, title_of
from dehusk.metadata.vocabulary import Vocabulary
from dehusk.page import Page

# What somebody wrote on some day. Shops, listings and the pages of a firm show names and dates too, of other things.
PIECES: Final = frozenset({None, "article", "forum", "documentation", "other"})
# Of 3/4/2024 these mean the fourth of March; all others the third of April.
MONTH_FIRST: Final = frozenset({"", "en", "en-us", "en-ca", "en-ph"})
# Nearly all addresses are as plain as this, and taking the others apart takes much longer.
PLAIN: Final = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)")


class Said:
    """What the head, the linked data and the lines round the title say; the last are looked at only if asked for."""

    def __init__(self, page: Page, text: str, kind: str | None) -> None:
        self.page, self.text = page, text
        self.is_piece = kind in PIECES
        self.tags = Tags(page)
        head, graph = line(page.title, shown=True), self.tags.first(vocabulary.TITLE)
        self.linked = LinkedData(page, (head, graph))
        named = self.meta(vocabulary.SITE)
        linked = self.linked.site
        # The name of the site and its origin.
        self.site = named[0] if named else (linked, "json-ld") if linked else ("", "")
        self.sites = _sites(page.url, linked, [name for name, _ in named])
        claims = [Title(graph, "opengraph"), Title(head, "title")]
        claims.append(Title(self.linked.string("headline", "name"), "json-ld"))
        claims += [Title(said, origin) for said, origin in self.meta(vocabulary.OTHER_TITLES)[:2]]
        # The title, where it was found, and where readers see it.
        self.title = title_of(page, claims, self.sites, text, sells=kind == "service")
        # What the page says its language is, each with its origin.
        self.languages = list(self._languages())
        self._lines: list[Line] | None = None

    def meta(self, names: Vocabulary) -> list[tuple[str, str]]:
        """Return everything that was said under some names, in one line, with its origin."""
        return under(self.tags.meta, names)

    @property
    def lines(self) -> list[Line]:
        """The lines round the title, the nearest first."""
        if self._lines is None:
            self._lines = lines_around(self.page, self.title.leaf) if self.title else []
        return self._lines

    def _languages(self) -> Iterator[tuple[str, str]]:
        # The first element of every tree is `html`.
        for root in self.page.elements.node[1:2]:
            attr: Any = root.attr  # type: ignore[attr-defined]
            if said := attr("lang") or attr("xml:lang"):
                yield said, "html lang"
        for name, origin in vocabulary.LANGUAGE.items():
            for said in self.tags.meta.get(name, ()):
                yield said, origin
        if said := self.linked.string("inLanguage"):
            yield said, "json-ld"

    @property
    def day_first(self) -> bool:
        """Whether the page's readers write the day before the month."""
        first = None
        for said, _ in self.languages:
            claim = said.strip().lower().replace("_", "-")
            first = claim if first is None else first
            # A claim with a country says more than one without.
            if "-" in claim:
                return claim not in MONTH_FIRST
        return (first or "") not in MONTH_FIRST


def _host(url: str) -> str:
    if found := PLAIN.match(url):
        return found[1].removeprefix("www.")
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:  # such as "http://[half an IPv6 address"
        return ""


def _sites(url: str | None, linked: str, named: list[str]) -> frozenset[str]:
    """Return the names that the site may go by, folded: what it calls itself, and its host."""
    names = [*named, linked]
    if url and (host := _host(url)):
        labels = host.split(".")
        names += [host, ".".join(labels[:-1]), labels[-2] if len(labels) > 1 else ""]
    return frozenset([found for name in names if name and (found := folded(name))])
