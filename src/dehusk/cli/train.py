"""dehusk train: a method's weights, made anew from pages with gold."""

import os
import shlex
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.progress import Progress
from dehusk.cli.train_boilernet import boilernet
from dehusk.cli.train_lm import lm
from dehusk.cli.train_ncleaner import ncleaner
from dehusk.cli.train_options import Corpora, Jobs, Output, check_new
from dehusk.cli.train_texrex import texrex
from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.training.kernel.packed import Packed
    from dehusk.training.kernel.recipe import Recipe

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Train a method on pages with gold text.")


@app.callback()
def train() -> None:
    """Train a method on pages with gold text."""


app.command("texrex")(texrex)
app.command("boilernet")(boilernet)
app.command("ncleaner")(ncleaner)
app.command("lm")(lm)


class Step(StrEnum):
    """What can be made on its own."""

    features = "features"
    folds = "folds"
    sets = "sets"
    weights = "weights"


Features = Annotated[
    Path,
    typer.Option(
        metavar="FILE", help="Features, made where they are not there; predictions of the folds are kept beside them"
    ),
]
Seeds = Annotated[
    list[int] | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Seed of a network's first weights and of what is hidden while it learns; may be repeated, for a network"
        " each  [default: 0, 1, 2]",
    ),
]
Only = Annotated[
    Step | None,
    typer.Option(
        metavar="STEP",
        help="features, folds (predictions to tune on), sets (each by a model trained without it) or weights"
        "  [default: all that the weights need]",
    ),
]


@app.command("kernel")
def kernel(
    output: Output = Path("kernel"),
    features: Features = Path("kernel-work/features.npz"),
    corpus: Corpora = None,
    seeds: Seeds = None,
    jobs: Jobs = None,
    only: Only = None,
) -> None:
    """Train the kernel: features, five folds to tune on, then the weights.

    What is there is not made again, so that a run that broke off goes on where it was, and features made on one machine
    can be trained on at another, without the pages.

    \b
      dehusk train kernel --output my-kernel
      dehusk train kernel --only features --features work/features.npz

    Exit status: 0 trained, 2 wrong usage.
    """
    if only in (None, Step.weights):
        check_new(output)
    if only is not Step.features:
        _need_torch()
    packed = _features(features, corpus or [], jobs or os.cpu_count() or 1)
    recipe = _recipe(seeds or [])
    if only in (None, Step.folds):
        _folds(packed, recipe, features.parent)
    if only is Step.sets:
        _sets(packed, recipe, features.parent)
    if only in (None, Step.weights):
        _weights(packed, recipe, features.parent, output)


def _need_torch() -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise UsageError("training needs torch, which is not installed; pip install 'dehusk[train]'")


def _features(path: Path, corpora: list[str], jobs: int) -> "Packed":
    try:
        from dehusk.gold.trainable import training_corpora, training_pages
        from dehusk.training.kernel.prepare import features_at
    except ImportError as error:
        raise UsageError(f"training needs more packages ({error}); pip install 'dehusk[eval,train]'") from error
    # Features that are there need no pages, which the machine with the GPU may not have.
    there = path.exists()
    opened = training_corpora(corpora) if corpora or not there else []
    with Progress(None if there else 2 * sum(1 for _ in training_pages(opened)), "features") as progress:
        packed = features_at(path, opened, jobs, progress.advance)
    if opened and {corpus.name for corpus in opened} != set(packed.licences):
        raise UsageError(f"{path} was made of {', '.join(packed.licences)}; choose another --features or remove it")
    typer.echo(f"dehusk: {len(packed):,} examples of {len(packed.plain()):,} pages in {path}", err=True)
    for reason, count in packed.skipped.items():
        typer.echo(f"dehusk: {count} pages: {reason}", err=True)
    return packed


def _recipe(seeds: list[int]) -> "Recipe":
    from dehusk.training.kernel import recipe

    return replace(recipe.RECIPE, seeds=tuple(seeds)) if seeds else recipe.RECIPE


def _folds(packed: "Packed", recipe: "Recipe", folder: Path) -> None:
    from dehusk.training.kernel.validate import cross_validate, fold_files

    missing = sum(not path.exists() for path in fold_files(folder).values())
    with Progress(missing * _epochs(recipe), "epochs of five folds") as progress:
        cross_validate(packed, recipe, folder, progress.advance)


def _sets(packed: "Packed", recipe: "Recipe", folder: Path) -> None:
    from dehusk.training.kernel.validate import leave_out, set_files

    missing = sum(not path.exists() for path in set_files(folder, packed).values())
    with Progress(missing * _epochs(recipe), "epochs without a set") as progress:
        leave_out(packed, recipe, folder, progress.advance)


def _weights(packed: "Packed", recipe: "Recipe", folder: Path, output: Path) -> None:
    from dehusk.training.kernel import tuning
    from dehusk.training.kernel.export import Origin, write
    from dehusk.training.kernel.net.arrays import arrays
    from dehusk.training.kernel.net.batches import Store
    from dehusk.training.kernel.net.fit import fit_all
    from dehusk.training.kernel.predictions import joined
    from dehusk.training.kernel.validate import cross_validate, fold_files, trainable

    absent = [path.name for path in fold_files(folder).values() if not path.exists()]
    if absent:
        raise UsageError(f"{folder} lacks {', '.join(absent)}, which the weights are tuned on; run --only folds first")
    folds = cross_validate(packed, recipe, folder)
    with Progress(_epochs(recipe), "epochs") as progress:
        nets = fit_all(Store.of(packed), trainable(packed), recipe, progress.advance)
    chosen = tuning.tuned(tuning.judged(packed, joined(folds.values())))
    origin = Origin(_command(packed, recipe.seeds), recipe.seeds, tuning.figures(packed, folds))
    write(output, arrays(nets, packed), packed, chosen, origin)
    typer.echo(f"dehusk: weights in {output}", err=True)


def _epochs(recipe: "Recipe") -> int:
    return len(recipe.seeds) * recipe.epochs


def _command(packed: "Packed", seeds: Iterable[int]) -> str:
    """Return the command that makes the same weights again."""
    from dehusk.gold.corpora import SETS

    usual = {name for name, (_, splits) in SETS.items() if splits}
    named = [] if set(packed.licences) == usual else [part for name in packed.licences for part in ("--corpus", name)]
    drawn = [part for seed in seeds for part in ("--seed", str(seed))]
    return shlex.join(["dehusk", "train", "kernel", *named, *drawn])
