"""FANN's text files: nets (.net) and training data (.dat), plain or compressed with xz.

Nissen: Implementation of a Fast Artificial Neural Network Library. Copenhagen 2003. Of the many nets that FANN can make
those are read that `Perceptron` can run: all inputs lead to one hidden layer, and all of that to one output.
"""

import lzma
import re
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError, ModelError
from dehusk.methods.texrex.perceptron import FANN_NUMBERS, Perceptron

TUPLES: Final = re.compile(r"\(([^)]*)\)")
LARGEST: Final = 1 << 16  # neurons of a layer; a file that says more is not one of ours

Matrix = NDArray[np.float32]
Neuron = tuple[int, str, float]


def read_net(path: Path) -> Perceptron:
    """Return the perceptron of a .net file."""
    fields = dict(line.split("=", 1) for line in _text(path).splitlines() if "=" in line)
    try:
        sizes = [int(size) for size in fields["layer_sizes"].split()]
        neurons = [_neuron(found) for found in TUPLES.findall(_named(fields, "neurons"))]
        links = [_link(found) for found in TUPLES.findall(_named(fields, "connections"))]
    except (KeyError, ValueError) as error:
        raise ModelError(f"{path} is not a net of FANN 2 in its text format: {error}") from error
    if len(sizes) != 3 or not all(2 <= size <= LARGEST for size in sizes) or sizes[2] != 2:
        raise ModelError(f"{path} has layers of {sizes} neurons; expected inputs, one hidden layer and one output")
    return _perceptron(path, sizes, neurons, links)


def read_data(path: Path) -> tuple[Matrix, Matrix]:
    """Return inputs and targets of a .dat file, one row an example."""
    text = _text(path)
    head, _, body = text.partition("\n")
    try:
        rows, inputs, outputs = (int(number) for number in head.split())
        with np.errstate(over="ignore"):
            numbers = np.array(body.split(), np.float32)
    except ValueError as error:
        raise InputError(
            f"{path} is not FANN's training data: {error}; expected 'rows inputs outputs' first"
        ) from error
    if min(rows, inputs, outputs) < 1 or len(numbers) != rows * (inputs + outputs):
        raise InputError(f"{path} holds {len(numbers):,} numbers; {rows} × ({inputs} + {outputs}) were promised")
    if not np.isfinite(numbers).all():
        raise InputError(f"{path} holds numbers that are not finite (nan, inf or too large); expected features")
    table = numbers.reshape(rows, inputs + outputs)
    return table[:, :inputs], table[:, inputs:]


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (lzma.decompress(data) if path.suffix == ".xz" else data).decode("ascii", "replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except lzma.LZMAError as error:
        raise InputError(f"{path} is damaged: {error}") from error


def _named(fields: dict[str, str], start: str) -> str:
    """Return the field that begins with a word; what follows in its name tells its columns."""
    for name, value in fields.items():
        if name.startswith(start):
            return value
    raise KeyError(start)


def _neuron(found: str) -> Neuron:
    inputs, activation, steepness = found.split(",")
    return int(inputs), FANN_NUMBERS.get(int(activation), activation.strip()), float(steepness)


def _link(found: str) -> tuple[int, float]:
    source, weight = found.split(",")
    return int(source), float(weight)


def _perceptron(path: Path, sizes: list[int], neurons: list[Neuron], links: list[tuple[int, float]]) -> Perceptron:
    """Sort what was read into layers; the last neuron of each is its bias, that of the output leads nowhere."""
    inputs, hidden, _ = sizes
    edge = inputs * (hidden - 1)
    kinds = set(neurons[inputs : inputs + hidden - 1])
    # Nothing is built by the sizes before they are known to fit: a damaged file may say any.
    fits = len(neurons) == sum(sizes) and len(links) == edge + hidden and len(kinds) == 1
    sources = [source for source, _ in links]
    if not fits or sources != [*range(inputs)] * (hidden - 1) + [*range(inputs, inputs + hidden)]:
        raise ModelError(f"{path} is not fully connected, or the neurons of its hidden layer differ; train it anew")
    (_, activation, steepness), (_, last, end) = kinds.pop(), neurons[inputs + hidden]
    if steepness != end:
        raise ModelError(f"{path} has a steepness of {steepness} and {end}; expected the same in both layers")
    with np.errstate(over="ignore"):
        weights = np.array([weight for _, weight in links], np.float32)
    if not np.isfinite([*weights, steepness]).all():
        raise ModelError(f"{path} has weights that are not finite (nan, inf or too large); train it anew")
    return Perceptron(weights[:edge].reshape(hidden - 1, inputs).T, weights[edge:], activation, last, steepness)
