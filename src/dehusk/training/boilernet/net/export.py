"""Export: a folder with a network and where it comes from, as `Boilernet.load` reads it."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from dehusk.errors import UsageError
from dehusk.methods.boilernet import FORMAT, NETWORK, WINDOW
from dehusk.methods.boilernet.onnx import OnnxNetwork
from dehusk.training.boilernet import tuning
from dehusk.training.boilernet.inputs import Inputs
from dehusk.training.boilernet.net.batches import DeviceInputs
from dehusk.training.boilernet.net.fit import scores
from dehusk.training.boilernet.net.network import LeafNet
from dehusk.training.boilernet.net.onnx import write_eight_bit_weights, write_eight_bits, write_onnx
from dehusk.training.boilernet.net.trainer import Trainer
from dehusk.training.boilernet.paper import UNREAD, PaperPages
from dehusk.training.columns import Floats
from dehusk.training.model_folder import trained_on, write_model

COMPARED: Final = 80  # pages on which a file is compared with the network it was made from
SAME: Final = 1e-4  # the largest difference between scores that are the same


def write(trainer: Trainer, net: LeafNet, folder: Path, command: str, seed: int) -> str:
    """Write a network and model.json, and return how the file compares with the network itself."""
    packed, recipe = trainer.packed, net.recipe
    checked = trainer.scores(net, trainer.check)
    threshold = tuning.best_threshold(packed, trainer.check, checked)
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
        "figures": tuning.figures_by_set(packed, trainer.check, checked < threshold),
        "tags": trainer.tags,
        "words": trainer.words,
    }
    write_model(folder, description)
    if recipe.cell == "lstm":
        write_eight_bits(trainer.narrow(net), folder / NETWORK)
    else:
        write_onnx(net, folder / NETWORK)
    return compare(trainer, net, folder, threshold)


def write_paper(pages: PaperPages, net: LeafNet, folder: Path, command: str, seed: int) -> str:
    """Write a network of the paper's recipe, which has no other threshold than 0.5, and return what it reaches."""
    packed, recipe = pages.packed, net.recipe
    used = [*pages.train, *pages.check]
    store = DeviceInputs.of(pages.data)
    reached = pages.judge(scores(net.to(store.device), store, pages.data, pages.check))
    write_model(
        folder,
        {
            "format": FORMAT,
            "name": folder.name,
            "threshold": 0.5,
            "logs": False,
            "unread": sorted(UNREAD),
            "window": recipe.longest,
            "trained_on": trained_on((packed.info[page].corpus for page in used), packed.licences),
            "left_out": dict(packed.skipped),
            "recipe": asdict(recipe),
            "command": command,
            "seed": seed,
            "figures": {"F1 of text nodes, validation pages": round(reached, 4)},
            "tags": pages.tags,
            "words": pages.words,
        },
    )
    write_eight_bit_weights(net, folder / NETWORK)
    return f"{folder.name}: F1 of the validation pages' text nodes {reached:.4f}, mean of both classes"


def compare(trainer: Trainer, net: LeafNet, folder: Path, threshold: float) -> str:
    """Return in words how the network's file compares with the network itself, on some of the check pages."""
    pages = [page for page in trainer.check if trainer.data.size[page] <= WINDOW][:COMPARED]
    if not pages:
        return f"{folder.name}: not compared, all check pages have more than {WINDOW} leaves"
    labels, expected = trainer.data.labels[tuning.leaves_of(trainer.packed, pages)], trainer.scores(net, pages)
    with TemporaryDirectory() as scratch:
        write_onnx(net, Path(scratch) / NETWORK)
        difference = float(np.abs(file_scores(Path(scratch) / NETWORK, trainer.data, pages) - expected).max())
    if np.isnan(difference) or difference > SAME:
        raise UsageError(f"ONNX and torch differ by {difference:.2g} on {len(pages)} pages; expected less than {SAME}")
    shipped = file_scores(folder / NETWORK, trainer.data, pages)
    f1 = [np.mean(tuning.leaf_f1(labels, each >= threshold)) for each in (expected, shipped)]
    return (
        f"{folder.name}: ONNX and torch differ by {difference:.1g} on {len(pages)} pages; F1 of text nodes "
        f"{f1[0]:.4f} with torch, {f1[1]:.4f} with the file"
    )


def file_scores(path: Path, data: Inputs, pages: Sequence[int]) -> Floats:
    """Return the scores of the leaves of some pages by a network's file."""
    network, parts = OnnxNetwork.load(path), [np.zeros(0, np.float32)]
    for page in pages:
        leaves = np.arange(data.start[page], data.start[page + 1])
        entries = slice(data.entries[leaves[0]], data.entries[leaves[-1] + 1])
        rows = np.repeat(np.arange(len(leaves)), data.entries[leaves + 1] - data.entries[leaves])
        columns = data.column[entries].astype(np.int64)
        parts.append(network.run(rows, columns, data.value[entries], len(leaves)))
    return np.concatenate(parts)
