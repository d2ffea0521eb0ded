"""Preparation: pages with gold become packed examples, in two rounds: one for the vocabulary, one for the features."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from dehusk.features.tokens import Vocabulary
from dehusk.gold.corpora import Corpus
from dehusk.gold.labelled import Labelled
from dehusk.gold.trainable import training_pages
from dehusk.training.kernel.examples import examples
from dehusk.training.kernel.packed import Packed
from dehusk.training.kernel.vocabulary import choose_tokens
from dehusk.training.makers import Tick


def prepare(
    pages: Callable[[], Iterable[Labelled]], licences: Mapping[str, str], jobs: int, tick: Tick = lambda: None
) -> Packed:
    """Return the examples of all pages; `pages` is called twice, and `tick` after each page of either round."""
    # What fails in the first round fails in the second, too, and is counted there.
    tokens = choose_tokens(pages(), jobs, Counter(), tick)
    skipped: Counter[str] = Counter()
    return Packed.of(examples(pages(), Vocabulary.of(tokens), jobs, skipped, tick), tokens, licences, skipped)


def features_at(path: Path, corpora: Sequence[Corpus], jobs: int, tick: Tick = lambda: None) -> Packed:
    """Return the packed features of a file, which is made of the corpora where it is not there."""
    if not path.exists():
        licences = {corpus.name: corpus.licence for corpus in corpora}
        prepare(lambda: training_pages(corpora), licences, jobs, tick).save(path)
    return Packed.load(path)
