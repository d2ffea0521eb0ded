"""Runs: everything that the tables are made of, each kept in a file of the work folder and made only once."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError
from dehusk.training.texrex.rprop import TexrexRecipe, fit
from dehusk.training.texrex.vectors import RECIPE, Vectors, groups, vector_nets
from research import Tick
from research.texrex import folds as parted
from research.texrex.paper import CLASSIFIERS, LANGUAGES

SEED: Final = 0
# One input needs few hidden units, and they need few epochs.
ALONE: Final = TexrexRecipe("sigmoid symmetric", hidden=2, epochs=150)

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[np.floating]]


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The author's vectors, and where what is made of them is kept."""

    vectors: dict[str, Vectors]
    work: Path
    tick: Tick

    @classmethod
    def open(cls, work: Path, tick: Tick) -> Self:
        """Read the vectors from the folder that DEHUSK_DATA names."""
        data = os.environ.get("DEHUSK_DATA")
        if not data:
            raise InputError("DEHUSK_DATA is not set; set it to the folder that holds data/texrex")
        folder = Path(data) / "data" / "texrex"
        return cls({name: Vectors.read(folder / f"boilerplate.{name}.dat.xz") for name in LANGUAGES}, work, tick)

    def folds(self, language: str, *, by_page: bool) -> NDArray[np.int64]:
        """Return the fold of each vector."""
        part = parted.page_folds if by_page else parted.random_folds
        return part(self.vectors[language], SEED)

    def outputs(self, language: str, *, by_page: bool) -> Floats:
        """Return what our nets say of each vector, trained without its fold."""
        name = f"ten folds {'by page' if by_page else 'at random'}, {LANGUAGES[language]}"
        vectors, folds = self.vectors[language], self.folds(language, by_page=by_page)
        return self._kept(name, f"{RECIPE}", lambda: {"output": parted.held_out(vectors, folds, RECIPE)})["output"]

    def classified(self, classifier: str, language: str) -> tuple[Floats, Floats]:
        """Return what another classifier calls each vector, trained without its fold, and its seconds of CPU a fold."""
        from research.texrex import classifiers  # noqa: PLC0415  (needs scikit-learn)

        vectors, folds = self.vectors[language], self.folds(language, by_page=False)

        def make() -> Arrays:
            called, seconds = classifiers.held_out(classifier, vectors, folds, SEED)
            return {"called": called, "seconds": seconds}

        kept = self._kept(f"{classifier.replace('/', '-')}, {LANGUAGES[language]}", "2", make)
        return kept["called"], kept["seconds"]

    def merits(self, language: str) -> Floats:
        """Return what each feature is worth alone."""
        vectors, folds = self.vectors[language], self.folds(language, by_page=False)
        name = f"each feature alone, {LANGUAGES[language]}"
        return self._kept(name, f"{ALONE}", lambda: {"merit": parted.merits(vectors, folds, ALONE)})["merit"]

    def crossed(self) -> dict[tuple[str, str], Floats]:
        """Return what the net of each language, and that of the Germanic ones, says of the vectors of each."""

        def make() -> Arrays:
            nets = vector_nets(self.vectors, RECIPE)
            return {f"{net}>{name}": nets[net].run(self.vectors[name].inputs.T) for net in nets for name in LANGUAGES}

        kept = self._kept("nets of one language on the others", f"{RECIPE}", make)
        return {(net, name): kept[f"{net}>{name}"] for net in groups(self.vectors) for name in LANGUAGES}

    def perceptron_seconds(self, language: str) -> Floats:
        """Return the seconds of CPU that a net takes to classify each fold: timed anew each time, since it is short."""
        vectors, folds = self.vectors[language], self.folds(language, by_page=False)
        net = fit(
            vectors.inputs,
            vectors.targets,
            np.ones((1, len(vectors)), np.float32),
            TexrexRecipe(RECIPE.activation, epochs=1),
        )[0]
        seconds = []
        for fold in range(parted.FOLDS):
            rows = vectors.inputs[folds == fold].T
            start = process_time()
            net.run(rows)
            seconds.append(process_time() - start)
        return np.array(seconds)

    def _kept(self, name: str, recipe: str, make: Callable[[], Arrays]) -> dict[str, Floats]:
        """Return what a file holds, or what is made now, which the file then holds."""
        digest = hashlib.sha256(f"{recipe} {SEED}".encode())
        for language in LANGUAGES:
            digest.update(self.vectors[language].inputs.tobytes())
            digest.update(self.vectors[language].targets.tobytes())
        path = self.work / f"{name.replace(', ', '-').replace(' ', '-').lower()}-{digest.hexdigest()[:8]}.npz"
        if not path.exists():
            self.tick(name)
            arrays = make()
            self.work.mkdir(parents=True, exist_ok=True)
            half = path.with_suffix(".part")
            with half.open("wb") as file:
                np.savez(file, **{key: np.asarray(value, np.float64) for key, value in arrays.items()})  # type: ignore[arg-type]
            half.replace(path)
        with np.load(path, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}


OTHERS: Final = CLASSIFIERS[1:]
