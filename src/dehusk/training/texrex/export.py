"""Export: a folder with nets and what is known of them, as `Texrex.load` reads it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.methods.texrex import FORMAT, language_nets
from dehusk.methods.texrex.features import NAMES
from dehusk.methods.texrex.perceptron import Perceptron


@dataclass(frozen=True, slots=True)
class Origin:
    """Where nets come from: the features they know, what makes them again, what they learnt from and what they reached.

    `figures` are by net where vectors were trained on, else by set of pages.
    """

    name: str
    quirks: bool
    command: str
    seed: int
    trained_on: Sequence[Mapping[str, Any]]
    left_out: Mapping[str, int]
    figures: Mapping[str, float]


def write(folder: Path, nets: Mapping[str, Perceptron], thresholds: Mapping[str, float], origin: Origin) -> None:
    """Write weights.npz and model.json into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (hidden, output), *others = {(net.activation, net.last) for net in nets.values()}
    assert not others  # one recipe trained them all
    about = {
        "format": FORMAT,
        "name": origin.name,
        "quirks": origin.quirks,
        "hidden": hidden,
        "output": output,
        "features": len(NAMES),
        "thresholds": dict(thresholds),
        "languages": language_nets(nets),
        "trained_on": list(origin.trained_on),
        "left_out": dict(origin.left_out),
        "command": origin.command,
        "seed": origin.seed,
        "figures": dict(origin.figures),
    }
    arrays = {f"{name}.{layer}": getattr(net, layer) for name, net in nets.items() for layer in ("hidden", "output")}
    with (folder / "weights.npz").open("wb") as file:
        np.savez_compressed(file, **arrays)
    (folder / "model.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
