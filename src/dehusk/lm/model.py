"""LanguageModel: n-gram tables of one language, and the perplexity of sentences under them.

Fernández-Pichel et al.: An unsupervised perplexity-based method for boilerplate removal. Natural Language Engineering,
2023. A word's probability is 0.8 P(word | the one before) + 0.2 P(word) + 0.000001, of trigrams 0.6, 0.3 and 0.1;
the perplexity of a sentence is 2 to the mean of its bits.

The beginning and end of a sentence are modelled, too, unlike in the original program, where every first word cost 20
bits. The accidental effect of that is made explicit here, and kept separate from the perplexity: a short sentence says
little, so it is scored as if `doubt` unknown words came after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log2
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.lm.table import ProbabilityTable
from dehusk.lm.tokens import HashedTokens, batches, grams, tokens
from dehusk.model_files import FromFolder, open_description

FORMAT: Final = 1
# The weight of each order, single words first.
SHARES: Final[dict[int, tuple[float, ...]]] = {2: (0.2, 0.8), 3: (0.1, 0.3, 0.6)}
FLOOR: Final = 1e-6  # the probability of any word, however rare
MOST_BITS: Final = -log2(FLOOR)

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel(FromFolder):
    """Tables of single words, pairs and perhaps triples, and how to score with them."""

    language: str
    tables: tuple[ProbabilityTable, ...] = field(repr=False)
    cutoff: float  # the perplexity, including doubt, from which on a sentence is boilerplate
    doubt: float  # unknown words that are added to each sentence when it is scored
    folder: Path | None = None

    def __post_init__(self) -> None:
        if len(self.tables) not in SHARES:
            raise ModelError(f"a language model has tables of 2 or 3 orders, got {len(self.tables)}; retrain it")
        if not 0 <= self.doubt <= 1000:
            raise ModelError(f"a model's doubt must lie between 0 and 1,000 words, got {self.doubt}; retrain it")
        if not 1 < self.cutoff < 1 / FLOOR:
            raise ModelError(f"a cut-off must lie between 1 and {1 / FLOOR:,.0f}, got {self.cutoff}; retrain it")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Map the tables of a folder to memory; they are read when needed."""
        with open_description(folder, FORMAT, "dehusk train lm") as description:
            data = np.load(folder / "ngrams.npy", mmap_mode="r", allow_pickle=False).view(np.ndarray)
            if data.dtype != np.uint8 or data.ndim != 1:
                raise ValueError("expected a column of bytes")
            tables = []
            for entries in description["entries"]:
                table, data = ProbabilityTable.read(data, int(entries))
                tables.append(table)
            cutoff, doubt = float(description["cutoff"]), float(description["doubt"])
            return cls(str(description["language"]), tuple(tables), cutoff, doubt, folder)

    @property
    def name(self) -> str:
        """The name of its folder, or else its language."""
        return self.folder.resolve().name if self.folder else self.language

    @property
    def order(self) -> int:
        """The length of the longest n-grams in words."""
        return len(self.tables)

    def bits(self, words: HashedTokens) -> Floats:
        """Return the bits of each word given the words before it, and of the mark at the end of each sentence."""
        total = np.full(len(words.key) - 1, FLOOR)
        for order, (share, table) in enumerate(zip(SHARES[self.order], self.tables, strict=True), 1):
            total += share * table.probability(grams(words, order))
        out: Floats = -np.log2(np.minimum(total, 1.0))
        return out

    def sums(self, sentences: Iterable[str]) -> tuple[Floats, Counts]:
        """Return the bits of each sentence, and its number of words, with its end as one more."""
        costs, words = [np.zeros(0)], [np.zeros(0, np.int64)]
        for batch in batches(sentences):
            hashed = tokens(batch)
            costs.append(np.add.reduceat(self.bits(hashed), hashed.mark[:-1]))
            words.append(np.diff(hashed.mark))
        return np.concatenate(costs), np.concatenate(words)

    def measured(self, sentences: Iterable[str]) -> tuple[Floats, Floats]:
        """Return the perplexity of each sentence, from 1 to 1,000,000, and its score."""
        costs, words = self.sums(sentences)
        return np.exp2(costs / words), self.scores(costs, words)

    def doubted(self, costs: Floats, words: Counts) -> Floats:
        """Return the bits per word of sentences, including doubt."""
        bits: Floats = (costs + self.doubt * MOST_BITS) / (words + self.doubt)
        return bits

    def scores(self, costs: Floats, words: Counts) -> Floats:
        """Return the scores of sentences with so many bits: from 0 to 1, with 0.5 at the cut-off, including doubt."""
        scores: Floats = np.interp(self.doubted(costs, words), (0, log2(self.cutoff), MOST_BITS), (0, 0.5, 1))
        return scores
