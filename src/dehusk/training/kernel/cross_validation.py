"""Cross-validation: predictions for each fifth of the sites, or each set, by models that have not seen it.

The vocabulary is chosen without labels, and examples depend on their own page alone, so all models share them; grafts
on hosts that are held out are left out (`KernelPacked.variants`). Bins and networks are new for each model.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from dehusk.errors import InputError
from dehusk.training.figures import FOLDS, fold_of
from dehusk.training.kernel.packed import KernelPacked
from dehusk.training.kernel.predictions import Predictions
from dehusk.training.kernel.recipe import KernelRecipe
from dehusk.training.progress import Tick


def cross_validate(
    packed: KernelPacked, recipe: KernelRecipe, folder: Path, tick: Tick = lambda: None
) -> dict[int, Predictions]:
    """Return for each fold the predictions of a model trained on the others; existing files are reused."""
    files = fold_files(folder)
    return {fold: _read_or_predict(files[fold], packed, in_fold(packed, fold), recipe, tick) for fold in files}


def leave_out(
    packed: KernelPacked, recipe: KernelRecipe, folder: Path, tick: Tick = lambda: None
) -> dict[str, Predictions]:
    """Return for each set the predictions of a model trained on the others; existing files are reused."""
    files = set_files(folder, packed)
    pages = {name: [page for page in packed.plain() if packed.info[page].corpus == name] for name in files}
    return {name: _read_or_predict(files[name], packed, pages[name], recipe, tick) for name in files}


def fold_files(folder: Path) -> dict[int, Path]:
    """Return where the predictions for each fold are kept."""
    return {fold: folder / f"fold-{fold}.npz" for fold in range(FOLDS)}


def set_files(folder: Path, packed: KernelPacked) -> dict[str, Path]:
    """Return where the predictions for each set by a model trained without it are kept."""
    return {corpus: folder / f"without-{corpus}.npz" for corpus in packed.licences}


def in_fold(packed: KernelPacked, fold: int) -> list[int]:
    """Return the plain pages of a fold."""
    return [page for page in packed.plain() if fold_of(packed.info[page].site) == fold]


def trainable(packed: KernelPacked, held_out: Sequence[int] = ()) -> list[int]:
    """Return the plain pages to train on: their gold was found, and their site is not held out in any set."""
    sites = {packed.info[page].site for page in held_out}
    usable = (page for page in packed.plain() if packed.info[page].usable)
    return [page for page in usable if packed.info[page].site not in sites]


def _read_or_predict(
    path: Path, packed: KernelPacked, held_out: Sequence[int], recipe: KernelRecipe, tick: Tick
) -> Predictions:
    """Return the predictions in the file, which is made by a new model if it does not exist."""
    maker = hashlib.sha256(f"{packed.digest} {recipe}".encode()).hexdigest()
    if not path.exists():
        _predict(packed, held_out, recipe, tick, maker).save(path)
    predictions = Predictions.load(path)
    # Nobody would notice figures of another recipe.
    if predictions.maker != maker:
        raise InputError(f"{path} was built from other features or by another recipe; remove it")
    return predictions


def _predict(
    packed: KernelPacked, held_out: Sequence[int], recipe: KernelRecipe, tick: Tick, maker: str
) -> Predictions:
    """Train on everything else, and predict what was held out."""
    from dehusk.training.kernel.net.batches import DeviceExamples  # noqa: PLC0415  (reading predictions needs no torch)
    from dehusk.training.kernel.net.fit import fit_all, predict_all  # noqa: PLC0415

    store = DeviceExamples.of(packed)
    logits = []
    if held_out:
        logits = predict_all(store, fit_all(store, trainable(packed, held_out), recipe, tick), held_out)
    names = ((packed.info[page].corpus, packed.info[page].id) for page in held_out)
    return Predictions.of(zip(names, logits, strict=True), maker)
