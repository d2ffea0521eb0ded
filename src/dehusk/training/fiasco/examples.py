"""Examples: the targets of pages with gold, their features and words, and the share of each that the gold wants."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.characters import word_totals
from dehusk.gold.alignment import gold_shares
from dehusk.gold.corpora import Corpus
from dehusk.gold.pages import GoldPage
from dehusk.methods.fiasco import visual
from dehusk.methods.fiasco.fast_tokens import TokenKind
from dehusk.methods.fiasco.features import FAMILIES, columns, target_features
from dehusk.methods.fiasco.targets import Targets, find_targets
from dehusk.methods.fiasco.words import Lexicon, Tokens, tokens
from dehusk.page import Page
from dehusk.rendering.cache import Cache
from dehusk.rendering.layout import Layout
from dehusk.training.examples import (
    NO_BLOCKS,
    NO_GOLD,
    UNALIGNED,
    PageInfo,
    make_in_workers,
    nothing_to_train_on,
    parse,
)
from dehusk.training.packed import Packed
from dehusk.training.progress import Tick

PAGES: Final = 200  # of each set: a machine learns from some thousand targets, and no set should outweigh the others
LEAST_PAGES: Final = 5  # on which a word occurs that may be a keyword
NOT_RENDERED: Final = "no layout of the page"
JOINED: Final = ("matrix", "shares", "words", "own_tokens", "all_tokens")
WORD_COLUMNS: Final = ("word_target", "word", "in_own", "in_all")

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class FiascoExample:
    """The targets of a page."""

    info: PageInfo
    matrix: Floats  # one row per target, all families; the columns of the keywords are empty
    shares: Floats  # of each target's words that are gold; NaN if it has none
    words: Floats
    own_tokens: Ints
    all_tokens: Ints
    vocabulary: tuple[str, ...]
    word_target: Ints  # one row per target and word in it
    word: Ints
    in_own: Ints
    in_all: Ints


@dataclass(frozen=True, slots=True, eq=False)
class FiascoPacked(Packed):
    """The targets of many pages as columns."""

    matrix: Floats
    shares: Floats
    words: Floats
    own_tokens: Ints
    all_tokens: Ints
    page: Ints  # the number of each target's page
    vocabulary: tuple[str, ...]  # words on at least `LEAST_PAGES` pages
    word_target: Ints
    word: Ints
    in_own: Ints
    in_all: Ints

    method: ClassVar[str] = "fiasco"
    info_type: ClassVar[type[PageInfo]] = PageInfo
    replaced: ClassVar[bool] = True

    @property
    def summary(self) -> str:
        """How much there is, in words."""
        return f"{len(self.page):,} targets of {len(self.info):,} pages"

    @classmethod
    def features(cls) -> Any:
        """Return the names of the features."""
        return [*columns(FAMILIES), 1]


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """What features are computed with: a lexicon, and whether there are layouts of the pages in the cache."""

    lexicon: Lexicon
    layouts: bool = False


class VisualPacked(FiascoPacked):
    """The same with visual features, which are 0 otherwise."""

    @classmethod
    def features(cls) -> Any:
        """Return the names of the features."""
        return [*super().features(), "seen"]


def drawn_pages(corpora: Iterable[Corpus]) -> Iterator[GoldPage]:
    """Yield the pages of corpora that are trained on."""
    return chain.from_iterable(corpus.pages("train", PAGES) for corpus in corpora)


def pack(
    pages: Iterable[GoldPage], licences: Mapping[str, str], means: Means, jobs: int, tick: Tick = lambda: None
) -> FiascoPacked:
    """Return the examples of all pages."""
    skipped: Counter[str] = Counter()
    examples = list(make_in_workers(make_examples, means, pages, jobs, skipped, tick))
    if not examples:
        raise nothing_to_train_on(skipped)
    vocabulary = _vocabulary(examples)
    words = zip(*_renumbered(examples, vocabulary), strict=True)
    columns: dict[str, Any] = {
        **{name: np.concatenate([getattr(each, name) for each in examples]) for name in JOINED},
        **dict(zip(WORD_COLUMNS, map(np.concatenate, words), strict=True)),
    }
    return (VisualPacked if means.layouts else FiascoPacked)(
        info=tuple(example.info for example in examples),
        licences=licences,
        skipped=dict(skipped),
        page=np.repeat(np.arange(len(examples), dtype=np.int32), [len(each.shares) for each in examples]),
        vocabulary=vocabulary,
        **columns,
    )


def make_examples(means: Means, source: GoldPage) -> tuple[list[FiascoExample], str]:
    """Return the example of a page, or what is wrong with it; runs in a worker."""
    if source.gold is None:
        return [], NO_GOLD
    page = parse(source.html)
    targets = find_targets(page)
    if not len(targets):
        return [], NO_BLOCKS
    shares = target_shares(page, targets, source.gold)
    if shares is None:
        return [], UNALIGNED
    layout = Cache.usual().load(page.html) if means.layouts else None
    if means.layouts and layout is None:
        return [], NOT_RENDERED
    info = PageInfo(source.corpus, source.id, source.site)
    return [example(info, page, targets, shares, means.lexicon, layout)], ""


def target_shares(page: Page, targets: Targets, gold: str) -> NDArray[np.float64] | None:
    """Return the share of each target's words that are gold; None if the gold was not found on the page."""
    if not gold.strip():
        return np.zeros(len(targets))
    alignment = gold_shares(page.text, targets.start, targets.end, gold)
    return alignment.shares if alignment.usable else None


