"""Tables: which are made of some pages, one a language and one for all others; and the folder they are kept in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import UsageError
from dehusk.methods.ncleaner import FORMAT, OTHERWISE
from dehusk.methods.ncleaner.language import UNKNOWN
from dehusk.methods.ncleaner.table import MOST, Floats
from dehusk.training.ncleaner.bits import Worth
from dehusk.training.ncleaner.examples import Example
from dehusk.training.ncleaner.fit import (
    Recipe,
    Shares,
    Tick,
    best_bias,
    best_slope,
    counted,
    fitted,
    held_out,
    judged,
    rounded,
)

# The paper promises a new language from 30 to 50 pages.
LEAST_PAGES: Final = 30
# Folds by site tell nothing where there are few sites: of the 32 Greek training pages 26 are of one.
LEAST_SITES: Final = 10
# A table of few pages keeps n-grams that a large one would not miss.
FEW: Final = 300
LEAST_OF_FEW: Final = 2
DULL_OF_FEW: Final = 16.0
DULL_SHAPES: Final = 8.0  # in a non-lexical table
# Scripts without blanks, whose characters all have one code: the few Latin words on their pages would mislead.
WORDLESS: Final = ("zh", "ja", "th")
# Where these are among the pages a bias is chosen on them, each counting as much: they have pages of every kind, where
# the others have news, whose gold leaves out every list.
EVERY_KIND: Final = ("wcxb-dev", "cleaneval")


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A table with what was chosen by folds and what they came to."""

    worth: Worth
    recipe: Recipe
    bias: float
    slope: float
    pages: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user asks of tables; what is None is chosen by the size and the language of the pages."""

    order: int | None = None
    q: float = 0.6
    lexical: bool = True
    differential: bool = False

    def __post_init__(self) -> None:
        if self.order is not None and not 1 <= self.order <= MOST:
            raise UsageError(f"n-grams have 1 to {MOST} characters, got {self.order}")
        if not 0 < self.q < 1:
            raise UsageError(f"q must lie between 0 and 1, got {self.q}")

    def recipe(self, language: str, pages: int) -> Recipe:
        """Return how the table of a language is made of so many pages.

        >>> Wish().recipe("en", 2000).order, Wish().recipe("zh", 2000).lexical
        (5, False)
        """
        lexical = self.lexical and language not in WORDLESS
        recipe = Recipe(self.order or (5 if lexical else 6), self.q, lexical=lexical, differential=self.differential)
        if not lexical:
            return replace(recipe, least=LEAST_OF_FEW, dull=DULL_SHAPES)
        return replace(recipe, least=LEAST_OF_FEW, dull=DULL_OF_FEW) if pages < FEW else recipe


def by_language(examples: Sequence[Example]) -> dict[str, list[Example]]:
    """Return the pages of each language that has enough of them, and under "all" every page."""
    languages = sorted({example.language for example in examples} - {"", UNKNOWN})
    groups = {language: [each for each in examples if each.language == language] for language in languages}
    enough = {
        language: pages
        for language, pages in groups.items()
        if len(pages) >= LEAST_PAGES and len({each.site for each in pages}) >= LEAST_SITES
    }
    return {**enough, OTHERWISE: list(examples)}


def made(examples: Sequence[Example], recipe: Recipe, tick: Tick = lambda: None) -> Made:
    """Return a table of all the pages, with the bias that is best on pages left out of it, five folds by site."""
    said = held_out(examples, recipe, tick)
    bias = best_bias(groups(examples, said))
    slope = best_slope(examples, said, bias)
    shares = judged(examples, said, bias)
    found = fitted([counted(examples, recipe)], recipe)
    tick()
    return Made(found, recipe, bias, slope, len(examples), shares)


def groups(examples: Sequence[Example], said: Sequence[Floats]) -> list[tuple[list[Example], list[Floats]]]:
    """Return the pages that a bias is chosen on, in groups that count alike."""
    pairs = list(zip(examples, said, strict=True))
    chosen = [[pair for pair in pairs if pair[0].corpus == name] for name in EVERY_KIND]
    if all(chosen):
        # Of other languages there is only news, but a table for all of them cannot be tuned without.
        chosen.append([pair for pair in pairs if pair[0].language != "en"])
    else:
        chosen = [pairs]
    return [([each for each, _ in group], [bits for _, bits in group]) for group in chosen if group]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where tables come from: what makes them again, what they learnt from and what was left out."""

    command: str
    trained_on: Sequence[Mapping[str, Any]]
    left_out: Mapping[str, int]


def write(folder: Path, tables: Mapping[str, Made], origin: Origin) -> None:
    """Write weights.npz and model.json into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "format": FORMAT,
        "name": "ncleaner",
        "tables": {name: _facts(table) for name, table in tables.items()},
        "trained_on": list(origin.trained_on),
        "left_out": dict(origin.left_out),
        "command": origin.command,
    }
    arrays: dict[str, NDArray[Any]] = {}
    for name, table in tables.items():
        arrays[f"{name}.keys"] = np.diff(table.worth.keys.astype(np.int64), prepend=0)
        arrays[f"{name}.bits"] = rounded(table.worth.bits)
    with (folder / "weights.npz").open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    (folder / "model.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _facts(table: Made) -> dict[str, Any]:
    recipe, shares = table.recipe, table.shares
    return {
        "n": recipe.order,
        "q": recipe.q,
        "lexical": recipe.lexical,
        "differential": recipe.differential,
        "neighbours": recipe.neighbours,
        "bias": table.bias,
        "slope": table.slope,
        "n-grams": len(table.worth.keys),
        "pages": table.pages,
        "folds": {
            "f1": round(shares.f1, 2),
            "precision": round(shares.precision, 2),
            "recall": round(shares.recall, 2),
            "mean f1 of pages": round(shares.mean_f1, 2),
        },
    }
