"""Model folders: weights, and model.json with where they come from."""

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import UsageError


@dataclass(frozen=True, slots=True)
class Origin:
    """Where weights come from: the command that makes them again, the data they learnt from and what they reached."""

    command: str
    trained_on: Sequence[Mapping[str, Any]]
    left_out: Mapping[str, int] = field(default_factory=dict)
    seeds: Sequence[int] = ()
    figures: Mapping[str, float] = field(default_factory=dict)


def trained_on(corpora: Iterable[str], licences: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return each set with its licence and number of pages; `corpora` is the set of each page.

    >>> trained_on(["mine", "mine"], {"mine": "CC0"})
    [{'set': 'mine', 'pages': 2, 'licence': 'CC0'}]
    """
    counts = Counter(corpora)
    return [{"set": name, "pages": counts[name], "licence": licence} for name, licence in licences.items()]


def train_command(method: str, options: Mapping[str, object], *names: str) -> str:
    """Return the command that trains a method; options of None or False are left out, those of a list repeated.

    >>> train_command("texrex", {"--corpus": ["my pages", "b"], "--fann": True, "--epochs": None, "--seed": 0})
    "dehusk train texrex --corpus 'my pages' --corpus b --fann --seed 0"
    """
    arguments = []
    for option, value in options.items():
        for each in value if isinstance(value, list | tuple) else [value]:
            if each is not None and each is not False:
                arguments += [option] if each is True else [option, str(each)]
    return shlex.join(["dehusk", "train", method, *arguments, *names])


def check_new(folder: Path) -> None:
    """Refuse a folder that is not empty: weights that took hours to train are never overwritten."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"{folder} exists and is not empty; choose another output folder or remove it", setting="output"
        )


def write_model(
    folder: Path, description: Mapping[str, Any], weights: Mapping[str, NDArray[np.generic]] | None = None
) -> None:
    """Write model.json, and weights.npz if there are weights, into a folder, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    if weights is not None:
        with (folder / "weights.npz").open("wb") as file:
            np.savez_compressed(file, **cast(dict[str, Any], weights))
    (folder / "model.json").write_text(json.dumps(description, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
