"""Export: a language model as a folder of two files, its tables and what is known of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.lm.model import FLOOR, FORMAT, SHARES, LanguageModel
from dehusk.training.lm.build import BALANCE
from dehusk.training.lm.fit import Figures, Recipe


@dataclass(frozen=True, slots=True)
class Origin:
    """What a model was made of, and how."""

    command: str
    files: Sequence[Path]
    known: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of each file's name its origin and licence


def write(folder: Path, model: LanguageModel, recipe: Recipe, figures: Figures, origin: Origin) -> None:
    """Write ngrams.npy and model.json; no word is in them, only hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "ngrams.npy", np.concatenate([table.bytes() for table in model.tables]))
    about = _about(model, recipe, figures, origin)
    text = json.dumps(about, ensure_ascii=False, indent=1)
    (folder / "model.json").write_text(text + "\n", encoding="utf-8")


def _about(model: LanguageModel, recipe: Recipe, figures: Figures, origin: Origin) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "language": model.language,
        "order": model.order,
        "entries": [len(table) for table in model.tables],
        "cutoff": round(model.cutoff, 1),
        "doubt": model.doubt,
        "shares": SHARES[model.order],
        "floor": FLOOR,
        "command": origin.command,
        "seed": None,  # nothing is drawn at random
        "balance": BALANCE,
        "least": recipe.least,
        "least_weights": [round(floor, 3) for floor in figures.floors],
        "cutoff_from": "pages" if recipe.cutoff else "sentences held back",
        "figures": {"held back": figures.held_back, "their perplexity": round(figures.perplexity, 1)},
        "sources": [
            {"file": path.name, "words": words, **origin.known.get(path.name, {})}
            for path, words in zip(origin.files, figures.words, strict=True)
        ],
    }
