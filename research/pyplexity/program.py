"""The original program's own scores: what they leave of a page, and of which size it is a share.

The program joins the text of a page with blanks, drops what is not ASCII, and looks for sentences in that. Its corpus
was one stream of words, so that the first word of a sentence has no history it knows and costs 20 bits, and the
probability of a word alone is that of the word before. All of that is done here with our own model's tables.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.gold.pages import GoldPage
from dehusk.lm.model import FLOOR, MOST_BITS, SHARES, LanguageModel
from dehusk.lm.sentences import split
from dehusk.lm.tokens import grams, tokens
from research.pyplexity.judged_pages import parsed

Floats = NDArray[np.float64]


class Remaining(NamedTuple):
    """Characters of some pages: their source, their text, and the sentences that stay below a perplexity."""

    source: int
    text: int
    kept: int


def remaining(pages: Iterable[GoldPage], model: LanguageModel, limit: float) -> Remaining:
    """Return what the program would leave of some pages."""
    source = text = kept = 0
    for gold in pages:
        page = parsed(gold)
        joined = " ".join(page.text.encode("ascii", "ignore").decode().split())
        sentences = split(joined)
        source, text = source + len(page.html), text + len(joined)
        stays = program_perplexities(model, sentences) < limit
        kept += sum(len(sentence) for sentence, stay in zip(sentences, stays.tolist(), strict=True) if stay)
    return Remaining(source, text, kept)


def program_perplexities(model: LanguageModel, sentences: list[str]) -> Floats:
    """Return the perplexity of each sentence by the program's formula for bigrams."""
    if not sentences:
        return np.zeros(0)
    words = tokens(sentences)
    alone, pairs = (table.probability(grams(words, order)) for order, table in enumerate(model.tables[:2], 1))
    # One place per word and per end of a sentence; the program has no ends, and takes the word before for the word.
    before = np.concatenate(([0.0], alone[:-1]))
    low, high = SHARES[2]
    bits = -np.log2(np.minimum(high * pairs + low * before + FLOOR, 1.0))
    bits[words.mark[:-1]] = MOST_BITS
    bits[words.mark[1:] - 1] = 0.0
    counts = np.diff(words.mark) - 1
    perplexities: Floats = np.exp2(np.add.reduceat(bits, words.mark[:-1]) / np.maximum(counts, 1))
    return perplexities
