"""Tables: one per language that has enough pages and one for all others, and the folder they are written to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import UsageError
from dehusk.methods.ncleaner import FORMAT, OTHERWISE
from dehusk.methods.ncleaner.language import UNKNOWN
from dehusk.methods.ncleaner.table import MOST
from dehusk.training.columns import Doubles
from dehusk.training.figures import EVERY_KIND
from dehusk.training.model_folder import Origin, write_model
from dehusk.training.ncleaner import fit
from dehusk.training.ncleaner.bits import NgramBits
from dehusk.training.ncleaner.examples import NcleanerExample
from dehusk.training.progress import Tick

# According to the paper, 30 to 50 pages are enough for a new language.
LEAST_PAGES: Final = 30
# Folds by site mean nothing if there are few sites: 26 of the 32 Greek training pages are of one.
LEAST_SITES: Final = 10
# A table of few pages keeps n-grams that a large one does not need.
FEW: Final = 300
FEW_MIN_COUNT: Final = 2
FEW_MIN_GAIN: Final = 16.0
NON_LEXICAL_MIN_GAIN: Final = 8.0
# Scripts without spaces, whose characters all have one code: the few Latin words on their pages would mislead.
WORDLESS: Final = ("zh", "ja", "th")


@dataclass(frozen=True, slots=True, eq=False)
class FittedTable:
    """A table with what was chosen on folds and the figures it reached on them."""

    ngrams: NgramBits
    recipe: fit.NcleanerRecipe
    bias: float
    slope: float
    pages: int
    figures: fit.WordFigures


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What a user can choose; an order of None depends on the language of the pages."""

    order: int | None = None
    q: float | None = None  # None: 0.6, in the paper's recipe 0.5
    lexical: bool = True
    differential: bool = False
    one_table: bool = False  # for all pages, in place of one per language
    paper: bool = False  # the paper's recipe in place of ours
    mode: int | None = None  # one of the original's foldings

    def __post_init__(self) -> None:
        if self.order is not None and not 1 <= self.order <= MOST:
            raise UsageError(f"n-grams have 1 to {MOST} characters, got {self.order}", setting="n")
        if self.q is not None and not 0 < self.q < 1:
            raise UsageError(f"q must lie between 0 and 1, got {self.q}", setting="q")

    def recipe(self, language: str, pages: int) -> fit.NcleanerRecipe:
        """Return how the table of a language is made from this many pages.

        >>> TableOptions().recipe("en", 2000).order, TableOptions().recipe("zh", 2000).lexical
        (5, False)
        """
        if self.paper:
            mode = self.mode if self.mode is not None else 1 if self.lexical else 3
            order, q = self.order or fit.PAPER.order, self.q or fit.PAPER.q
            return replace(fit.PAPER, order=order, q=q, mode=mode, lexical=mode < 2)
        lexical = self.lexical and language not in WORDLESS
        order = self.order or (5 if lexical else 6)
        recipe = fit.NcleanerRecipe(
            order, self.q or 0.6, lexical=lexical, differential=self.differential, mode=self.mode
        )
        if not lexical:
            return replace(recipe, min_count=FEW_MIN_COUNT, min_gain=NON_LEXICAL_MIN_GAIN)
        return replace(recipe, min_count=FEW_MIN_COUNT, min_gain=FEW_MIN_GAIN) if pages < FEW else recipe


def by_language(examples: Sequence[NcleanerExample]) -> dict[str, list[NcleanerExample]]:
    """Return the pages of each language that has enough of them, and under "all" every page."""
    languages = sorted({example.language for example in examples} - {"", UNKNOWN})
    groups = {language: [each for each in examples if each.language == language] for language in languages}
    enough = {
        language: pages
        for language, pages in groups.items()
        if len(pages) >= LEAST_PAGES and len({each.site for each in pages}) >= LEAST_SITES
    }
    return {**enough, OTHERWISE: list(examples)}


def make_table(
    examples: Sequence[NcleanerExample], recipe: fit.NcleanerRecipe, tick: Tick = lambda: None
) -> FittedTable:
    """Return a table of all the pages, with the bias that is best on pages left out of it, in five folds by site."""
    bits = fit.held_out(examples, recipe, tick)
    bias = fit.best_bias(bias_groups(examples, bits)) if recipe.tuned else 0.0
    slope = fit.best_slope(examples, bits, bias)
    figures = fit.word_figures(examples, bits, bias)
    ngrams = fit.fit_bits([fit.count_ngrams(examples, recipe)], recipe)
    tick()
    return FittedTable(ngrams, recipe, bias, slope, len(examples), figures)


def bias_groups(
    examples: Sequence[NcleanerExample], bits: Sequence[Doubles]
) -> list[tuple[list[NcleanerExample], list[Doubles]]]:
    """Return the pages that a bias is chosen on, in groups of equal weight."""
    pairs = list(zip(examples, bits, strict=True))
    chosen = [[pair for pair in pairs if pair[0].corpus == name] for name in EVERY_KIND]
    if all(chosen):
        # In other languages there is only news, but the table for all of them needs some pages to be tuned on.
        chosen.append([pair for pair in pairs if pair[0].language != "en"])
    else:
        chosen = [pairs]
    return [([each for each, _ in group], [own for _, own in group]) for group in chosen if group]


def write(folder: Path, tables: Mapping[str, FittedTable], origin: Origin) -> None:
    """Write weights.npz and model.json."""
    description = {
        "format": FORMAT,
        "method": "ncleaner",
        "name": "ncleaner",
        "tables": {name: _facts(table) for name, table in tables.items()},
        "trained_on": list(origin.trained_on),
        "left_out": dict(origin.left_out),
        "command": origin.command,
    }
    arrays: dict[str, NDArray[Any]] = {}
    for name, table in tables.items():
        arrays[f"{name}.keys"] = np.diff(table.ngrams.keys.astype(np.int64), prepend=0)
        arrays[f"{name}.bits"] = fit.stored(table.ngrams, table.recipe)
    write_model(folder, description, arrays)


def _facts(table: FittedTable) -> dict[str, Any]:
    recipe, figures = table.recipe, table.figures
    return {
        "n": recipe.order,
        "q": recipe.q,
        "lexical": recipe.lexical,
        **({} if recipe.mode is None else {"mode": recipe.mode}),
        "differential": recipe.differential,
        "neighbours": recipe.neighbours,
        "bias": table.bias,
        "slope": table.slope,
        "n-grams": len(table.ngrams.keys),
        "pages": table.pages,
        "folds": {
            "f1": round(figures.f1, 2),
            "precision": round(figures.precision, 2),
            "recall": round(figures.recall, 2),
            "mean f1 of pages": round(figures.mean_f1, 2),
        },
    }
