"""Pipeline: the kernel from corpora to a folder of weights: features, five folds to tune on, then the weights.

Everything on the way is kept in files, which are reused: an interrupted run continues, and features made on one machine
can be trained on at another, without the pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import UsageError
from dehusk.extras import require
from dehusk.gold.corpora import TRAINING_SETS
from dehusk.methods.kernel import FORMAT
from dehusk.methods.kernel.decision import Tuning
from dehusk.methods.kernel.features import NAMES
from dehusk.training.kernel import recipe as recipes
from dehusk.training.kernel import tuning
from dehusk.training.kernel.cross_validation import cross_validate, fold_files, leave_out, set_files, trainable
from dehusk.training.kernel.packed import KernelPacked, pack
from dehusk.training.kernel.predictions import joined
from dehusk.training.kernel.recipe import KernelRecipe
from dehusk.training.model_folder import Origin, check_new, train_command, trained_on, write_model
from dehusk.training.packed import load_or_make
from dehusk.training.progress import SILENT, Reporter


def train(
    output: Path,
    features: Path,
    corpora: Sequence[str] = (),
    seeds: Sequence[int] = (),
    jobs: int = 1,
    reporter: Reporter = SILENT,
) -> None:
    """Train the kernel on the pages of corpora (names or paths), by default all that may be trained on.

    The examples are kept in the file `features`, the predictions of the folds beside it. Each of `seeds` makes one
    network, by default as in the recipe.
    """
    check_new(output)
    require("training", "torch")
    packed = load_features(features, corpora, jobs, reporter)
    predict_folds(packed, features.parent, seeds, reporter)
    train_weights(output, packed, features.parent, seeds, reporter)


def load_features(path: Path, corpora: Sequence[str] = (), jobs: int = 1, reporter: Reporter = SILENT) -> KernelPacked:
    """Return the examples in a file, made of corpora (names or paths) if it does not exist."""
    return load_or_make(
        KernelPacked, path, corpora, lambda opened, tick: pack(opened, jobs, tick), reporter, default_sets=(), rounds=2
    )


def predict_folds(packed: KernelPacked, folder: Path, seeds: Sequence[int] = (), reporter: Reporter = SILENT) -> None:
    """Write the predictions for each fold by a model trained on the others."""
    recipe = _recipe(seeds)
    missing = sum(not path.exists() for path in fold_files(folder).values())
    with reporter.steps(missing * _epochs(recipe), "epochs of five folds") as tick:
        cross_validate(packed, recipe, folder, tick)


def predict_sets(packed: KernelPacked, folder: Path, seeds: Sequence[int] = (), reporter: Reporter = SILENT) -> None:
    """Write the predictions for each set by a model trained on the others."""
    recipe = _recipe(seeds)
    missing = sum(not path.exists() for path in set_files(folder, packed).values())
    with reporter.steps(missing * _epochs(recipe), "epochs without a set") as tick:
        leave_out(packed, recipe, folder, tick)


def train_weights(
    output: Path, packed: KernelPacked, folder: Path, seeds: Sequence[int] = (), reporter: Reporter = SILENT
) -> None:
    """Train networks on all pages, tune them on the predictions of the folds in `folder`, and write the model."""
    from dehusk.training.kernel.net.arrays import arrays  # noqa: PLC0415  (needs torch)
    from dehusk.training.kernel.net.batches import DeviceExamples  # noqa: PLC0415
    from dehusk.training.kernel.net.fit import fit_all  # noqa: PLC0415

    check_new(output)
    absent = [path.name for path in fold_files(folder).values() if not path.exists()]
    if absent:
        raise UsageError(
            f"{folder} lacks {', '.join(absent)}, which the weights are tuned on; run --only folds first",
            setting="only",
        )
    recipe = _recipe(seeds)
    folds = cross_validate(packed, recipe, folder)
    with reporter.steps(_epochs(recipe), "epochs") as tick:
        nets = fit_all(DeviceExamples.of(packed), trainable(packed), recipe, tick)
    chosen = tuning.tuned(tuning.with_labels(packed, joined(folds.values())))
    origin = origin_of(packed, recipe.seeds, tuning.figures(packed, folds))
    write(output, arrays(nets, packed), len(packed.vocabulary), chosen, origin)


def _recipe(seeds: Sequence[int]) -> KernelRecipe:
    return replace(recipes.RECIPE, seeds=tuple(seeds)) if seeds else recipes.RECIPE


def _epochs(recipe: KernelRecipe) -> int:
    return len(recipe.seeds) * recipe.epochs


def origin_of(packed: KernelPacked, seeds: Sequence[int], figures: dict[str, float]) -> Origin:
    """Return where weights trained on these examples come from."""
    sets = [] if set(packed.licences) == set(TRAINING_SETS) else list(packed.licences)
    pages = (packed.info[page] for page in packed.plain())
    return Origin(
        train_command("kernel", {"--corpus": sets, "--seed": seeds}),
        trained_on((page.corpus for page in pages if page.usable), packed.licences),
        packed.skipped,
        seeds,
        figures,
    )


def write(
    folder: Path, weights: Mapping[str, NDArray[np.generic]], tokens: int, tuning: Tuning, origin: Origin
) -> None:
    """Write weights.npz and model.json; `tokens` is the size of the vocabulary."""
    description = {
        "format": FORMAT,
        "method": "kernel",
        "trained_on": list(origin.trained_on),
        "left_out": dict(origin.left_out),
        "command": origin.command,
        "seeds": list(origin.seeds),
        "features": len(NAMES),
        "tokens": tokens,
        "tuning": asdict(tuning),
        "figures": dict(origin.figures),
    }
    # Single precision, since the file is far below its limit. Half would do: in a small trial (61 pages, width 32) it
    # moved logits by at most 0.0013, and none of 26,220 blocks to the other side of 0.
    write_model(folder, description, weights)