def example(
    info: PageInfo,
    page: Page,
    targets: Targets,
    shares: NDArray[np.floating[Any]],
    lexicon: Lexicon,
    layout: Layout | None = None,
) -> FiascoExample:
    """Return the features and words of a page's targets."""
    read = tokens(page, targets)
    matrix = [target_features(page, targets, lexicon, read), visual.features(page, targets, layout)]
    of_token = targets.of_leaf[read.leaf]
    own = targets.own[read.leaf]
    totals = word_totals(page.text)
    vocabulary, target, word, in_own, in_all = _words(page.text, read, of_token, own)
    return FiascoExample(
        info,
        np.concatenate(matrix, axis=1).astype(np.float32),
        shares.astype(np.float32),
        (totals[targets.end] - totals[targets.start]).astype(np.float32),
        np.bincount(of_token[own], minlength=len(targets)).astype(np.int32),
        np.bincount(of_token, minlength=len(targets)).astype(np.int32),
        vocabulary,
        target,
        word,
        in_own,
        in_all,
    )


def _words(
    text: str, read: Tokens, of_token: Ints, own: NDArray[np.bool_]
) -> tuple[tuple[str, ...], Ints, Ints, Ints, Ints]:
    """Return the different words, and how often each is in each target: in its own text, and in all of it."""
    words = np.flatnonzero(read.kind == TokenKind.WORD)
    _, first, number = np.unique(read.key[words], return_index=True, return_inverse=True)
    vocabulary = tuple(_word_at(text, int(read.end[place])) for place in words[first].tolist())
    width = max(1, len(vocabulary))
    pairs, place = np.unique(of_token[words].astype(np.int64) * width + number, return_inverse=True)
    counts = [np.bincount(place, weights, len(pairs)).astype(np.int32) for weights in (own[words], None)]
    return vocabulary, (pairs // width).astype(np.int32), (pairs % width).astype(np.int32), counts[0], counts[1]


def _word_at(text: str, end: int) -> str:
    """Return the word that ends at a place, in lower case; in scripts without spaces, one character."""
    start = end - 1
    while start > 0 and text[start - 1].isalnum() and text[end - 1] < "\u0e00":
        start -= 1
    return text[start:end].lower()


def _vocabulary(examples: Iterable[FiascoExample]) -> tuple[str, ...]:
    pages = Counter(word for example in examples for word in set(example.vocabulary))
    return tuple(sorted(word for word, count in pages.items() if count >= LEAST_PAGES))


def _renumbered(examples: Iterable[FiascoExample], vocabulary: tuple[str, ...]) -> Iterator[tuple[Ints, ...]]:
    """Yield the word columns of each page, with the numbers of all pages' words and targets."""
    numbers = {word: number for number, word in enumerate(vocabulary)}
    targets = 0
    for each in examples:
        renumbered = np.array([numbers.get(word, -1) for word in each.vocabulary], np.int32)
        word = renumbered[each.word] if len(renumbered) else each.word
        known = word >= 0
        yield each.word_target[known] + np.int32(targets), word[known], each.in_own[known], each.in_all[known]
        targets += len(each.shares)
