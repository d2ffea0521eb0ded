"""Pages with gold: what people say the main text of a page is, and what is known to be wrong with some of them."""

from dataclasses import dataclass
from typing import Final

from dehusk.gold.yardstick import site_of

EMPTY: Final = "the gold is empty"
TWICE: Final = "dev/60 and test/60 are one page with two golds"
WRONG_PAGE: Final = "the gold is not of this page"
UNLABELLED: Final = "no node has a label"
DEFECTS: Final[dict[str, dict[str, str]]] = {
    "cleaneval": {
        **dict.fromkeys(("dev/32", "test/278", "test/329", "test/690", "test/697", "test/707", "test/795"), EMPTY),
        **dict.fromkeys(("dev/60", "test/60"), TWICE),
        **dict.fromkeys(("dev/47", "test/129"), WRONG_PAGE),
    },
    "cleanportaleval": {"bbc.co.uk_news_04": EMPTY, "bbc.co.uk_news_05": EMPTY},
    "googletrends2017": {"gt_168": UNLABELLED},
}

NodeLabels = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what people say its main text is.

    `gold` is None for pages that have no full text, only snippets that must come out (`wanted`) or must not
    (`unwanted`). `labels` lists the text nodes in document order, **1 = boilerplate**. `html` is bytes if it has not
    been decoded yet.
    """

    corpus: str
    id: str
    split: str
    html: str | bytes
    gold: str | None
    url: str | None = None
    language: str | None = None
    kind: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    gold_marked: str | None = None
    labels: NodeLabels | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def site(self) -> str:
        """The site the page is from: either all pages of a site are trained on, or none."""
        return site_of(self.url, self.id)

    @property
    def defect(self) -> str | None:
        """What is known to be wrong with this page."""
        return DEFECTS.get(self.corpus, {}).get(self.id)
