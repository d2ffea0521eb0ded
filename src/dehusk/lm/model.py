"""LanguageModel: n-gram tables of one language, and the perplexity of sentences under them.

Fernández-Pichel et al.: An unsupervised perplexity-based method for boilerplate removal. Natural Language Engineering,
2023. A word's probability is 0.8 P(word | the one before) + 0.2 P(word) + 0.000001, of trigrams 0.6, 0.3 and 0.1;
the perplexity of a sentence is 2 to the mean of its bits.

Where a sentence begins and ends is modelled, too, which the original program does not do: there every first word cost
20 bits. What that did by accident is done here on purpose, and told apart from the perplexity: a short sentence says
little, so it is judged as if `doubt` unknown words came after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from math import log2
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.lm.table import Table
from dehusk.lm.tokens import Tokens, batches, grams, tokens
from dehusk.weights import read_about

FORMAT: Final = 1
SHIPPED: Final = Path(__file__).parent.parent / "models" / "pyplexity"
# What each order counts for, single words first.
SHARES: Final[dict[int, tuple[float, ...]]] = {2: (0.2, 0.8), 3: (0.1, 0.3, 0.6)}
FLOOR: Final = 1e-6  # what any word may have, however rare
MOST_BITS: Final = -log2(FLOOR)

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel:
    """Tables of single words, pairs and perhaps threes, and what is known of them."""

    language: str
    tables: tuple[Table, ...] = field(repr=False)
    cutoff: float  # the perplexity, doubt included, from which on a sentence is boilerplate
    doubt: float  # unknown words that each sentence is judged to have besides its own
    folder: Path | None = None

    def __post_init__(self) -> None:
        if len(self.tables) not in SHARES:
            raise ModelError(f"a language model has tables of 2 or 3 orders, got {len(self.tables)}; train it anew")
        if not 0 <= self.doubt <= 1000:
            raise ModelError(f"a model's doubt must lie between 0 and 1,000 words, got {self.doubt}; train it anew")
        if not 1 < self.cutoff < 1 / FLOOR:
            raise ModelError(f"a cut-off must lie between 1 and {1 / FLOOR:,.0f}, got {self.cutoff}; train it anew")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Map the tables of a folder to memory: they are read where they are asked."""
        with read_about(folder, FORMAT, "dehusk train lm") as about:
            data = np.load(folder / "ngrams.npy", mmap_mode="r", allow_pickle=False).view(np.ndarray)
            if data.dtype != np.uint8 or data.ndim != 1:
                raise ValueError("expected a column of bytes")
            tables = []
            for entries in about["entries"]:
                table, data = Table.read(data, int(entries))
                tables.append(table)
            return cls(str(about["language"]), tuple(tables), float(about["cutoff"]), float(about["doubt"]), folder)

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes map the file themselves, and share its memory.
        if self.folder is not None:
            return loaded, (self.folder,)
        return type(self), (self.language, self.tables, self.cutoff, self.doubt)

    @property
    def name(self) -> str:
        """What the model is called: its folder, or its language."""
        return self.folder.resolve().name if self.folder else self.language

    @property
    def order(self) -> int:
        """How many words the longest of the n-grams have."""
        return len(self.tables)

    def bits(self, found: Tokens) -> Floats:
        """Return what each word costs after those before it, the mark at the end of a sentence too."""
        shares = SHARES[self.order]
        total = np.full(len(found.key) - 1, FLOOR)
        for order, (share, table) in enumerate(zip(shares, self.tables, strict=True), 1):
            total += share * table.probability(grams(found, order))
        out: Floats = -np.log2(np.minimum(total, 1.0))
        return out

    def sums(self, sentences: Iterable[str]) -> tuple[Floats, Counts]:
        """Return what each sentence costs in bits, and how many words it has, its end counted as one."""
        costs, words = [np.zeros(0)], [np.zeros(0, np.int64)]
        for batch in batches(sentences):
            found = tokens(batch)
            costs.append(np.add.reduceat(self.bits(found), found.mark[:-1]))
            words.append(np.diff(found.mark))
        return np.concatenate(costs), np.concatenate(words)

    def measured(self, sentences: Iterable[str]) -> tuple[Floats, Floats]:
        """Return the perplexity of each sentence, from 1 to 1,000,000, and its score."""
        costs, words = self.sums(sentences)
        return np.exp2(costs / words), self.scores(costs, words)

    def doubted(self, costs: Floats, words: Counts) -> Floats:
        """Return the bits a word of sentences, doubt included."""
        bits: Floats = (costs + self.doubt * MOST_BITS) / (words + self.doubt)
        return bits

    def scores(self, costs: Floats, words: Counts) -> Floats:
        """Return the scores of sentences that cost so much: from 0 to 1, and 0.5 at the cut-off, doubt included."""
        scores: Floats = np.interp(self.doubted(costs, words), (0, log2(self.cutoff), MOST_BITS), (0, 0.5, 1))
        return scores


@cache
def loaded(folder: Path) -> LanguageModel:
    """Return the model of a folder, read once."""
    return LanguageModel.load(folder)
