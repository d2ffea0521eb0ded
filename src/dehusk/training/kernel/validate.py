"""Validation: models that have not seen a fifth of the sites, or a whole set, and what they say of it.

The vocabulary is made without labels and each example of its own pages alone, so that all models share them; grafts on
what is held out are left out (`Packed.variants`); bins and networks are made anew for each.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from dehusk.errors import InputError
from dehusk.training.kernel.packed import Packed
from dehusk.training.kernel.predictions import Predictions
from dehusk.training.kernel.recipe import Recipe

FOLDS: Final = 5
Tick = Callable[[], None]


def fold_of(site: str) -> int:
    """Return the fold of a site's pages: the same in every set, version and process.

    >>> fold_of("stackoverflow.com"), fold_of("wikipedia.org")
    (3, 2)
    """
    return int(hashlib.sha256(f"fold{site}".encode()).hexdigest(), 16) % FOLDS


def cross_validate(packed: Packed, recipe: Recipe, folder: Path, tick: Tick = lambda: None) -> dict[int, Predictions]:
    """Return for each fold what a model trained on the others says of it; folds whose file is there are only read."""
    files = fold_files(folder)
    return {fold: _remembered(files[fold], packed, in_fold(packed, fold), recipe, tick) for fold in files}


def leave_out(packed: Packed, recipe: Recipe, folder: Path, tick: Tick = lambda: None) -> dict[str, Predictions]:
    """Return for each set what a model trained on the others says of it; sets whose file is there are only read."""
    files = set_files(folder, packed)
    return {name: _remembered(files[name], packed, in_set(packed, name), recipe, tick) for name in files}


def fold_files(folder: Path) -> dict[int, Path]:
    """Return where the predictions for each fold are kept."""
    return {fold: folder / f"fold-{fold}.npz" for fold in range(FOLDS)}


def set_files(folder: Path, packed: Packed) -> dict[str, Path]:
    """Return where the predictions for each set are kept, of a model that was trained without it."""
    return {corpus: folder / f"without-{corpus}.npz" for corpus in packed.licences}


def in_fold(packed: Packed, fold: int) -> list[int]:
    """Return the plain pages of a fold."""
    return [number for number in packed.plain() if fold_of(packed.about[number].site) == fold]


def in_set(packed: Packed, corpus: str) -> list[int]:
    """Return the plain pages of a set."""
    return [number for number in packed.plain() if packed.about[number].corpus == corpus]


def trainable(packed: Packed, held_out: Sequence[int] = ()) -> list[int]:
    """Return the plain pages that may be trained on: their gold was found, and their site is not held out.

    A site can be in two sets; a model that is asked about it has seen it in neither.
    """
    sites = {packed.about[number].site for number in held_out}
    usable = (number for number in packed.plain() if packed.about[number].usable)
    return [number for number in usable if packed.about[number].site not in sites]


def _remembered(path: Path, packed: Packed, held_out: Sequence[int], recipe: Recipe, tick: Tick) -> Predictions:
    """Return what the file holds, or what a new model says, which the file then holds."""
    maker = hashlib.sha256(f"{packed.digest} {recipe}".encode()).hexdigest()
    if not path.exists():
        _asked(packed, held_out, recipe, tick, maker).save(path)
    found = Predictions.load(path)
    # Figures of one recipe under the name of another would be believed.
    if found.maker != maker:
        raise InputError(f"{path} was made from other features or by another recipe; remove it")
    return found


def _asked(packed: Packed, held_out: Sequence[int], recipe: Recipe, tick: Tick, maker: str) -> Predictions:
    """Train on everything else, and ask about what was held out."""
    from dehusk.training.kernel.net.batches import Store  # noqa: PLC0415  (reading predictions needs no torch)
    from dehusk.training.kernel.net.fit import fit_all, predict_all  # noqa: PLC0415

    store = Store.of(packed)
    logits = []
    if held_out:
        logits = predict_all(store, fit_all(store, trainable(packed, held_out), recipe, tick), held_out)
    names = ((packed.about[number].corpus, packed.about[number].id) for number in held_out)
    return Predictions.of(zip(names, logits, strict=True), maker)
