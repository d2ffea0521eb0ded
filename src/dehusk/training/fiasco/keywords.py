"""Keywords: words that are significantly more frequent in clean text than in dirty text, or the other way round.

They must also be substantially more frequent than in general language, and are ranked by keyness: a conservative
estimate of the log odds ratio, the lower end of its 95 % interval. A page adds a few to the count of a word at most,
so that the subject of one long page is no keyword.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.compressed import decompressed
from dehusk.methods.fiasco.fast_tokens import TokenKind, key_of
from dehusk.methods.fiasco.words import PageTokens
from dehusk.training.columns import Bools, Doubles, Floats
from dehusk.training.fiasco.examples import FiascoPacked

COUNT: Final = 1000  # of each kind; 100, 300 and 1,000 by site: research/fiasco/README.md
MOST_PER_PAGE: Final = 3
LEAST: Final = 10  # how often a keyword occurs
SUBSTANTIALLY: Final = 2.0  # times its frequency in general language
DEVIATIONS: Final = 1.96
READ: Final = 4_000_000  # bytes of each file of general language


@dataclass(frozen=True, slots=True)
class Keywords:
    """The words of each kind, the best first."""

    clean: tuple[str, ...]
    dirty: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class General:
    """How often words occur in general language, by their keys; without any text, no word is left out."""

    counts: Mapping[int, int] = field(default_factory=dict)
    total: int = 0

    def shares(self, words: Sequence[str]) -> Doubles:
        """Return the share of each word among all."""
        counts = np.array([self.counts.get(key_of(word), 0) for word in words], np.float64)
        return counts / max(1, self.total)


def general_language(files: Iterable[Path]) -> General:
    """Count the words at the beginning of each file."""
    parts = []
    for path in files:
        with path.open("rb") as file:
            text = decompressed(file, path).read(READ).decode("utf-8", "ignore")
        read = PageTokens.of(text, np.zeros(1, np.int32), np.array([len(text)], np.int32), np.ones(1, np.bool_))
        parts.append(read.key[read.kind == TokenKind.WORD])
    keys, counts = np.unique(np.concatenate(parts or [np.zeros(0, np.int64)]), return_counts=True)
    return General(dict(zip(keys.tolist(), counts.tolist(), strict=True)), int(counts.sum()))


def choose(packed: FiascoPacked, rows: Bools, general: General, count: int = COUNT) -> Keywords:
    """Return the keywords of some targets of the packed pages."""
    clean, dirty = (_counts(packed, rows & of) for of in (packed.shares >= 0.5, packed.shares < 0.5))
    usual = general.shares(packed.vocabulary)
    return Keywords(*(_best(packed.vocabulary, *pair, usual, count) for pair in ((clean, dirty), (dirty, clean))))


def columns(packed: FiascoPacked, keywords: Keywords) -> Floats:
    """Return the columns `KEYWORDS` of all targets."""
    indices = {word: index for index, word in enumerate(packed.vocabulary)}
    total = np.stack([packed.own_tokens, packed.all_tokens], axis=1)
    shares = np.zeros((len(packed.page), 4), np.float32)
    for kind, words in enumerate((keywords.clean, keywords.dirty)):
        chosen = np.zeros(len(packed.vocabulary), np.bool_)
        chosen[[indices[word] for word in words]] = True
        mine = chosen[packed.word]
        for scope, counts in enumerate((packed.in_own, packed.in_all)):
            hits = np.bincount(packed.word_target[mine], counts[mine], len(packed.page))
            shares[:, 2 * scope + kind] = hits / np.maximum(1, total[:, scope])
    return shares


def _counts(packed: FiascoPacked, rows: Bools) -> Doubles:
    """Return how often each word occurs in some targets, at most `MOST_PER_PAGE` times for each page."""
    inside = rows[packed.word_target]
    words, width = packed.word[inside].astype(np.int64), len(packed.vocabulary)
    pages = packed.page[packed.word_target[inside]].astype(np.int64)
    pairs, which = np.unique(pages * width + words, return_inverse=True)
    per_page = np.minimum(np.bincount(which, packed.in_all[inside], len(pairs)), MOST_PER_PAGE)
    return np.bincount(pairs % width, per_page, width).astype(np.float64)


def _best(words: Sequence[str], here: Doubles, there: Doubles, usual: Doubles, count: int) -> tuple[str, ...]:
    """Return the words that are most typical of `here`."""
    keyness = _keyness(here, there)
    frequent = here / max(1.0, here.sum()) > SUBSTANTIALLY * usual
    allowed = (here >= LEAST) & (keyness > 0) & frequent
    ranked = np.argsort(np.where(allowed, -keyness, np.inf), kind="stable")[: min(count, int(allowed.sum()))]
    return tuple(words[index] for index in ranked.tolist())


def _keyness(here: Doubles, there: Doubles) -> Doubles:
    """Return the lower end of the interval of each log odds ratio; half a word more avoids logarithms of 0.

    >>> _keyness(np.array([50.0, 1.0]), np.array([1.0, 50.0])).round(1)
    array([ 4.7, -9.3])
    """
    cells = [here + 0.5, here.sum() - here + 0.5, there + 0.5, there.sum() - there + 0.5]
    ratio = np.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    deviation = np.sqrt(sum(1 / cell for cell in cells))
    keyness: Doubles = ratio - DEVIATIONS * deviation
    return keyness
