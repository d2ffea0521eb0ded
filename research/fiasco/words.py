"""Words: section 6, whole pages cleaned by machines trained on the other folds, counted in words."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from dehusk.evaluation.metrics import MatchCounts, bag_of_words, macro
from dehusk.extractor import Extractor
from dehusk.gold.corpora import open_corpus
from dehusk.gold.yardstick import stable_hash
from dehusk.methods.fiasco import Fiasco
from dehusk.training.fiasco.examples import FiascoPacked
from dehusk.training.fiasco.keywords import General
from dehusk.training.fiasco.pipeline import find_lexicon
from dehusk.training.fiasco.svm import SvmRecipe, fit

FOLDS: Final = 5
LOST: Final = 0.01  # recall of the pages that the paper looked at


def cleaned(packed: FiascoPacked, general: General, recipe: SvmRecipe, corpus: str) -> list[MatchCounts]:
    """Return the words of each page that are kept, that are gold, and that are both; five folds by site."""
    gold = {page.id: page for page in open_corpus(corpus).pages("train")}
    folds = np.array([stable_hash(f"fiasco:{info.site}") % FOLDS for info in packed.info])
    lexicon = find_lexicon()
    counts: list[MatchCounts | None] = [None] * len(packed.info)
    for fold in range(FOLDS):
        fitted = fit(packed, folds[packed.page] != fold, general, recipe)
        known = lexicon.with_keywords(fitted.keywords.clean, fitted.keywords.dirty)
        extractor = Extractor(Fiasco(fitted.machine, known, recipe.families))
        for index in np.flatnonzero(folds == fold).tolist():
            source = gold[packed.info[index].id]
            counts[index] = bag_of_words(extractor.extract(source.html).text, source.gold or "")
    return [each for each in counts if each is not None]


def all_text(packed: FiascoPacked, corpus: str) -> list[MatchCounts]:
    """Return the same if everything is kept."""
    gold = {page.id: page for page in open_corpus(corpus).pages("train")}
    pages = [gold[info.id] for info in packed.info]
    extractor = Extractor("alltext")
    return [bag_of_words(extractor.extract(page.html).text, page.gold or "") for page in pages]


def per_cent(counts: Sequence[MatchCounts]) -> tuple[float, float, float]:
    """Return the mean over pages of precision and recall, and the F-score of both means, as the paper has them."""
    mean = macro(each.prf for each in counts).mean
    f = 2 * mean.precision * mean.recall / max(1e-9, mean.precision + mean.recall)
    return 100 * f, 100 * mean.precision, 100 * mean.recall


def not_lost(counts: Sequence[MatchCounts]) -> list[MatchCounts]:
    """Return the pages of which something wanted is kept."""
    return [each for each in counts if each.prf.recall >= LOST]
