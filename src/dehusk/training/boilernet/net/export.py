"""Export: a folder with a network and where it comes from, as `Boilernet.load` reads it."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import UsageError
from dehusk.methods.boilernet import FORMAT, NETWORK, WINDOW
from dehusk.methods.boilernet.onnx import Network
from dehusk.training.boilernet import tuning
from dehusk.training.boilernet.inputs import Inputs
from dehusk.training.boilernet.net.network import Net
from dehusk.training.boilernet.net.onnx import write_eight_bits, write_onnx
from dehusk.training.boilernet.net.trainer import Trainer
from dehusk.training.model_folder import trained_on, write_model

COMPARED: Final = 80  # pages on which a file is compared with the network it was made from
SAME: Final = 1e-4  # the largest difference between scores that are the same

Floats = NDArray[np.float32]


def write(trainer: Trainer, net: Net, folder: Path, command: str, seed: int) -> str:
    """Write a network and model.json, and return how the file compares with the network itself."""
    packed, recipe = trainer.packed, net.recipe
    scores = trainer.scores(net, trainer.check)
    threshold = tuning.best_threshold(packed, trainer.check, scores)
    description = {
        "format": FORMAT,
        "method": "boilernet",
        "name": folder.name,
        "threshold": threshold,
        "trained_on": trained_on((info.corpus for info in packed.info), packed.licences),
        "left_out": dict(packed.skipped),
        "recipe": asdict(recipe),
        "command": command,
        "seed": seed,
        "figures": tuning.figures_by_set(packed, trainer.check, scores < threshold),
        "tags": trainer.tags,
        "words": trainer.words,
    }
    write_model(folder, description)
    if recipe.cell == "lstm":
        write_eight_bits(trainer.narrow(net), folder / NETWORK)
    else:
        write_onnx(net, folder / NETWORK)
    return compare(trainer, net, folder, threshold)


def compare(trainer: Trainer, net: Net, folder: Path, threshold: float) -> str:
    """Return in words how the network's file compares with the network itself, on some of the check pages."""
    pages = [page for page in trainer.check if trainer.data.size[page] <= WINDOW][:COMPARED]
    if not pages:
        return f"{folder.name}: not compared, all check pages have more than {WINDOW} leaves"
    labels, scores = trainer.data.labels[tuning.leaves_of(trainer.packed, pages)], trainer.scores(net, pages)
    with TemporaryDirectory() as scratch:
        write_onnx(net, Path(scratch) / NETWORK)
        difference = float(np.abs(file_scores(Path(scratch) / NETWORK, trainer.data, pages) - scores).max())
    if np.isnan(difference) or difference > SAME:
        raise UsageError(f"ONNX and torch differ by {difference:.2g} on {len(pages)} pages; expected less than {SAME}")
    shipped = file_scores(folder / NETWORK, trainer.data, pages)
    f1 = [np.mean(tuning.leaf_f1(labels, each >= threshold)) for each in (scores, shipped)]
    return (
        f"{folder.name}: ONNX and torch differ by {difference:.1g} on {len(pages)} pages; F1 of text nodes "
        f"{f1[0]:.4f} with torch, {f1[1]:.4f} with the file"
    )


def file_scores(path: Path, data: Inputs, pages: Sequence[int]) -> Floats:
    """Return the scores of the leaves of some pages by a network's file."""
    network, scores = Network.load(path), [np.zeros(0, np.float32)]
    for page in pages:
        leaves = np.arange(data.start[page], data.start[page + 1])
        entries = slice(data.entries[leaves[0]], data.entries[leaves[-1] + 1])
        rows = np.repeat(np.arange(len(leaves)), data.entries[leaves + 1] - data.entries[leaves])
        columns = data.column[entries].astype(np.int64)
        scores.append(network.run(rows, columns, data.value[entries], len(leaves)))
    return np.concatenate(scores)
