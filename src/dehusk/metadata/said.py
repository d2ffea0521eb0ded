"""Said: all that a page says about itself, read once and asked by those who choose."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

from dehusk.metadata import vocabulary
from dehusk.metadata.around import Line, lines_around
from dehusk.metadata.jsonld import LinkedData
from dehusk.metadata.lines import folded, line
from dehusk.metadata.tags import Tags
from dehusk.metadata.titles import Title, title_of
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
        self._head = line(page.title, shown=True)
        self.linked = LinkedData(page, (self._head, self.tags.first("og:title")))
        self._sells = kind == "service"

    def meta(self, vocabularies: vocabulary.Vocabularies) -> Iterator[tuple[str, str]]:
        """Yield everything that was said under the names of some vocabularies, in one line, with its origin."""
        told = self.tags.meta
        for origin, names in vocabularies:
            # Few of the many names are ever there, and this is the quickest way to pass over the others.
            for name in filter(told.__contains__, names):
                for said in told[name]:
                    if text := line(said):
                        yield text, origin

    @cached_property
    def site(self) -> tuple[str, str]:
        """The name of the site and its origin."""
        name = self.linked.site
        return next(self.meta(vocabulary.SITE), (name, "json-ld") if name else ("", ""))

    @cached_property
    def sites(self) -> frozenset[str]:
        """The names that the site may go by, folded: what it calls itself, and its host."""
        host = _host(self.page.url)
        labels = host.split(".")
        names = [text for text, _ in self.meta(vocabulary.SITE)]
        names += [self.linked.site, host, ".".join(labels[:-1]), labels[-2] if len(labels) > 1 else ""]
        return frozenset(map(folded, names)) - {""}

    @cached_property
    def title(self) -> Title | None:
        """The title, where it was found, and where readers see it."""
        claims = [Title(text, origin) for text, origin in self.meta(vocabulary.TITLE[:1])][:1]
        claims.append(Title(self._head, "title"))
        claims.append(Title(self.linked.string("headline", "name"), "json-ld"))
        claims += [Title(text, origin) for text, origin in self.meta(vocabulary.TITLE[1:])][:2]
        return title_of(self.page, claims, self.sites, self.text, sells=self._sells)

    @cached_property
    def lines(self) -> list[Line]:
        """The lines round the title, the nearest first."""
        return lines_around(self.page, self.title.leaf) if self.title else []

    @cached_property
    def languages(self) -> list[tuple[str, str]]:
        """What the page says its language is, each with its origin."""
        return list(self._languages())

    def _languages(self) -> Iterator[tuple[str, str]]:
        root = self.page.tree.select_one("html") if self.page.tree else None
        if root is not None and (said := root.attr("lang") or root.attr("xml:lang")):
            yield said, "html lang"
        for origin, names in vocabulary.LANGUAGE:
            for name in filter(self.tags.meta.__contains__, names):
                for said in self.tags.meta[name]:
                    yield said, origin
        if said := self.linked.string("inLanguage"):
            yield said, "json-ld"

    @cached_property
    def day_first(self) -> bool:
        """Whether the page's readers write the day before the month."""
        first = None
        for said, _ in self._languages():
            claim = said.strip().lower().replace("_", "-")
            first = claim if first is None else first
            # A claim with a country says more than one without.
            if "-" in claim:
                return claim not in MONTH_FIRST
        return (first or "") not in MONTH_FIRST


def _host(url: str | None) -> str:
    if found := PLAIN.match(url or ""):
        return found[1].removeprefix("www.")
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:  # such as "http://[half an IPv6 address"
        return ""
