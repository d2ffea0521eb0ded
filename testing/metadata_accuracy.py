"""Metadata against gold: title, author and date of a page, each right, wrong, missing or invented.

The comparison is the same for every tool. Titles are equal if their letters and digits are, whatever their case, white
space and punctuation. Authors are equal as sets of names: a string is split at commas, semicolons, bars, ampersands,
slashes and "and", and the degrees and forms of address in `TITLES` are not part of a name. Dates are equal by day. No
page is left out, however doubtful its gold is.
"""

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Final, Literal
from unicodedata import normalize

from dehusk.gold.pages import GoldPage
from dehusk.metadata import Metadata

FIELDS: Final = ("title", "author", "date")
Verdict = Literal["right", "wrong", "missing", "invented", "nothing"]
VERDICTS: Final[tuple[Verdict, ...]] = ("right", "wrong", "missing", "invented", "nothing")
HALF_SALT: Final = "metadata:"

BETWEEN_NAMES: Final = re.compile(r"[,;|&/·•\n]|\band\b", re.IGNORECASE)
# fmt: off
TITLES: Final = frozenset((
    "dr", "prof", "mr", "mrs", "ms", "sir",
    "md", "phd", "ma", "msc", "mph", "mba", "bsc", "ba", "bs", "rd", "rdn", "rn", "dvm", "dds", "do", "cfp", "cpa",
    "cfa", "cpp", "psp", "jd", "esq", "fand", "lcsw", "cscs", "ldn", "pharmd", "psyd", "edd", "jr", "sr",
))
# fmt: on


@dataclass(frozen=True, slots=True)
class Facts:
    """What a tool or the gold says about a page; "" if it says nothing."""

    title: str = ""
    author: str = ""
    date: str = ""


@dataclass(slots=True)
class MetadataTally:
    """How often a tool was right, wrong… about each field.

    >>> tally = MetadataTally()
    >>> tally.add(Facts("A Title", "Ann Example"), Facts("a title", "", "2024-01-02"))
    >>> [tally.counts["title", "right"], tally.counts["author", "missing"], tally.counts["date", "invented"]]
    [1, 1, 1]
    >>> tally.percent("title")
    100.0
    """

    counts: Counter[tuple[str, Verdict]] = field(default_factory=Counter)

    def add(self, gold: Facts, facts: Facts) -> None:
        """Compare what a tool says about a page with its gold."""
        for name in FIELDS:
            self.counts[name, verdict(name, getattr(gold, name), getattr(facts, name))] += 1

    def percent(self, name: str) -> float:
        """Return the percentage of right values among the pages whose gold has the field."""
        with_gold = sum(self.counts[name, kind] for kind in ("right", "wrong", "missing"))
        return 100 * self.counts[name, "right"] / max(with_gold, 1)


def verdict(name: str, gold: str, value: str) -> Verdict:
    """Return the verdict on one field of one page.

    >>> verdict("author", "Dr. Ann Example and Bob Nobody, MD", "Bob Nobody; Ann Example")
    'right'
    >>> verdict("date", "", "2024-01-02")
    'invented'
    """
    if not gold:
        return "invented" if value else "nothing"
    if not value:
        return "missing"
    normalise: dict[str, Callable[[str], object]] = {
        "title": _title, "author": _names, "date": lambda date: date[:10]
    }  # fmt: skip
    return "right" if normalise[name](gold) == normalise[name](value) else "wrong"


def gold_facts(page: GoldPage) -> Facts:
    """Return the gold of a page."""
    return Facts((page.title or "").strip(), (page.author or "").strip(), (page.date or "").strip())


def chosen_on(site: str) -> bool:
    """Return whether rules may be chosen on the pages of a site; all other sites were kept for a single measurement.

    The rule: the last bit of the 8-byte BLAKE2b of `HALF_SALT` and the site is 0, so that all pages of a site, in every
    corpus, are in the same half.

    >>> chosen_on("example.org"), chosen_on("site.example")
    (False, True)
    """
    return hashlib.blake2b((HALF_SALT + site).encode(), digest_size=8).digest()[-1] % 2 == 0


def our_facts(metadata: Metadata) -> Facts:
    """Return what dehusk says; the date is that of publication, or of the last change if no other is known."""
    return Facts(metadata.title or "", "; ".join(metadata.authors), metadata.published or metadata.modified or "")


def trafilatura_facts(html: str, url: str | None) -> Facts:
    """Return what trafilatura says about a page, with its default options."""
    tool = import_module("trafilatura.metadata")
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL + 1)
    logging.getLogger("htmldate").setLevel(logging.CRITICAL + 1)
    facts = tool.extract_metadata(html, default_url=url)
    return Facts(facts.title or "", facts.author or "", facts.date or "")


def _title(title: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKC", title).casefold()))


def _names(authors: str) -> frozenset[str]:
    names = BETWEEN_NAMES.split(normalize("NFKC", authors).casefold())
    return frozenset(filter(None, map(_name, names)))


def _name(name: str) -> str:
    """Return the letters and digits of a name, without titles and degrees."""
    words = ("".join(filter(str.isalnum, word)) for word in name.split())
    return "".join(word for word in words if word not in TITLES)
