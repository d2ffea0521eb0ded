"""Export: what stands beside a network in its folder, as `Boilernet.load` reads it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.boilernet import FORMAT
from dehusk.methods.boilernet.onnx import Network
from dehusk.training.boilernet.inputs import Inputs
from dehusk.training.boilernet.packed import Packed
from dehusk.training.boilernet.recipe import Recipe

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a network comes from: its name, what makes it again, and what it reached on the pages it was checked on."""

    name: str
    recipe: Recipe
    command: str
    seed: int
    threshold: float
    figures: Mapping[str, float]


def scores_by_file(path: Path, data: Inputs, pages: Sequence[int]) -> Floats:
    """Return what a network's file says of the leaves of some pages."""
    network, found = Network.load(path), [np.zeros(0, np.float32)]
    for page in pages:
        leaves = np.arange(data.start[page], data.start[page + 1])
        entries = slice(data.entries[leaves[0]], data.entries[leaves[-1] + 1])
        rows = np.repeat(np.arange(len(leaves)), data.entries[leaves + 1] - data.entries[leaves])
        columns = data.column[entries].astype(np.int64)
        found.append(network.run(rows, columns, data.value[entries], len(leaves)))
    return np.concatenate(found)


def write_about(folder: Path, tags: tuple[str, ...], words: tuple[str, ...], packed: Packed, origin: Origin) -> None:
    """Write model.json into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    counted = Counter(about.corpus for about in packed.about)
    about = {
        "format": FORMAT,
        "name": origin.name,
        "threshold": origin.threshold,
        "trained_on": [
            {"set": name, "pages": counted[name], "licence": licence} for name, licence in packed.licences.items()
        ],
        "left_out": dict(packed.skipped),
        "recipe": asdict(origin.recipe),
        "command": origin.command,
        "seed": origin.seed,
        "figures": dict(origin.figures),
        "tags": tags,
        "words": words,
    }
    (folder / "model.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
