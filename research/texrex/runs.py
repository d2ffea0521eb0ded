"""Runs: everything that the tables need, each result kept in a file of the work folder."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError
from dehusk.training.texrex.page_folds import FOLDS, errors_by_epochs, page_folds
from dehusk.training.texrex.rprop import TexrexRecipe, fit
from dehusk.training.texrex.vectors import Vectors, groups, vector_nets
from research import Progress
from research.cache import write_atomically
from research.texrex import classifiers
from research.texrex import folds as splits
from research.texrex.paper import CLASSIFIERS, LANGUAGES

SEED: Final = 0
# The paper's figures need this many epochs, and random folds, on which more epochs are always better; `SHORT` is best
# on folds by page.
RECIPE: Final = TexrexRecipe("sigmoid symmetric", epochs=1500)
SHORT: Final = TexrexRecipe("sigmoid symmetric", epochs=60)
# One input needs few hidden units, and they need few epochs.
ALONE: Final = TexrexRecipe("sigmoid symmetric", hidden=2, epochs=150)

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[np.floating]]


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The author's vectors, and the folder that holds the results."""

    vectors: dict[str, Vectors]
    work: Path
    progress: Progress

    @classmethod
    def open(cls, work: Path, progress: Progress) -> Self:
        """Read the vectors from the folder that DEHUSK_DATA names."""
        data = os.environ.get("DEHUSK_DATA")
        if not data:
            raise InputError("DEHUSK_DATA is not set; set it to the folder that holds data/texrex")
        folder = Path(data) / "data" / "texrex"
        return cls({name: Vectors.read(folder / f"boilerplate.{name}.dat.xz") for name in LANGUAGES}, work, progress)

    def folds(self, language: str, *, by_page: bool) -> NDArray[np.int64]:
        """Return the fold of each vector."""
        split = page_folds if by_page else splits.random_folds
        return split(self.vectors[language], SEED)

    def outputs(self, language: str, *, by_page: bool, short: bool = False) -> Floats:
        """Return the output of our networks for each vector, trained without its fold."""
        name = f"ten folds {'by page' if by_page else 'at random'}, {LANGUAGES[language]}"
        vectors, folds = self.vectors[language], self.folds(language, by_page=by_page)
        recipe = SHORT if short else RECIPE
        return self._cached(name, f"{recipe}", lambda: {"output": splits.held_out(vectors, folds, recipe)})["output"]

    def errors(self, language: str) -> dict[int, float]:
        """Return the mean squared error on folds by page after each number of epochs."""

        def compute() -> Arrays:
            errors = errors_by_epochs(self.vectors[language], SHORT)
            return {"epochs": np.array([*errors]), "error": np.array([*errors.values()])}

        cached = self._cached(f"epochs, {LANGUAGES[language]}", f"{SHORT}", compute)
        return dict(zip(cached["epochs"].astype(int).tolist(), cached["error"].tolist(), strict=True))

    def classified(self, classifier: str, language: str) -> tuple[Floats, Floats]:
        """Return another classifier's decisions, trained without each vector's fold, and its CPU seconds per fold."""
        vectors, folds = self.vectors[language], self.folds(language, by_page=False)

        def compute() -> Arrays:
            called, seconds = classifiers.held_out(classifier, vectors, folds, SEED)
            return {"called": called, "seconds": seconds}

        cached = self._cached(f"{classifier.replace('/', '-')}, {LANGUAGES[language]}", "2", compute)
        return cached["called"], cached["seconds"]

    def merits(self, language: str) -> Floats:
        """Return the merit of each feature alone."""
        vectors, folds = self.vectors[language], self.folds(language, by_page=False)
        name = f"each feature alone, {LANGUAGES[language]}"
        return self._cached(name, f"{ALONE}", lambda: {"merit": splits.merits(vectors, folds, ALONE)})["merit"]

    def other_languages(self) -> dict[tuple[str, str], Floats]:
        """Return the outputs of each language's network, and of the joint ones, for the vectors of each language."""

        def compute() -> Arrays:
            nets = vector_nets(self.vectors, RECIPE)
            return {f"{net}>{name}": nets[net].run(self.vectors[name].inputs.T) for net in nets for name in LANGUAGES}

        cached = self._cached("nets of one language on the others", f"{RECIPE}", compute)
        return {(net, name): cached[f"{net}>{name}"] for net in groups(self.vectors) for name in LANGUAGES}

    def perceptron_seconds(self, language: str) -> Floats:
        """Return the CPU seconds that a network takes to classify each fold; not cached, since it is quick."""
        vectors, folds = self.vectors[language], self.folds(language, by_page=False)
        net = fit(
            vectors.inputs,
            vectors.targets,
            np.ones((1, len(vectors)), np.float32),
            TexrexRecipe(RECIPE.activation, epochs=1),
        )[0]
        seconds = []
        for fold in range(FOLDS):
            rows = vectors.inputs[folds == fold].T
            start = process_time()
            net.run(rows)
            seconds.append(process_time() - start)
        return np.array(seconds)

    def _cached(self, name: str, recipe: str, compute: Callable[[], Arrays]) -> dict[str, Floats]:
        """Return the arrays of a result from its file, computing them first if there is none."""
        digest = hashlib.sha256(f"{recipe} {SEED}".encode())
        for language in LANGUAGES:
            digest.update(self.vectors[language].inputs.tobytes())
            digest.update(self.vectors[language].targets.tobytes())
        path = self.work / f"{name.replace(', ', '-').replace(' ', '-').lower()}-{digest.hexdigest()[:8]}.npz"
        if not path.exists():
            self.progress(name)
            arrays: dict[str, Any] = {key: np.asarray(value, np.float64) for key, value in compute().items()}
            write_atomically(path, lambda file: np.savez(file, **arrays))
        with np.load(path, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}


OTHERS: Final = CLASSIFIERS[1:]
