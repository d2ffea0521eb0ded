"""Queries: what somebody who has read a page may type to find it again."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np

from dehusk.gold.corpora import SETS, open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.gold.yardstick import stable_hash
from dehusk.lm.sentences import split
from research.downstream.texts import pages_of

# The engine finds words by the blanks between them.
UNSPACED: Final = frozenset({"ja", "ko", "my", "th", "zh"})
WORDS: Final = range(6, 26)  # of a sentence
DRAWN: Final = 4
KINDS: Final = ("title", "sentence", "four words")


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A query, and the number of the page it should find among those of all collections."""

    kind: str
    text: str
    page: int


def known_items(collections: Iterable[str]) -> list[KnownItem]:
    """Return the queries for all pages that no shipped model was trained on and that no other page repeats."""
    pages = [*enumerate(chain.from_iterable(map(_pages, collections)))]
    golds = Counter(_plain(page.gold) for _, page in pages if page)
    titles = Counter(_plain(page.title) for _, page in pages if page)
    items = []
    for index, page in pages:
        if page and _usable(page) and golds[_plain(page.gold)] == 1:
            for kind, text in _queries(page):
                if kind != "title" or titles[_plain(page.title)] == 1:
                    items.append(KnownItem(kind, text, index))
    return items


def _pages(collection: str) -> Iterator[GoldPage | None]:
    """Yield the pages of a collection, without their HTML, in the order of their texts; None if it has no gold."""
    if collection not in SETS:
        yield from (None for _ in pages_of(collection))
        return
    yield from (replace(page, html="") for page in open_corpus(collection).pages() if isinstance(page.html, str))


def _usable(page: GoldPage) -> bool:
    heldout = open_corpus(page.corpus).part_of(page) in ("yardstick", "never")
    return heldout and bool(page.gold) and page.language not in UNSPACED


def _queries(page: GoldPage) -> Iterator[tuple[str, str]]:
    r"""Yield up to three queries, the same in every run.

    >>> gold = "It rained.\nThe shearers came on the second of June with their own stand."
    >>> [kind for kind, _ in _queries(GoldPage("mine", "1", "all", "", gold, title="Shearing in the rain"))]
    ['title', 'sentence', 'four words']
    """
    if len((page.title or "").split()) >= 2:
        yield "title", _plain(page.title)
    sentences = chain.from_iterable(split(line) for line in (page.gold or "").splitlines())
    chosen = [_plain(sentence) for sentence in sentences if len(sentence.split()) in WORDS]
    if not chosen:
        return
    sentence = min(chosen, key=lambda text: stable_hash(f"{page.id}:{text}"))
    yield "sentence", sentence
    words = sorted({word for word in sentence.split() if len(word) >= 4 and word.isalpha()})
    if len(words) >= DRAWN:
        random = np.random.default_rng(stable_hash(page.id))
        yield "four words", " ".join(random.choice(words, DRAWN, replace=False).tolist())


def _plain(text: str | None) -> str:
    return " ".join((text or "").lower().split())
