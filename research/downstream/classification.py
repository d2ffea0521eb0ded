"""Classification: pages of WebKB by kind, each university's by a classifier that learnt from the others' pages.

As the collection's authors recommend, pages of the miscellaneous universities are always learnt from. Classes are
weighted by their size, as in PyPlexity's paper, which follows Sun et al. (2002) and has transformers in place of their
support vector machine. Their weights cannot be had here, so that the support vector machine returns, beside the naive
Bayes classifier that the collection was made for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from research.downstream.paper import CLASSES

UNIVERSITIES: Final = ("cornell", "texas", "washington", "wisconsin")
CLASSIFIERS: Final = ("SVM", "naive Bayes")
SHUFFLES: Final = 2000
WORD: Final = r"(?u)\b\w\w+\b"

Strings = NDArray[np.str_]


@dataclass(frozen=True, slots=True, eq=False)
class Classified:
    """The pages of the four universities: their classes, and the predicted ones."""

    gold: Strings
    predicted: Strings

    @property
    def f1(self) -> tuple[float, ...]:
        """Macro F1, then the F1 of each class, over the pages of all universities."""
        from sklearn.metrics import f1_score  # noqa: PLC0415  (slow to import)

        by_class = f1_score(self.gold, self.predicted, labels=CLASSES, average=None, zero_division=0.0)
        return (float(by_class.mean()), *by_class.tolist())


def classify(texts: Sequence[str], classes: Strings, schools: Strings, classifier: str) -> Classified:
    """Predict the class of each university's pages from all pages of the others."""
    predicted = classes.copy()
    documents = np.array(texts, dtype=object)
    for university in UNIVERSITIES:
        test = schools == university
        model = _model(classifier)
        model.fit(documents[~test], classes[~test])
        predicted[test] = model.predict(documents[test])
    tested = np.isin(schools, UNIVERSITIES)
    return Classified(classes[tested], predicted[tested])


def _model(classifier: str) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415
    from sklearn.naive_bayes import ComplementNB  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.svm import LinearSVC  # noqa: PLC0415

    # One word in a thousand pages says nothing, and most of those are names.
    words = TfidfVectorizer(min_df=3, sublinear_tf=True, token_pattern=WORD)
    if classifier == "SVM":
        return make_pipeline(words, LinearSVC(class_weight="balanced", random_state=0))
    return make_pipeline(words, ComplementNB(alpha=0.1))


def p_value(one: Classified, other: Classified, seed: int = 0) -> float:
    """Return how often macro F1 differs as much if it is decided by chance which of the two predicted what.

    >>> gold = np.array([*CLASSES] * 4)
    >>> p_value(Classified(gold, gold), Classified(gold, gold))
    1.0
    """
    gold, first, second = (_class_indices(each) for each in (one.gold, one.predicted, other.predicted))
    random = np.random.default_rng(seed)
    difference, extreme = abs(_macro(gold, first) - _macro(gold, second)), 1
    for _ in range(SHUFFLES):
        swap = random.random(len(gold)) < 0.5
        a, b = np.where(swap, second, first), np.where(swap, first, second)
        extreme += abs(_macro(gold, a) - _macro(gold, b)) >= difference - 1e-12
    return extreme / (SHUFFLES + 1)


def _class_indices(names: Strings) -> NDArray[np.int64]:
    return np.array([CLASSES.index(name) for name in names.tolist()])


def _macro(gold: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    size = len(CLASSES)
    right = np.bincount(gold[gold == predicted], minlength=size)
    both = np.bincount(gold, minlength=size) + np.bincount(predicted, minlength=size)
    return float(np.mean(2 * right / np.maximum(both, 1)))
