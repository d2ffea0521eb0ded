"""Search: an index of what a method leaves of all pages, and the rank at which each query finds its page.

The engine is tantivy, which ranks by BM25. Query likelihood, which the paper uses, ranks by equation 8 of the paper
the pages that have one of the query's words, from the counts of the same words.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

import numpy as np
import tantivy
from numpy.typing import NDArray

MU: Final = 2000  # of Dirichlet smoothing, as in the paper
DEEPEST: Final = 100  # ranks beyond this count as not found
HEAP: Final = 512_000_000  # large enough that one segment holds all pages

Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """What an index costs, and for both models the rank of each query's page; 0 if it is not among the first."""

    index_bytes: int
    index_seconds: float
    search_seconds: float
    bm25: Longs
    likelihood: Longs


def search(texts: Sequence[str], queries: Sequence[str], targets: Sequence[int]) -> Searched:
    """Index texts and search them; `targets` has the index of the text that each query should find."""
    words = [words_of(query) for query in queries]
    with TemporaryDirectory() as folder:
        start = process_time()
        engine = Engine.build(texts, Path(folder))
        index_seconds = process_time() - start
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        start = process_time()
        results = [engine.find(each, DEEPEST) for each in words]
        seconds = process_time() - start
    bm25 = [_rank(each, page) for each, page in zip(results, targets, strict=True)]
    counts = WordCounts.of(texts, {word for query in words for word in query})
    likelihood = [_rank(counts.find(each, DEEPEST), page) for each, page in zip(words, targets, strict=True)]
    return Searched(size, index_seconds, seconds, np.array(bm25), np.array(likelihood))


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are searched for.

    >>> words_of("The shearers came, running")
    ['shearer', 'came', 'run']
    """
    return list(_analyzer().analyze(text))


@cache
def _analyzer() -> Any:
    """Return what splits texts into words, as in the paper's engine: without stop words, stems of English."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    filters = (tantivy.Filter.remove_long(40), tantivy.Filter.lowercase(), tantivy.Filter.stopword("english"))
    for each in (*filters, tantivy.Filter.stemmer("english")):
        builder = builder.filter(each)
    return builder.build()


@dataclass(frozen=True, slots=True)
class Engine:
    """An index on disk, without positions and without the texts."""

    schema: Any
    searcher: Any

    @classmethod
    def build(cls, texts: Sequence[str], folder: Path) -> "Engine":
        """Index texts, in one thread."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", tokenizer_name="words", index_option="freq")
        builder.add_integer_field("number", fast=True)
        schema = builder.build()
        index = tantivy.Index(schema, path=str(folder))
        index.register_tokenizer("words", _analyzer())
        writer = index.writer(HEAP, 1)
        for number, text in enumerate(texts):
            writer.add_document(tantivy.Document(text=text, number=number))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return cls(schema, index.searcher())

    def find(self, words: Sequence[str], limit: int) -> list[int]:
        """Return the indices of the best texts by BM25, best first."""
        terms = [(tantivy.Occur.Should, tantivy.Query.term_query(self.schema, "text", word, "freq")) for word in words]
        hits = self.searcher.search(tantivy.Query.boolean_query(terms), limit, count=False).hits
        indices = self.searcher.fast_field_values("number", [address for _, address in hits])
        return [int(index) for index in indices]


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """How often texts have each of some words, and how long they are."""

    postings: Mapping[str, tuple[Longs, Longs]]  # the texts that have a word, and how often
    lengths: Longs

    @classmethod
    def of(cls, texts: Sequence[str], words: set[str]) -> "WordCounts":
        """Count the given words."""
        columns: dict[str, tuple[list[int], list[int]]] = {word: ([], []) for word in words}
        lengths = []
        for index, text in enumerate(texts):
            tokens = words_of(text)
            lengths.append(len(tokens))
            for word, count in Counter(token for token in tokens if token in words).items():
                columns[word][0].append(index)
                columns[word][1].append(count)
        postings = {
            word: (np.array(where, np.int64), np.array(counts, np.int64)) for word, (where, counts) in columns.items()
        }
        return cls(postings, np.array(lengths, np.int64))

    def find(self, words: Sequence[str], limit: int) -> list[int]:
        """Return the indices of the best texts by query likelihood, best first, as `Engine.find` does."""
        holders = [self.postings[word][0] for word in words]
        candidates = np.unique(np.concatenate([np.zeros(0, np.int64), *holders]))
        order = np.argsort(-self.scores(words)[candidates], kind="stable")[:limit]
        return [int(index) for index in candidates[order]]

    def scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of each text by equation 8 of the paper."""
        total = int(self.lengths.sum())
        scores: NDArray[np.float64] = len(words) * np.log(MU / (MU + self.lengths))
        for word in words:
            where, counts = self.postings[word]
            scores[where] += np.log1p(counts / (MU * max(counts.sum(), 1) / total))
        return scores


def _rank(results: Sequence[int], target: int) -> int:
    """Return the rank of a page in a list of results, counted from 1; 0 if it is not there.

    >>> _rank([7, 3], 3), _rank([7, 3], 4)
    (2, 0)
    """
    return results.index(target) + 1 if target in results else 0


def measures(ranks: Longs) -> Iterator[NDArray[np.float64]]:
    """Yield for each query the reciprocal rank, NDCG@10, P@1 and P@5, of which one relevant page allows 0.2.

    >>> [each.tolist() for each in measures(np.array([1, 3, 0]))]
    [[1.0, 0.3333333333333333, 0.0], [1.0, 0.5, 0.0], [1.0, 0.0, 0.0], [0.2, 0.2, 0.0]]
    """
    hit, safe = ranks > 0, np.maximum(ranks, 1)
    yield hit / safe
    yield np.where(hit & (ranks <= 10), 1 / np.log2(safe + 1), 0.0)
    yield (ranks == 1).astype(np.float64)
    yield np.where(hit & (ranks <= 5), 1 / 5, 0.0)
