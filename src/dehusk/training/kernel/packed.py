"""Packed: the kernel's examples as a few large arrays."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import cut
from dehusk.features.tokens import TokenVocabulary, unpacked
from dehusk.features.tree import ABOVE
from dehusk.gold.corpora import Corpus, training_pages
from dehusk.methods.kernel.features import NAMES, PAGE_NAMES, TAGS, page_features
from dehusk.page import Page
from dehusk.training.columns import Doubles, Floats, Ints, Longs
from dehusk.training.examples import PageInfo, nothing_to_train_on
from dehusk.training.kernel.examples import PLAIN, KernelExample, KernelPageInfo, examples
from dehusk.training.kernel.vocabulary import choose_tokens
from dehusk.training.packed import Packed, licences_of
from dehusk.training.progress import Tick

TOP: Final = 65535  # each feature is stored as a share of its highest value, from 0 to this
# Values above this quantile of a feature are clipped to it.
HIGHEST: Final = 0.9995
MIN_HIGH: Final = 1e-3  # for a feature that is always 0
SHARES: Final = 200  # steps of a label
UNKNOWN: Final = 255  # the label of a block without words
# A page whose features are written to the file: names alone do not show when a feature is computed differently.
PROBE: Final = (
    "<!doctype html><title>A title of some words</title>"
    "<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><main><h1>A title of some words</h1>"
    "<p>It rained, all day; nobody (not one) went out! <a href=/x>More</a> for £5.</p>"
    "<table><tr><td>12 mm<td>雪が降りました。</table></main><footer><p>© 2024 | Contact</p></footer>"
)
PROBE_ERROR: Final = 1e-3  # logarithms differ in their last digits between machines

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class KernelPacked(Packed):
    """Columns over all blocks of all examples, and some over the examples."""

    info: tuple[KernelPageInfo, ...]
    vocabulary: tuple[str, ...]
    size: Longs  # blocks of each example
    page: Floats  # one row per example, one column per name in `PAGE_NAMES`
    whole: Bytes  # one row per example: bits of the tokens of the whole page
    high: Floats  # the highest value of each feature
    numbers: NDArray[np.uint16]  # one row per feature
    near: Bytes  # one row per block: bits of tokens, eight per byte
    anywhere: Bytes
    above: Bytes
    tag: Bytes
    groups: Ints  # one row per way to group blocks
    words: Floats
    shares: Bytes

    method: ClassVar[str] = "the kernel"
    info_type: ClassVar[type[PageInfo]] = KernelPageInfo

    def __len__(self) -> int:
        return len(self.info)

    @classmethod
    def of(
        cls,
        made: Iterable[KernelExample],
        vocabulary: Sequence[str],
        licences: Mapping[str, str],
        skipped: Mapping[str, int],
    ) -> Self:
        """Pack examples; `skipped` may still grow while they are made."""
        all_ = list(made)
        if not all_:
            raise nothing_to_train_on(skipped)
        views, tokens = [example.view for example in all_], len(vocabulary)
        high, numbers = _quantised([view.matrix for view in views])
        return cls(
            tuple(example.info for example in all_),
            dict(licences),
            dict(skipped),
            tuple(vocabulary),
            np.array([len(view) for view in views], np.int64),
            np.stack([view.page for view in views]),
            _bits(np.stack([view.tokens.page for view in views]), tokens),
            high,
            numbers,
            np.concatenate([_bits(view.tokens.nearby, tokens) for view in views]),
            np.concatenate([_bits(view.tokens.anywhere, tokens) for view in views]),
            _bits(np.concatenate([view.above for view in views])[:, None], len(ABOVE)),
            np.concatenate([view.tag for view in views]).astype(np.uint8),
            np.concatenate([view.groups for view in views], axis=1),
            np.concatenate([view.words for view in views]),
            np.concatenate([_steps(example.shares) for example in all_]),
        )

    @property
    def start(self) -> Longs:
        """Where in the columns each example begins, and the end of the last."""
        return np.array([0, *accumulate(self.size.tolist())], np.int64)

    @property
    def labels(self) -> Doubles:
        """The share of each block's words that are gold, NaN if unknown."""
        return np.where(self.shares == UNKNOWN, np.nan, self.shares / SHARES)

    @property
    def digest(self) -> str:
        """A hash of what a network learns from: the same wherever the same version packs the same pages."""
        whole = hashlib.sha256(json.dumps([_fingerprint(), self.vocabulary, *map(asdict, self.info)]).encode())
        for array in self.arrays.values():
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()

    @property
    def summary(self) -> str:
        """How much there is, in words."""
        return f"{len(self):,} examples of {len(self.plain()):,} pages"

    @classmethod
    def features(cls) -> Any:
        """Return the names of the features, and their values on a page."""
        return {"names": _fingerprint(), "values": _probe().tolist()}

    @classmethod
    def computes(cls, features: Any) -> bool:
        """Return whether the features that a file was made with are those of this version."""
        same_names = features["names"] == _fingerprint()
        return same_names and np.allclose(features["values"], _probe(), atol=PROBE_ERROR)

    def blocks(self, examples: Iterable[int]) -> Longs:
        """Return the indices of the blocks of some examples."""
        start = self.start
        return np.concatenate([np.arange(start[example], start[example + 1]) for example in examples])

    def plain(self) -> list[int]:
        """Return the indices of the examples that are pages, not variants of them."""
        return [index for index, info in enumerate(self.info) if info.variant == PLAIN]

    def variants(self, pages: Sequence[int]) -> list[list[int]]:
        """Return all examples made of each page, including itself, but grafts only on hosts among these pages.

        So a model that must not see a site, or a set, does not see its templates around other pages' text either.
        """
        variants: dict[str, list[int]] = {self.info[page].name: [] for page in pages}
        for index, info in enumerate(self.info):
            if info.name in variants and (not info.host or info.host in variants):
                variants[info.name].append(index)
        return list(variants.values())


