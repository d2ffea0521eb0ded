"""Examples: pages with gold, as the kernel sees them, beside the share of every block that the gold wants."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import cut
from dehusk.config import Limits
from dehusk.features.text import text_features
from dehusk.features.tokens import Vocabulary
from dehusk.gold.labelled import Labelled
from dehusk.gold.labels import gold_shares
from dehusk.gold.word_alignment import words
from dehusk.methods.kernel.features import View, view
from dehusk.page import Page, as_page
from dehusk.pool import Pool
from dehusk.training.kernel.grafts import Bed, beds, grafted, guest, host
from dehusk.training.kernel.variants import emptied, thinned
from dehusk.training.makers import LIMITS, NO_BLOCKS, NO_GOLD, Tick

# Variants: as it is; with random parts taken away; in other pages' places; without its main text.
PLAIN, THINNED, GRAFTED, EMPTIED = 0, range(1, 5), range(5, 9), 9
EMPTIED_SHARE: Final = 4  # one page in so many is shown without its main text
# Some words of the gold stand in menus, too; with more than this left, taking the main text away has failed.
LEFT_OVER: Final = 0.1
UNALIGNED: Final = "the gold was not found on the page (kept for measuring only)"


@dataclass(frozen=True, slots=True)
class About:
    """Where an example is from."""

    corpus: str
    id: str
    site: str
    kind: str  # "" where nobody has said
    variant: int = PLAIN
    usable: bool = True  # whether the gold was found, so that it may be trained on
    empty: bool = False  # whether there is no main text
    host: str = ""  # the name of the page that a graft's main text was put into

    @property
    def name(self) -> str:
        """What no other page is called."""
        return f"{self.corpus}/{self.id}"


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page, or a variant of one, with labels."""

    about: About
    view: View
    shares: NDArray[np.float64]  # of each block's words, how many are gold; NaN where it has no words


def examples(
    pages: Iterable[Labelled], vocabulary: Vocabulary, jobs: int, skipped: Counter[str], tick: Tick = lambda: None
) -> Iterator[Example]:
    """Yield the examples of all pages, in order; what is no good is counted by reason in `skipped`.

    All pages are held in memory, since each may be put into any other.
    """
    with Pool(("dehusk.training.kernel.examples", "made", vocabulary), jobs, LIMITS) as pool:
        for _, answer in pool.map(beds(pages, lambda page: seed_of(page, GRAFTED.start))):
            found, reason = ([], answer) if isinstance(answer, str) else answer
            if reason:
                skipped[reason] += 1
            yield from found
            tick()


def made(vocabulary: Vocabulary, bed: Bed) -> tuple[list[Example], str]:
    """Run in a worker: return a page's examples, and what is wrong with it, or ""."""
    source = bed.page
    if source.gold is None:
        return [], NO_GOLD
    about = About(source.corpus, source.id, source.site, source.kind or "")
    plain = _example(parsed(source.html), source.gold, about, vocabulary)
    if plain is None:
        return [], NO_BLOCKS
    if not plain.about.usable:
        return [plain], UNALIGNED
    variants = (_variant(source, plain, number, vocabulary) for number in _variants(source))
    return [plain, *(variant for variant in variants if variant), *_grafts(bed, plain, vocabulary)], ""


def parsed(html: str | bytes) -> Page:
    """Return a page of markup, decoded or not."""
    return as_page(html, url=None, charset=None, limits=Limits())


def seed_of(source: Labelled, variant: int) -> int:
    """Return the seed of a variant: the same on every machine, in any order of pages."""
    name = f"{source.corpus}\0{source.id}\0{variant}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


def _variants(source: Labelled) -> list[int]:
    return [*THINNED, EMPTIED] if seed_of(source, EMPTIED) % EMPTIED_SHARE == 0 else [*THINNED]


def _variant(source: Labelled, plain: Example, number: int, vocabulary: Vocabulary) -> Example | None:
    if number == EMPTIED:
        html = emptied(parsed(source.html), _wanted(plain))
    else:
        html = thinned(parsed(source.html), seed_of(source, number))
    if html is None:
        return None
    about = replace(plain.about, variant=number)
    page, gold = parsed(html), source.gold or ""
    if number != EMPTIED:
        return _example(page, gold, about, vocabulary)
    blocks = cut(page)
    left = gold_shares(page.text, blocks.start, blocks.end, gold).found
    return _example(page, "", about, vocabulary) if left <= LEFT_OVER else None


def _grafts(bed: Bed, plain: Example, vocabulary: Vocabulary) -> Iterator[Example]:
    """Yield the page's main text in the first few hosts that can take it."""
    main = guest(parsed(bed.page.html), _wanted(plain))
    if main is None:
        return
    opened = ((source, _opened(source)) for source in bed.hosts)
    fit = ((source, place) for source, place in opened if place)
    for number, (source, place) in zip(GRAFTED, fit, strict=False):
        page = parsed(grafted(main, place))
        about = replace(plain.about, variant=number, host=f"{source.corpus}/{source.id}")
        example = _example(page, bed.page.gold or "", about, vocabulary)
        if example and example.about.usable:
            yield example


def _opened(source: Labelled) -> str | None:
    """Return a page with marks for another's main text, None where its own is not found in one place."""
    page = parsed(source.html)
    blocks = cut(page)
    found = gold_shares(page.text, blocks.start, blocks.end, source.gold or "")
    if not found.usable:
        return None
    return host(page, text_features(blocks).words.astype(np.float64) * np.nan_to_num(found.shares))


def _wanted(example: Example) -> NDArray[np.float64]:
    """Return how many words of each block are gold."""
    return example.view.words.astype(np.float64) * np.nan_to_num(example.shares)


def _example(page: Page, gold: str, about: About, vocabulary: Vocabulary) -> Example | None:
    """Return what is seen of a page beside its labels, None where it has no blocks."""
    blocks = cut(page)
    if not len(blocks):
        return None
    if words(gold):
        found = gold_shares(page.text, blocks.start, blocks.end, gold)
        # Of a thinned page most of the gold may be gone; what is left of it is still in its place.
        shares, usable = found.shares, found.usable or about.variant in THINNED
    else:
        shares, usable = np.zeros(len(blocks)), True
    empty = not np.nansum(shares) > 0
    return Example(replace(about, usable=usable, empty=empty), view(page, blocks, vocabulary), shares)
