"""Packed: the text nodes of many pages as columns, with words and chains of tags as numbers.

All words are kept, not only those of a vocabulary, so that each experiment can choose its own from its own training
pages.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.training.columns import Bools, Floats, Ints, Longs
from dehusk.training.examples import PageInfo, nothing_to_train_on
from dehusk.training.packed import Packed

MAX_COUNT: Final = 65535  # of one word in one leaf


@dataclass(frozen=True, slots=True)
class BoilernetPageInfo(PageInfo):
    """Which page it is, and how many labelled text nodes the page's tree does not have."""

    split: str
    lost_boilerplate: int = 0
    lost_content: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class BoilernetExample:
    """The text nodes of a page."""

    info: BoilernetPageInfo
    chains: tuple[str, ...]  # the tags above each, outermost first, separated by spaces
    words: tuple[tuple[str, ...], ...]
    labels: Floats  # how much of each is boilerplate; NaN if unknown
    nodes: NDArray[np.uint16]  # how many labelled nodes each is, since others may have parsed the page differently
    sizes: Floats  # in words, as texts are measured


@dataclass(frozen=True, slots=True, eq=False)
class BoilernetPacked(Packed):
    """Pages, their leaves one after the other, and the words of each leaf one after the other."""

    info: tuple[BoilernetPageInfo, ...]
    chains: tuple[str, ...]
    words: tuple[str, ...]
    size: Ints  # leaves of each page
    chain: Ints  # the index of each leaf's chain
    distinct: Ints  # how many different words each leaf has
    word: Ints  # their indices
    count: NDArray[np.uint16]  # how often each occurs in the leaf
    labels: Floats
    nodes: NDArray[np.uint16]
    sizes: Floats

    method: ClassVar[str] = "boilernet"
    info_type: ClassVar[type[PageInfo]] = BoilernetPageInfo

    @property
    def summary(self) -> str:
        """How much there is, in words."""
        return f"{len(self.labels):,} text nodes of {len(self.info):,} pages"

    @classmethod
    def of(cls, examples: Iterable[BoilernetExample], licences: Mapping[str, str], skipped: Mapping[str, int]) -> Self:
        """Pack examples; `skipped` may still grow while they are made."""
        chains: dict[str, int] = {}
        words: dict[str, int] = {}
        pages = [_columns(example, chains, words) for example in examples]
        if not pages:
            raise nothing_to_train_on(skipped)
        info, *columns = zip(*pages, strict=True)
        size = np.array([len(column) for column in columns[0]], np.int32)
        arrays = (np.concatenate(column) for column in columns)
        return cls(info, licences, dict(skipped), tuple(chains), tuple(words), size, *arrays)

    @property
    def start(self) -> Longs:
        """Where the leaves of each page begin, and the end of the last."""
        return np.concatenate(([0], np.cumsum(self.size, dtype=np.int64)))

    def only(self, leaves: Bools) -> Self:
        """Return the same pages with only some of their leaves."""
        ends = np.concatenate(([0], np.cumsum(leaves)))[self.start]
        words = np.repeat(leaves, self.distinct)
        columns = {name: getattr(self, name)[leaves] for name in ("chain", "distinct", "labels", "nodes", "sizes")}
        size = np.diff(ends).astype(np.int32)
        return replace(self, size=size, word=self.word[words], count=self.count[words], **columns)


def _columns(example: BoilernetExample, chains: dict[str, int], words: dict[str, int]) -> tuple[Any, ...]:
    """Return an example as columns; its strings are added to the dictionaries."""
    counted = [Counter(leaf) for leaf in example.words]
    return (
        example.info,
        np.array([chains.setdefault(chain, len(chains)) for chain in example.chains], np.int32),
        np.array([len(leaf) for leaf in counted], np.int32),
        np.array([words.setdefault(word, len(words)) for leaf in counted for word in leaf], np.int32),
        np.array([min(count, MAX_COUNT) for leaf in counted for count in leaf.values()], np.uint16),
        example.labels,
        example.nodes,
        example.sizes,
    )
