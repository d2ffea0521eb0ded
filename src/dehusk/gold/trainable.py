"""Trainable: the corpora that may be trained on, and of those the pages that may."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from dehusk.errors import UsageError
from dehusk.gold.corpora import SETS, Corpus, GoldPage, open_corpus


def training_corpora(names: Sequence[str] = ()) -> list[Corpus]:
    """Return the corpora of those names or paths, or all of the project's that may be trained on."""
    corpora = [open_corpus(name) for name in names or [name for name, (_, splits) in SETS.items() if splits]]
    for corpus in corpora:
        if not corpus.trainable:
            raise UsageError(f"{corpus.name} is kept for measuring and never trained on; choose another corpus")
    if len({corpus.name for corpus in corpora}) < len(corpora):
        raise UsageError("two corpora have the same name; rename one")
    return corpora


def training_pages(corpora: Iterable[Corpus]) -> Iterator[GoldPage]:
    """Yield all pages of some corpora that may be trained on."""
    return chain.from_iterable(corpus.pages("train") for corpus in corpora)
