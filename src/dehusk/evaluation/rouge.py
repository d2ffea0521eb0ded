"""ROUGE: the overlap of two texts in word n-grams, and in the words that their lines share in order."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice

from rapidfuzz.distance import LCSseq

from dehusk.evaluation.metrics import MatchCounts, Split
from dehusk.gold.word_sequences import words

# About one second for a page of 50,000 words. With five times as many, no page of wcxb-dev changed by more than 0.0011:
# the line that a gold line came from contains its rarest words.
LINE_PAIRS = 60_000


def rouge_n(output: str, gold: str, n: int = 5, split: Split = words) -> MatchCounts:
    """Return how many n-grams both texts share, each as often as both have it.

    >>> rouge_n("the cat sat on the mat", "the cat sat on a mat", n=2)
    MatchCounts(tp=3, fp=2, fn=2)
    """
    extracted, expected = _grams(split(output), n), _grams(split(gold), n)
    both = (extracted & expected).total()
    return MatchCounts(both, extracted.total() - both, expected.total() - both)


def _grams(tokens: Iterable[str], n: int) -> Counter[tuple[str, ...]]:
    """Return the n-grams with their counts."""
    listed = list(tokens)
    return Counter(zip(*(listed[step:] for step in range(n)), strict=False))


def rouge_lsum(output: str, gold: str, split: Split = words) -> MatchCounts:
    r"""Return how many words the lines of both texts have in common, summed over the lines of the gold.

    The matches of a gold line are the union of its longest common subsequences with every line of the output; a word
    counts no more often than either text has it (Lin 2004, in the form of Google's rouge_score). Lines end at "\n";
    beyond `LINE_PAIRS` a gold line is only compared with the lines that share its rarest words.

    >>> rouge_lsum("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    MatchCounts(tp=4, fp=6, fn=1)
    """
    extracted, expected = ([list(split(line)) for line in text.split("\n")] for text in (output, gold))
    lines = _Lines(extracted, max(1, LINE_PAIRS // len(expected)))
    budget = Counter(chain.from_iterable(extracted)) & Counter(chain.from_iterable(expected))
    both = 0
    for line in expected:
        hits = Counter(line[index] for index in lines.shared_with(line)) & budget
        budget.subtract(hits)
        both += hits.total()
    return MatchCounts(both, sum(map(len, extracted)) - both, sum(map(len, expected)) - both)


class _Lines:
    """The distinct lines of the output, and for each word the lines that contain it."""

    def __init__(self, lines: Iterable[Sequence[str]], limit: int) -> None:
        self.lines = list(dict.fromkeys(map(tuple, lines)))
        self.limit = limit
        self.with_word: dict[str, list[int]] = {}
        for index, line in enumerate(self.lines):
            for word in set(line):
                self.with_word.setdefault(word, []).append(index)

    def shared_with(self, line: Sequence[str]) -> set[int]:
        """Return the indices in `line` that are in its longest common subsequence with any of the lines."""
        rarest_first = sorted(set(line) & self.with_word.keys(), key=lambda word: (len(self.with_word[word]), word))
        sharing = chain.from_iterable(self.with_word[word] for word in rarest_first)
        # Twice the limit leaves room for lines that share several words, and bounds the time.
        candidates = list(dict.fromkeys(islice(sharing, 2 * self.limit)))[: self.limit]
        indices: set[int] = set()
        for candidate in candidates:
            for run in LCSseq.opcodes(line, self.lines[candidate]):
                if run.tag == "equal":
                    indices.update(range(run.src_start, run.src_end))
            if len(indices) == len(line):
                break
        return indices
