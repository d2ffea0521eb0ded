"""Export: a folder with nets and where they come from, as `Texrex.load` reads it; and FANN's files."""

from collections.abc import Mapping
from pathlib import Path

from dehusk.methods.texrex import FORMAT, OTHERWISE, language_nets
from dehusk.methods.texrex.fann import Perceptron, write_data, write_net
from dehusk.methods.texrex.features import NAMES
from dehusk.training.model_folder import Origin, write_model
from dehusk.training.texrex.vectors import Vectors


def write(
    folder: Path, nets: Mapping[str, Perceptron], thresholds: Mapping[str, float], origin: Origin, *, quirks: bool
) -> None:
    """Write weights.npz and model.json; `quirks` says whether the nets know the features of texrex's own program."""
    (hidden, output), *others = {(net.activation, net.last) for net in nets.values()}
    assert not others  # one recipe trained them all
    description = {
        "format": FORMAT,
        "method": "texrex",
        "name": "texrex-quirks" if quirks else "texrex",
        "quirks": quirks,
        "hidden": hidden,
        "output": output,
        "features": len(NAMES),
        "thresholds": dict(thresholds),
        "languages": language_nets(nets),
        "trained_on": list(origin.trained_on),
        "left_out": dict(origin.left_out),
        "command": origin.command,
        "seed": origin.seeds[0],
        "figures": dict(origin.figures),
    }
    weights = {f"{name}.{layer}": getattr(net, layer) for name, net in nets.items() for layer in ("hidden", "output")}
    write_model(folder, description, weights)


def write_fann(folder: Path, nets: Mapping[str, Perceptron], vectors: Mapping[str, Vectors]) -> None:
    """Write boilerplate.LANGUAGE.net and .dat, as texrex's own programs read them; "iso" is for all languages."""
    for name, net in nets.items():
        write_net(folder / f"boilerplate.{'iso' if name == OTHERWISE else name}.net", net)
    for language, each in vectors.items():
        write_data(folder / f"boilerplate.{language}.dat", each.inputs, each.targets[:, None])
