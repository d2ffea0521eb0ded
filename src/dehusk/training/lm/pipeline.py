"""Pipeline: a language model from files of running text to a folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.errors import InputError
from dehusk.lm.model import FLOOR, FORMAT, SHARES, LanguageModel
from dehusk.training.lm.build import BALANCE
from dehusk.training.lm.fit import Figures, LmRecipe, fit
from dehusk.training.lm.text_files import find, steps
from dehusk.training.model_folder import Origin, check_new, train_command, write_model
from dehusk.training.progress import SILENT, Reporter

SourceFacts = Mapping[str, Mapping[str, str]]  # by file name, such as its origin and licence


def train(
    output: Path, paths: Sequence[Path], recipe: LmRecipe, known: SourceFacts | None = None, reporter: Reporter = SILENT
) -> tuple[LanguageModel, Figures]:
    """Train a language model on files of text and folders of such; `known` is copied to model.json."""
    check_new(output)
    files = find(paths)
    try:  # better to fail before the training than after it
        output.mkdir(parents=True, exist_ok=True)
        (output / "model.json").touch()
        (output / "model.json").unlink()
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}; expected a folder that can be created or written to") from error
    with reporter.steps(max(2, steps(files)), "steps") as tick:
        model, figures = fit(files, recipe, tick)
    options = {
        "--lang": recipe.language,
        "--order": recipe.order,
        "--megabytes": f"{recipe.size / 1e6:g}",
        "--least": recipe.least if recipe.least > 1 else None,
        "--cutoff": f"{recipe.cutoff:g}" if recipe.cutoff else None,
    }
    # By name alone: the folders of this machine are nobody's business.
    command = train_command("lm", options, *(path.absolute().name for path in paths))
    write(output, model, recipe, figures, Origin(command, sources(files, figures, known)))
    return model, figures


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
