"""Export: a language model as a folder of two files, its tables and where they come from."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.lm.model import FLOOR, FORMAT, SHARES, LanguageModel
from dehusk.training.lm.build import BALANCE
from dehusk.training.lm.fit import Figures, LmRecipe
from dehusk.training.model_folder import Origin, write_model

SourceFacts = Mapping[str, Mapping[str, str]]  # by file name, such as its origin and licence


def sources(files: Sequence[Path], figures: Figures, known: SourceFacts | None = None) -> list[dict[str, Any]]:
    """Return for each file its words and what is known of it."""
    return [
        {"file": path.name, "words": words, **(known or {}).get(path.name, {})}
        for path, words in zip(files, figures.words, strict=True)
    ]


def write(folder: Path, model: LanguageModel, recipe: LmRecipe, figures: Figures, origin: Origin) -> None:
    """Write ngrams.npy and model.json; they contain no words, only hashes."""
    description = {
        "format": FORMAT,
        "method": "pyplexity",
        "language": model.language,
        "order": model.order,
        "entries": [len(table) for table in model.tables],
        "cutoff": round(model.cutoff, 1),
        "doubt": model.doubt,
        "shares": SHARES[model.order],
        "floor": FLOOR,
        "command": origin.command,
        "seed": None,  # nothing is random
        "balance": BALANCE,
        "least": recipe.least,
        "least_weights": [round(floor, 3) for floor in figures.floors],
        "cutoff_from": "pages" if recipe.cutoff else "sentences held back",
        "figures": {"held back": figures.held_out, "their perplexity": round(figures.perplexity, 1)},
        "sources": list(origin.trained_on),
    }
    write_model(folder, description)
    np.save(folder / "ngrams.npy", np.concatenate([table.bytes() for table in model.tables]))
