"""Export: a folder with a machine, its lexicon and where they come from, as `Fiasco.load` reads it."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.fiasco import FORMAT
from dehusk.methods.fiasco.features import columns
from dehusk.methods.fiasco.machine import Machine
from dehusk.methods.fiasco.words import Lexicon
from dehusk.training.fiasco.svm import Fitted, SvmRecipe
from dehusk.training.model_folder import Origin, write_model


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
