"""Examples: pages with gold and variants of them, as the kernel sees them, with the gold share of each block."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from dehusk.blocks import cut
from dehusk.features.text import text_features
from dehusk.features.tokens import TokenVocabulary
from dehusk.gold.alignment import gold_shares
from dehusk.gold.pages import GoldPage
from dehusk.gold.word_sequences import words
from dehusk.methods.kernel.features import PageFeatures, page_features
from dehusk.page import Page
from dehusk.training.columns import Doubles
from dehusk.training.examples import NO_BLOCKS, NO_GOLD, PageInfo, make_in_workers, parse
from dehusk.training.kernel.grafts import PageWithHosts, graft, make_host, take_guest, with_hosts
from dehusk.training.kernel.variants import emptied, thinned
from dehusk.training.progress import Tick

# Variants: the page as it is; without random parts; its main text in other pages; without its main text.
PLAIN, THINNED, GRAFTED, EMPTIED = 0, range(1, 5), range(5, 9), 9
EMPTIED_SHARE: Final = 4  # one page in this many is shown without its main text
# Some words of the gold are in menus, too; if more than this share is left, removing the main text has failed.
LEFT_OVER: Final = 0.1
UNALIGNED: Final = "the gold was not found on the page (kept for measuring only)"


@dataclass(frozen=True, slots=True)
class KernelPageInfo(PageInfo):
    """Which page an example was made of, and how."""

    kind: str  # "" if unknown
    variant: int = PLAIN
    usable: bool = True  # whether the gold was found, so that it may be trained on
    empty: bool = False  # whether there is no main text
    host: str = ""  # the name of the page that a graft's main text was put into


@dataclass(frozen=True, slots=True, eq=False)
class KernelExample:
    """A page, or a variant of one, with labels."""

    info: KernelPageInfo
    view: PageFeatures
    shares: Doubles  # the share of each block's words that are gold; NaN if it has no words


def examples(
    pages: Iterable[GoldPage], vocabulary: TokenVocabulary, jobs: int, skipped: Counter[str], tick: Tick = lambda: None
) -> Iterator[KernelExample]:
    """Yield the examples of all pages, in order; pages that are left out are counted by reason in `skipped`.

    All pages are kept in memory, since each may be the host of any other.
    """
    tasks = with_hosts(pages, lambda page: seed_of(page, GRAFTED.start))
    return make_in_workers(partial(make_examples, vocabulary), tasks, jobs, skipped, tick)


def make_examples(vocabulary: TokenVocabulary, task: PageWithHosts) -> tuple[list[KernelExample], str]:
    """Return the examples of a page, and what is wrong with it or ""; runs in a worker."""
    source = task.page
    if source.gold is None:
        return [], NO_GOLD
    info = KernelPageInfo(source.corpus, source.id, source.site, source.kind or "")
    plain = _example(parse(source.html), source.gold, info, vocabulary)
    if plain is None:
        return [], NO_BLOCKS
    if not plain.info.usable:
        return [plain], UNALIGNED
    emptied_too = [EMPTIED] * (seed_of(source, EMPTIED) % EMPTIED_SHARE == 0)
    variants = (_variant(source, plain, variant, vocabulary) for variant in [*THINNED, *emptied_too])
    return [plain, *(variant for variant in variants if variant), *_grafts(task, plain, vocabulary)], ""


def seed_of(source: GoldPage, variant: int) -> int:
    """Return the seed of a variant: the same on every machine, in any order of pages."""
    name = f"{source.corpus}\0{source.id}\0{variant}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


def _variant(source: GoldPage, plain: KernelExample, variant: int, vocabulary: TokenVocabulary) -> KernelExample | None:
    if variant == EMPTIED:
        html = emptied(parse(source.html), _gold_words(plain))
    else:
        html = thinned(parse(source.html), seed_of(source, variant))
    if html is None:
        return None
    info = replace(plain.info, variant=variant)
    page, gold = parse(html), source.gold or ""
    if variant != EMPTIED:
        return _example(page, gold, info, vocabulary)
    blocks = cut(page)
    left = gold_shares(page.text, blocks.start, blocks.end, gold).found
    return _example(page, "", info, vocabulary) if left <= LEFT_OVER else None


def _grafts(task: PageWithHosts, plain: KernelExample, vocabulary: TokenVocabulary) -> Iterator[KernelExample]:
    """Yield the page's main text in the first few hosts that can take it."""
    guest = take_guest(parse(task.page.html), _gold_words(plain))
    if guest is None:
        return
    hosts = ((source, _host_markup(source)) for source in task.hosts)
    usable = ((source, markup) for source, markup in hosts if markup)
    for variant, (source, markup) in zip(GRAFTED, usable, strict=False):
        page = parse(graft(guest, markup))
        info = replace(plain.info, variant=variant, host=f"{source.corpus}/{source.id}")
        example = _example(page, task.page.gold or "", info, vocabulary)
        if example and example.info.usable:
            yield example


def _host_markup(source: GoldPage) -> str | None:
    """Return a page with placeholders for another's main text, None if its own is not found in one place."""
    page = parse(source.html)
    blocks = cut(page)
    alignment = gold_shares(page.text, blocks.start, blocks.end, source.gold or "")
    if not alignment.usable:
        return None
    return make_host(page, text_features(blocks).words.astype(np.float64) * np.nan_to_num(alignment.shares))


def _gold_words(example: KernelExample) -> Doubles:
    """Return how many words of each block are gold."""
    return example.view.words.astype(np.float64) * np.nan_to_num(example.shares)


def _example(page: Page, gold: str, info: KernelPageInfo, vocabulary: TokenVocabulary) -> KernelExample | None:
    """Return the features and labels of a page, None if it has no blocks."""
    blocks = cut(page)
    if not len(blocks):
        return None
    if words(gold):
        alignment = gold_shares(page.text, blocks.start, blocks.end, gold)
        # A thinned page may lack most of the gold; the rest of it is still aligned.
        shares, usable = alignment.shares, alignment.usable or info.variant in THINNED
    else:
        shares, usable = np.zeros(len(blocks)), True
    empty = not np.nansum(shares) > 0
    return KernelExample(replace(info, usable=usable, empty=empty), page_features(page, blocks, vocabulary), shares)
