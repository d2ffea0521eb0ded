"""Pipeline: fiasco's machine, from corpora to a folder."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.gold.corpora import Corpus
from dehusk.methods.fiasco import FORMAT, Fiasco
from dehusk.methods.fiasco.features import columns
from dehusk.methods.fiasco.machine import Machine
from dehusk.methods.fiasco.words import Lexicon
from dehusk.rendering import Photograph, Renderer
from dehusk.rendering.cache import Cache, photograph_all
from dehusk.training.examples import parse
from dehusk.training.fiasco import grid
from dehusk.training.fiasco.examples import FiascoPacked, VisualPacked, drawn_pages, pack
from dehusk.training.fiasco.keywords import General, general_language
from dehusk.training.fiasco.lexicon import word_classes
from dehusk.training.fiasco.svm import Fitted, SvmRecipe, calibrated, fit, held_out
from dehusk.training.figures import FOLDS, figures_by_set
from dehusk.training.model_folder import Origin, check_new, train_command, trained_on, write_model
from dehusk.training.packed import licences_of, load_or_make
from dehusk.training.progress import SILENT, Reporter, Tick

DEFAULT_RECIPE: Final = SvmRecipe()
TAGGED: Final = "lm/tagged/en-ewt.tsv.zst"
GENERAL: Final = "lm/en"
THRESHOLDS: Final = np.arange(0.2, 0.95, 0.01)


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
    lexicon, general, layouts = find_lexicon(), find_general(), "visual" in recipe.families

    def packed_pages(opened: Sequence[Corpus], tick: Tick) -> FiascoPacked:
        if layouts:
            _photograph(opened, reporter)
        return pack(drawn_pages(opened), licences_of(opened), lexicon, jobs, tick, layouts=layouts)

    packed = load_or_make(VisualPacked if layouts else FiascoPacked, features, corpora, packed_pages, reporter)
    if search:
        recipe = searched(packed, general, recipe, features.with_name("grid.json"), reporter)
    with reporter.steps(FOLDS + 1, "folds") as tick:
        decisions = held_out(packed, general, recipe, tick)
        fitted = fit(packed, np.ones(len(packed.page), np.bool_), general, recipe)
        tick()
    known = ~np.isnan(packed.shares)
    machine = calibrated(fitted.machine, decisions[known], packed.shares[known] < 0.5)
    scores = machine.probabilities(decisions)
    threshold = packed.best_threshold(THRESHOLDS, scores, np.ones(len(packed.info), np.bool_))
    machine = replace(machine, threshold=threshold)
    sets = [info.corpus for info in packed.info]
    options = {
        "--corpus": corpora,
        "--visual": layouts,
        "--search": search,
        "--cost": None if search else f"{recipe.cost:g}",
        "--gamma": None if search else f"{recipe.gamma:g}",
        "--seed": recipe.seed,
    }
    origin = Origin(
        train_command("fiasco", options),
        trained_on(sets, packed.licences),
        packed.skipped,
        (recipe.seed,),
        figures_by_set(sets, packed.page_f1(scores < threshold), list(packed.licences)),
    )
    write(output, machine, lexicon.with_keywords(fitted.keywords.clean, fitted.keywords.dirty), fitted, recipe, origin)


def _photograph(opened: Sequence[Corpus], reporter: Reporter) -> None:
    """Render the pages to train on, so that the cache has their layouts."""
    tasks = [Photograph(parse(page.html).html) for page in drawn_pages(opened)]
    with Renderer() as renderer, reporter.steps(len(tasks), "layouts") as tick:
        for _ in photograph_all(tasks, renderer, Cache.usual()):
            tick()


def searched(packed: FiascoPacked, general: General, recipe: SvmRecipe, path: Path, reporter: Reporter) -> SvmRecipe:
    """Return the recipe with the best cost and gamma, by three folds of sites."""
    matrix, dirty, parts = grid.grid_examples(packed, general, recipe)
    best = grid.best(grid.search(matrix, dirty, parts, path, reporter), recipe)
    reporter.message(f"the best cost is {best.cost:g}, the best gamma {best.gamma:g}")
    return best


def find_lexicon() -> Lexicon:
    """Return the lexicon of the tagged text in DEHUSK_DATA, or the shipped one."""
    path = Path(os.environ.get("DEHUSK_DATA", "")) / TAGGED
    return Lexicon.of(word_classes(path)) if path.is_file() else Fiasco.shipped().lexicon.with_keywords((), ())


def find_general() -> General:
    """Return how frequent words are in the running text in DEHUSK_DATA; without it no keyword is left out for that."""
    folder = Path(os.environ.get("DEHUSK_DATA", "")) / GENERAL
    return general_language(sorted(folder.glob("*.txt.zst")))


def write(folder: Path, machine: Machine, lexicon: Lexicon, fitted: Fitted, recipe: SvmRecipe, origin: Origin) -> None:
    """Write weights.npz and model.json."""
    description = {
        "format": FORMAT,
        "method": "fiasco",
        "name": "fiasco-visual" if "visual" in recipe.families else "fiasco",
        "families": list(recipe.families),
        "features": list(columns(recipe.families)),
        "machine": {name: float(getattr(machine, name)) for name in ("offset", "gamma", "slope", "shift", "threshold")},
        "cost": recipe.cost,
        "examples": recipe.examples,
        "support vectors": len(fitted.whole.support_vectors_),
        "vectors": len(machine.vectors),
        "keywords": {"clean": list(fitted.keywords.clean), "dirty": list(fitted.keywords.dirty)},
        "trained_on": list(origin.trained_on),
        "left_out": dict(origin.left_out),
        "lexicon": "UD English EWT, CC BY-SA 4.0",
        "command": origin.command,
        "seed": origin.seeds[0],
        "figures": dict(origin.figures),
    }
    arrays: dict[str, NDArray[np.generic]] = {
        "low": machine.scaling.low,
        "high": machine.scaling.high,
        "vectors": machine.vectors,
        "weights": machine.weights,
        "word_keys": np.diff(lexicon.key, prepend=0).astype(np.uint32),
        "word_flags": lexicon.flag,
    }
    write_model(folder, description, arrays)