def pack(corpora: Sequence[Corpus], jobs: int, tick: Tick = lambda: None) -> KernelPacked:
    """Return the examples of all training pages, which are read twice; `tick` is called after each page."""
    tokens = choose_tokens(training_pages(corpora), jobs, tick)
    skipped: Counter[str] = Counter()
    made = examples(training_pages(corpora), TokenVocabulary.of(tokens), jobs, skipped, tick)
    return KernelPacked.of(made, tokens, licences_of(corpora), skipped)


def _fingerprint() -> list[object]:
    """Return what must be equal where features are made and where they are used."""
    return [list(NAMES), list(PAGE_NAMES), list(ABOVE), TAGS]


def _probe() -> Floats:
    page = Page.from_html(PROBE)
    return page_features(page, cut(page), TokenVocabulary.of(())).matrix


def _quantised(matrices: list[Floats]) -> tuple[Floats, NDArray[np.uint16]]:
    """Return the highest value of each feature, and all values as shares of it, one at a time to save memory."""
    features, blocks = len(matrices[0]), sum(matrix.shape[1] for matrix in matrices)
    high, numbers = np.empty(features, np.float32), np.empty((features, blocks), np.uint16)
    for row in range(features):
        values = np.concatenate([matrix[row] for matrix in matrices])
        high[row] = max(float(np.quantile(values, HIGHEST)), MIN_HIGH)
        numbers[row] = np.round(np.clip(values / high[row], 0, 1) * TOP)
    return high, numbers


def _bits(words: Longs, size: int) -> Bytes:
    """Return the bits of features packed, eight per byte."""
    return np.packbits(unpacked(words, size), axis=1, bitorder="little")


def _steps(shares: Doubles) -> Bytes:
    """Return labels in steps.

    >>> _steps(np.array([0.0, 0.5, 1.0, np.nan])).tolist()
    [0, 100, 200, 255]
    """
    return np.where(np.isnan(shares), UNKNOWN, np.round(np.nan_to_num(shares) * SHARES)).astype(np.uint8)
