"""Classifiers: scikit-learn instead of Weka, with Weka's settings where the two can be set alike."""

from collections.abc import Callable, Mapping
from time import process_time
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.texrex.features import NAMES
from dehusk.training.texrex.page_folds import FOLDS
from dehusk.training.texrex.vectors import Vectors
from research.texrex.folds import Ints

CACHE: Final = 500  # megabytes for kernel values

Floats = NDArray[np.float64]


class Classifier(Protocol):
    """The part of scikit-learn's estimators that is used."""

    def fit(self, inputs: Any, targets: Any) -> Any: ...  # noqa: D102
    def predict(self, inputs: Any) -> Any: ...  # noqa: D102


class Pearson:
    """A support vector machine with the Pearson VII kernel (Üstün et al. 2006), its omega and sigma 1 as in Weka.

    With omega 1 the kernel is 1 / (1 + 4 d²), d being the distance of two vectors.

    >>> inputs = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> Pearson().fit(inputs, np.array([0, 1, 1, 0])).predict(inputs).tolist()
    [0, 1, 1, 0]
    """

    def __init__(self) -> None:
        from sklearn.preprocessing import MinMaxScaler  # noqa: PLC0415  (slow to import)
        from sklearn.svm import SVC  # noqa: PLC0415

        self._machine = SVC(kernel="precomputed", cache_size=CACHE)
        self._scaler = MinMaxScaler()

    def fit(self, inputs: Floats, targets: Floats) -> "Pearson":
        """Learn."""
        self._known = self._scaler.fit_transform(inputs)
        self._machine.fit(self._kernel(self._known), targets)
        # Only support vectors matter for decisions.
        self._support = self._machine.support_
        return self

    def predict(self, inputs: Floats) -> Floats:
        """Decide."""
        kernel = np.zeros((len(inputs), len(self._known)))
        kernel[:, self._support] = self._kernel(self._scaler.transform(inputs), self._known[self._support])
        decided: Floats = self._machine.predict(kernel)
        return decided

    @staticmethod
    def _kernel(left: Floats, right: Floats | None = None) -> Floats:
        other = left if right is None else right
        # In place, since the matrix has one number per pair of vectors.
        matrix: Floats = left @ other.T
        matrix *= -2
        matrix += (left * left).sum(axis=1)[:, None]
        matrix += (other * other).sum(axis=1)
        np.maximum(matrix, 0, out=matrix)
        matrix *= 4
        matrix += 1
        np.reciprocal(matrix, out=matrix)
        return matrix


def makers() -> Mapping[str, Callable[[int], Classifier]]:
    """Return for each classifier the function that makes it, given a seed."""
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.naive_bayes import GaussianNB  # noqa: PLC0415
    from sklearn.neighbors import KNeighborsClassifier  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import MinMaxScaler, Normalizer, StandardScaler  # noqa: PLC0415
    from sklearn.svm import SVC  # noqa: PLC0415
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    # Weka's SMO maps its inputs to 0..1 and its "polynomial kernel" has the exponent 1; its LibSVM does not scale.
    # Its naive Bayes keeps variances away from 0, which features that are almost always 0 would otherwise have.
    return {
        "LR": lambda seed: make_pipeline(StandardScaler(), LogisticRegression(C=1e4, max_iter=2000, random_state=seed)),
        "IBk": lambda seed: make_pipeline(MinMaxScaler(), KNeighborsClassifier(1, algorithm="brute")),
        "J48": lambda seed: DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, ccp_alpha=1e-4, random_state=seed
        ),
        "RF": lambda seed: RandomForestClassifier(100, max_features=6, random_state=seed),
        "NB": lambda seed: GaussianNB(var_smoothing=1e-4),
        "SVM/NP": lambda seed: make_pipeline(
            MinMaxScaler(), Normalizer(), SVC(kernel="poly", degree=2, gamma=1, coef0=0, cache_size=CACHE)
        ),
        "SVM/P": lambda seed: make_pipeline(MinMaxScaler(), SVC(kernel="linear", cache_size=CACHE)),
        "SVM/PUK": lambda seed: Pearson(),
        "SVM/RBF": lambda seed: SVC(kernel="rbf", gamma=1 / len(NAMES), cache_size=CACHE),
    }


def held_out(name: str, vectors: Vectors, folds: Ints, seed: int) -> tuple[Floats, Floats]:
    """Return the decisions of a classifier trained without each vector's fold, and the CPU seconds per fold."""
    inputs, called, seconds = vectors.inputs.astype(np.float64), np.empty(len(vectors)), np.empty(FOLDS)
    make = makers()[name]
    for fold in range(FOLDS):
        inside = folds == fold
        machine = make(seed)
        machine.fit(inputs[~inside], vectors.targets[~inside])
        start = process_time()
        called[inside] = machine.predict(inputs[inside])
        seconds[fold] = process_time() - start
    return called, seconds
