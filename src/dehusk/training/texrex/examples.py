"""Examples: the blocks of pages with gold as texrex sees them, and the share of each that the gold wants."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from dehusk.gold.pages import GoldPage
from dehusk.methods.languages import language_by_words
from dehusk.methods.texrex.features import NAMES, cut, texrex_features
from dehusk.training.columns import Floats
from dehusk.training.examples import NO_GOLD, PageInfo, label_blocks, make_in_workers, nothing_to_train_on, parse
from dehusk.training.packed import PackedBlocks
from dehusk.training.progress import Tick


@dataclass(frozen=True, slots=True)
class TexrexPageInfo(PageInfo):
    """Which page it is, and the language that texrex takes it for."""

    language: str


@dataclass(frozen=True, slots=True, eq=False)
class TexrexExample:
    """The blocks of a page."""

    info: TexrexPageInfo
    matrix: Floats  # one row per block
    shares: Floats  # the share of each block's words that are gold; NaN if it has no words
    words: Floats


@dataclass(frozen=True, slots=True, eq=False)
class TexrexPacked(PackedBlocks):
    """The blocks of many pages as columns."""

    info: tuple[TexrexPageInfo, ...]

    method: ClassVar[str] = "texrex"
    info_type: ClassVar[type[PageInfo]] = TexrexPageInfo
    quirks: ClassVar[bool] = False

    @classmethod
    def features(cls) -> Any:
        """Return the names of the features."""
        # The number changes with what a name stands for: since 2, sentences end in every script.
        return [*NAMES, 2]


class QuirkyPacked(TexrexPacked):
    """The same with the numbers of the original program."""

    quirks: ClassVar[bool] = True

    @classmethod
    def features(cls) -> Any:
        """Return the names of the features."""
        return [*NAMES, "quirks"]


def pack(
    pages: Iterable[GoldPage],
    licences: Mapping[str, str],
    jobs: int,
    tick: Tick = lambda: None,
    kind: type[TexrexPacked] = TexrexPacked,
) -> TexrexPacked:
    """Return the examples of all pages."""
    skipped: Counter[str] = Counter()
    examples = list(make_in_workers(partial(make_examples, kind.quirks), pages, jobs, skipped, tick))
    if not examples:
        raise nothing_to_train_on(skipped)
    sizes = [len(example.shares) for example in examples]
    return kind(
        tuple(example.info for example in examples),
        licences,
        dict(skipped),
        np.concatenate([example.matrix for example in examples]),
        np.concatenate([example.shares for example in examples]),
        np.concatenate([example.words for example in examples]),
        np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
    )


def make_examples(quirks: bool, source: GoldPage) -> tuple[list[TexrexExample], str]:
    """Return the example of a page, or what is wrong with it; runs in a worker."""
    if source.gold is None:
        return [], NO_GOLD
    page = parse(source.html)
    blocks = cut(page)
    labels = label_blocks(page, blocks.start, blocks.end, source.gold)
    if isinstance(labels, str):
        return [], labels
    matrix = np.ascontiguousarray(texrex_features(page, blocks, quirks=quirks).T)
    info = TexrexPageInfo(source.corpus, source.id, source.site, language_by_words(page) or "")
    return [TexrexExample(info, matrix, labels.shares.astype(np.float32), labels.words.astype(np.float32))], ""
