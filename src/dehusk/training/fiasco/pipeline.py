"""Pipeline: fiasco's machine, from corpora to a folder."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.gold.corpora import Corpus
from dehusk.gold.pages import GoldPage
from dehusk.methods.fiasco import shipped
from dehusk.methods.fiasco.words import Lexicon
from dehusk.rendering import Photograph, Renderer
from dehusk.rendering.cache import Cache, photograph_all
from dehusk.training.examples import parse
from dehusk.training.fiasco import folds, grid
from dehusk.training.fiasco.examples import FiascoPacked, Means, VisualPacked, drawn_pages, pack
from dehusk.training.fiasco.export import write
from dehusk.training.fiasco.keywords import General, general_language
from dehusk.training.fiasco.lexicon import word_classes
from dehusk.training.fiasco.svm import SvmRecipe, calibrated, fit
from dehusk.training.figures import FOLDS, figures_by_set
from dehusk.training.model_folder import Origin, check_new, repeated, train_command, trained_on
from dehusk.training.packed import licences_of, load_or_make
from dehusk.training.progress import SILENT, Reporter

DEFAULT_RECIPE: Final = SvmRecipe()
TAGGED: Final = "lm/tagged/en-ewt.tsv.zst"
GENERAL: Final = "lm/en"


def train(
    output: Path,
    features: Path,
    corpora: Sequence[str] = (),
    recipe: SvmRecipe = DEFAULT_RECIPE,
    jobs: int = 1,
    reporter: Reporter = SILENT,
    *,
    search: bool = False,
) -> None:
    """Train a machine on the pages of corpora (names or paths), by default all that may be trained on.

    The examples are kept in the file `features`, and read from there if it was made of the same pages. With `search`
    the best cost and gamma are looked for first; the cells of that grid are kept beside the file.
    """
    check_new(output)
    lexicon, general = find_lexicon(), find_general()
    means = Means(lexicon, layouts="visual" in recipe.families)
    packed = load_or_make(
        VisualPacked if means.layouts else FiascoPacked,
        features,
        corpora,
        lambda opened, tick: pack(_drawn(opened, means, reporter), licences_of(opened), means, jobs, tick),
        reporter,
    )
    if search:
        recipe = searched(packed, general, recipe, features.with_name("grid.json"), reporter)
    with reporter.steps(FOLDS + 1, "folds") as tick:
        decisions = folds.held_out(packed, general, recipe, tick)
        fitted = fit(packed, np.ones(len(packed.page), np.bool_), general, recipe)
        tick()
    known = ~np.isnan(packed.shares)
    machine = calibrated(fitted.machine, decisions[known], packed.shares[known] < 0.5)
    machine = replace(machine, threshold=folds.choose_threshold(packed, machine, decisions))
    kept = machine.probabilities(decisions) < machine.threshold
    sets = [info.corpus for info in packed.info]
    origin = Origin(
        _command(corpora, recipe, search=search),
        trained_on(sets, packed.licences),
        packed.skipped,
        (recipe.seed,),
        figures_by_set(sets, folds.f1_of_pages(packed, kept), list(packed.licences)),
    )
    write(output, machine, lexicon.with_keywords(fitted.keywords.clean, fitted.keywords.dirty), fitted, recipe, origin)


def _drawn(opened: Sequence[Corpus], means: Means, reporter: Reporter) -> Iterator[GoldPage]:
    """Return the pages to train on, rendered first if the machine shall see them."""
    if means.layouts:
        tasks = [Photograph(parse(page.html).html) for page in drawn_pages(opened)]
        with Renderer() as renderer, reporter.steps(len(tasks), "layouts") as tick:
            for _ in photograph_all(tasks, renderer, Cache.usual()):
                tick()
    return drawn_pages(opened)


def searched(packed: FiascoPacked, general: General, recipe: SvmRecipe, path: Path, reporter: Reporter) -> SvmRecipe:
    """Return the recipe with the best cost and gamma, by three folds of sites."""
    matrix, dirty, parts = folds.grid_examples(packed, general, recipe)
    found = grid.best(grid.search(matrix, dirty, parts, path, reporter), recipe)
    reporter.message(f"the best cost is {found.cost:g}, the best gamma {found.gamma:g}")
    return found


def find_lexicon() -> Lexicon:
    """Return the lexicon of the tagged text in DEHUSK_DATA, or the shipped one."""
    path = Path(os.environ.get("DEHUSK_DATA", "")) / TAGGED
    return Lexicon.of(word_classes(path)) if path.is_file() else shipped().lexicon.with_keywords((), ())


def find_general() -> General:
    """Return how frequent words are in the running text in DEHUSK_DATA; without it no keyword is left out for that."""
    folder = Path(os.environ.get("DEHUSK_DATA", "")) / GENERAL
    return general_language(sorted(folder.glob("*.txt.zst")))


def _command(corpora: Sequence[str], recipe: SvmRecipe, *, search: bool) -> str:
    numbers = {} if search else {"--cost": recipe.cost, "--gamma": recipe.gamma}
    given = [part for name, value in numbers.items() for part in (name, f"{value:g}")]
    return train_command(
        "fiasco",
        *repeated("--corpus", corpora),
        *["--visual"] * ("visual" in recipe.families),
        *["--search"] * search,
        *given,
        "--seed",
        str(recipe.seed),
    )
