"""Examples: the targets of pages with gold, their features and words, and the share of each that the gold wants."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Final

import numpy as np

from dehusk.gold.corpora import Corpus
from dehusk.gold.pages import GoldPage
from dehusk.methods.fiasco import visual
from dehusk.methods.fiasco.fast_tokens import TokenKind
from dehusk.methods.fiasco.features import FAMILIES, columns, target_features
from dehusk.methods.fiasco.targets import find_targets
from dehusk.methods.fiasco.words import Lexicon, PageTokens, tokens
from dehusk.rendering.cache import Cache
from dehusk.training.columns import Bools, Floats, Ints
from dehusk.training.examples import NO_GOLD, PageInfo, label_blocks, make_in_workers, nothing_to_train_on, parse
from dehusk.training.packed import PackedBlocks
from dehusk.training.progress import Tick

PAGES: Final = 200  # of each set: a machine learns from some thousand targets, and no set should outweigh the others
LEAST_PAGES: Final = 5  # on which a word occurs that may be a keyword
NOT_RENDERED: Final = "no layout of the page"
JOINED: Final = ("matrix", "shares", "words", "own_tokens", "all_tokens")
WORD_COLUMNS: Final = ("word_target", "word", "in_own", "in_all")


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
class FiascoPacked(PackedBlocks):
    """The targets of many pages as columns."""

    own_tokens: Ints
    all_tokens: Ints
    vocabulary: tuple[str, ...]  # words on at least `LEAST_PAGES` pages
    word_target: Ints
    word: Ints
    in_own: Ints
    in_all: Ints

    method: ClassVar[str] = "fiasco"
    unit: ClassVar[str] = "targets"
    info_type: ClassVar[type[PageInfo]] = PageInfo

    @classmethod
    def features(cls) -> Any:
        """Return the names of the features."""
        return [*columns(FAMILIES), 1]


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
    pages: Iterable[GoldPage],
    licences: Mapping[str, str],
    lexicon: Lexicon,
    jobs: int,
    tick: Tick = lambda: None,
    *,
    layouts: bool = False,
) -> FiascoPacked:
    """Return the examples of all pages; with `layouts` also their visual features, from the layouts in the cache."""
    skipped: Counter[str] = Counter()
    examples = list(make_in_workers(partial(make_examples, lexicon, layouts), pages, jobs, skipped, tick))
    if not examples:
        raise nothing_to_train_on(skipped)
    in_pages = Counter(word for example in examples for word in set(example.vocabulary))
    vocabulary = tuple(sorted(word for word, count in in_pages.items() if count >= LEAST_PAGES))
    words = zip(*_renumbered(examples, vocabulary), strict=True)
    columns: dict[str, Any] = {
        **{name: np.concatenate([getattr(each, name) for each in examples]) for name in JOINED},
        **dict(zip(WORD_COLUMNS, map(np.concatenate, words), strict=True)),
    }
    return (VisualPacked if layouts else FiascoPacked)(
        info=tuple(example.info for example in examples),
        licences=licences,
        skipped=dict(skipped),
        page=np.repeat(np.arange(len(examples), dtype=np.int32), [len(each.shares) for each in examples]),
        vocabulary=vocabulary,
        **columns,
    )


def make_examples(lexicon: Lexicon, layouts: bool, source: GoldPage) -> tuple[list[FiascoExample], str]:
    """Return the example of a page, or what is wrong with it; runs in a worker."""
    if source.gold is None:
        return [], NO_GOLD
    page = parse(source.html)
    targets = find_targets(page)
    labels = label_blocks(page, targets.start, targets.end, source.gold)
    if isinstance(labels, str):
        return [], labels
    layout = Cache.usual().load(page.html) if layouts else None
    if layouts and layout is None:
        return [], NOT_RENDERED
    read = tokens(page, targets)
    matrix = [target_features(page, targets, lexicon, read), visual.features(page, targets, layout)]
    of_token, own = targets.of_leaf[read.leaf], targets.own[read.leaf]
    example = FiascoExample(
        PageInfo(source.corpus, source.id, source.site),
        np.concatenate(matrix, axis=1).astype(np.float32),
        labels.shares.astype(np.float32),
        labels.words.astype(np.float32),
        np.bincount(of_token[own], minlength=len(targets)).astype(np.int32),
        np.bincount(of_token, minlength=len(targets)).astype(np.int32),
        *_words(page.text, read, of_token, own),
    )
    return [example], ""


def _words(text: str, read: PageTokens, of_token: Ints, own: Bools) -> tuple[tuple[str, ...], Ints, Ints, Ints, Ints]:
    """Return the different words, and how often each is in each target: in its own text, and in all of it."""
    words = np.flatnonzero(read.kind == TokenKind.WORD)
    _, first, index = np.unique(read.key[words], return_index=True, return_inverse=True)
    vocabulary = tuple(_word_at(text, int(read.end[token])) for token in words[first].tolist())
    width = max(1, len(vocabulary))
    pairs, which = np.unique(of_token[words].astype(np.int64) * width + index, return_inverse=True)
    counts = [np.bincount(which, weights, len(pairs)).astype(np.int32) for weights in (own[words], None)]
    return vocabulary, (pairs // width).astype(np.int32), (pairs % width).astype(np.int32), counts[0], counts[1]


def _word_at(text: str, end: int) -> str:
    """Return the word that ends at an offset, in lower case; in scripts without spaces, one character."""
    start = end - 1
    while start > 0 and text[start - 1].isalnum() and text[end - 1] < "\u0e00":
        start -= 1
    return text[start:end].lower()


def _renumbered(examples: Iterable[FiascoExample], vocabulary: tuple[str, ...]) -> Iterator[tuple[Ints, ...]]:
    """Yield the word columns of each page, with the indices of all pages' words and targets."""
    indices = {word: index for index, word in enumerate(vocabulary)}
    targets = 0
    for each in examples:
        renumbered = np.array([indices.get(word, -1) for word in each.vocabulary], np.int32)
        word = renumbered[each.word] if len(renumbered) else each.word
        known = word >= 0
        yield each.word_target[known] + np.int32(targets), word[known], each.in_own[known], each.in_all[known]
        targets += len(each.shares)
