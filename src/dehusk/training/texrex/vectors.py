"""Vectors: nets from feature vectors in FANN's format, one per file, one for the Germanic languages and one for all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np

from dehusk.errors import InputError, UsageError
from dehusk.gold.corpora import OWN_LICENCE
from dehusk.methods.texrex import GERMANIC, OTHERWISE
from dehusk.methods.texrex.fann import Perceptron, read_data
from dehusk.methods.texrex.features import NAMES
from dehusk.training.columns import Floats
from dehusk.training.progress import Tick
from dehusk.training.texrex.rprop import TexrexRecipe, fit

THRESHOLD: Final = 0.5  # as the paper has it by default; its targets are 0 and 1
POOLED: Final = "germanic"
# Blocks in the files of texrex's author; other files may have the same names.
AUTHORS_BLOCKS: Final = {"en": 14405, "de": 9917, "fr": 12516, "sv": 11250}
AUTHORS_LICENCE: Final = "BSD 2-clause"
# The epochs are chosen on folds of pages when nets are trained: `page_folds.best_epochs`.
RECIPE: Final = TexrexRecipe("sigmoid symmetric")


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Examples of one language: 37 numbers per block, and whether it is boilerplate."""

    inputs: Floats
    targets: Floats

    def __len__(self) -> int:
        return len(self.targets)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a .dat file."""
        inputs, targets = read_data(path)
        if inputs.shape[1] != len(NAMES) or targets.shape[1] != 1:
            raise InputError(
                f"{path} has {inputs.shape[1]} inputs and {targets.shape[1]} outputs; expected {len(NAMES)} and 1"
            )
        if not np.isin(targets, (0, 1)).all():
            raise InputError(f"{path} has targets other than 0 and 1")
        return cls(inputs, targets[:, 0])

    @classmethod
    def pooled(cls, parts: Iterable["Vectors"]) -> Self:
        """Join the examples of several languages."""
        chosen = list(parts)
        return cls(np.concatenate([part.inputs for part in chosen]), np.concatenate([part.targets for part in chosen]))


def accuracy(net: Perceptron, group: Vectors) -> float:
    """Return the share of a group's vectors that a net gets right."""
    return round(float(((net.run(group.inputs.T) > THRESHOLD) == (group.targets > 0.5)).mean()), 4)


def file_facts(path: Path, read: Mapping[str, Vectors]) -> dict[str, str | int]:
    """Return what model.json says of a file; those of texrex's author are recognised by name and size."""
    language = language_in(path)
    blocks, name = len(read[language]), path.name.removesuffix(".xz")
    authors = name == f"boilerplate.{language}.dat" and blocks == AUTHORS_BLOCKS.get(language)
    return {"set": path.name, "blocks": blocks, "licence": AUTHORS_LICENCE if authors else OWN_LICENCE}


def read_all(paths: Sequence[Path]) -> dict[str, Vectors]:
    """Return the vectors of each language, which is part of the file's name: mine.en.dat."""
    vectors = {language_in(path): Vectors.read(path) for path in paths}
    if len(vectors) < len(paths):
        raise UsageError("two files are of the same language; join them first", setting="data")
    return vectors


def language_in(path: Path) -> str:
    """Return the language in a file's name.

    >>> language_in(Path("data/boilerplate.en.dat.xz"))
    'en'
    """
    name = path.name.removesuffix(".xz").removesuffix(".dat").rpartition(".")[2]
    if not name.isalpha() or name in (OTHERWISE, POOLED):
        raise UsageError(f"{path.name} does not name its language; expected a name such as mine.en.dat", setting="data")
    return name.lower()


def groups(vectors: Mapping[str, Vectors]) -> dict[str, Vectors]:
    """Return what each net is trained on: a language, the Germanic languages if there are several, and all."""
    germanic = [vectors[language] for language in sorted(vectors) if language in GERMANIC]
    pooled = {POOLED: Vectors.pooled(germanic)} if len(germanic) > 1 else {}
    return {**vectors, **pooled, OTHERWISE: Vectors.pooled(vectors[language] for language in sorted(vectors))}


def vector_nets(
    vectors: Mapping[str, Vectors], recipe: TexrexRecipe = RECIPE, tick: Tick = lambda: None
) -> dict[str, Perceptron]:
    """Return a net for each group; `tick` is called after every epoch of each."""
    return {
        name: fit(group.inputs, group.targets, np.ones((1, len(group)), np.float32), recipe, tick)[0]
        for name, group in groups(vectors).items()
    }
