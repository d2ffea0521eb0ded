"""FANN: perceptrons that compute as FANN does, and its text files of nets (.net) and training data (.dat), both ways.

Nissen: Implementation of a Fast Artificial Neural Network Library. Copenhagen 2003. A net can be read if all inputs
lead to one hidden layer and all of that to one output. Files may be compressed with xz.
"""

import lzma
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError, ModelError

Array: TypeAlias = NDArray[np.floating[Any]]
Matrix = NDArray[np.float32]
Neuron = tuple[int, str, float]  # number of inputs, activation, steepness

# Each function takes the sum of the inputs times the steepness.
ACTIVATIONS: Final[Mapping[str, Callable[[Array], Array]]] = {
    "linear": lambda x: x,
    "sigmoid": lambda x: (np.tanh(x) + 1) / 2,
    "sigmoid symmetric": np.tanh,
    "gaussian": lambda x: np.exp(-x * x),
    "gaussian symmetric": lambda x: 2 * np.exp(-x * x) - 1,
    "linear piece": lambda x: np.clip(x, 0, 1),
    "linear piece symmetric": lambda x: np.clip(x, -1, 1),
}
FANN_NUMBERS: Final = dict(zip((0, 3, 5, 7, 8, 12, 13), ACTIVATIONS, strict=True))
TUPLES: Final = re.compile(r"\(([^()]*)\)")
# What a .net file says of training, as FANN writes it for RPROP; nothing of it changes what a net computes.
FANN_FIELDS: Final = {
    "num_layers": "3",
    "learning_rate": "0.700000",
    "connection_rate": "1.000000",
    "network_type": "0",
    "learning_momentum": "0.000000",
    "training_algorithm": "2",
    "train_error_function": "1",
    "train_stop_function": "0",
    "cascade_output_change_fraction": "0.010000",
    "quickprop_decay": "-0.000100",
    "quickprop_mu": "1.750000",
    "rprop_increase_factor": "1.200000",
    "rprop_decrease_factor": "0.500000",
    "rprop_delta_min": "0.000000",
    "rprop_delta_max": "50.000000",
    "rprop_delta_zero": "0.100000",
    "cascade_output_stagnation_epochs": "12",
    "cascade_candidate_change_fraction": "0.010000",
    "cascade_candidate_stagnation_epochs": "12",
    "cascade_max_out_epochs": "150",
    "cascade_max_cand_epochs": "150",
    "cascade_num_candidate_groups": "2",
    "bit_fail_limit": "3.49999994039535522461e-01",
    "cascade_candidate_limit": "1.00000000000000000000e+03",
    "cascade_weight_multiplier": "4.00000005960464477539e-01",
    "cascade_activation_functions_count": "10",
    "cascade_activation_functions": "3 5 7 8 10 11 14 15 16 17 ",
    "cascade_activation_steepnesses_count": "4",
    "cascade_activation_steepnesses": "".join(f"{steepness:.20e} " for steepness in (0.25, 0.5, 0.75, 1)),
}  # fmt: skip
MOST_NEURONS: Final = 1 << 16  # per layer; a file that claims more is damaged


@dataclass(frozen=True, slots=True, eq=False)
class Perceptron:
    """One hidden layer and one output: weights with the bias last, activations and their steepness.

    >>> net = Perceptron(np.array([[2.0], [0.0]]), np.array([2.0, 1.0]), "linear", "linear piece symmetric")
    >>> net.run(np.array([[0.1, 0.2, 3.0]]))
    array([0.6, 0.7, 1. ])
    """

    hidden: Array = field(repr=False)  # (inputs + 1, hidden)
    output: Array = field(repr=False)  # (hidden + 1,)
    activation: str
    last: str  # activation of the output
    steepness: float = 0.5

    def __post_init__(self) -> None:
        unknown = {self.activation, self.last} - set(ACTIVATIONS)
        if unknown:
            raise ModelError(
                f"no activation is called {', '.join(sorted(unknown))}; there are {', '.join(ACTIVATIONS)}"
            )
        if self.hidden.ndim != 2 or self.output.shape != (self.hidden.shape[1] + 1,):
            raise ModelError(
                f"layers of {self.hidden.shape} and {self.output.shape} do not fit; expected (inputs + 1, n), (n + 1,)"
            )

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return int(self.hidden.shape[0]) - 1

    def run(self, matrix: Array) -> Array:
        """Return one number per column of `matrix`, which has one row per input."""
        inner = ACTIVATIONS[self.activation](self.steepness * (self.hidden[:-1].T @ matrix + self.hidden[-1][:, None]))
        return ACTIVATIONS[self.last](self.steepness * (self.output[:-1] @ inner + self.output[-1]))


def read_net(path: Path) -> Perceptron:
    """Return the perceptron of a .net file."""
    fields = dict(line.split("=", 1) for line in _text(path).splitlines() if "=" in line)
    try:
        sizes = [int(size) for size in fields["layer_sizes"].split()]
        neurons = [_neuron(values) for values in TUPLES.findall(_field(fields, "neurons"))]
        links = [_link(values) for values in TUPLES.findall(_field(fields, "connections"))]
    except (KeyError, ValueError) as error:
        raise ModelError(f"{path} is not a net of FANN 2 in its text format: {error}") from error
    if len(sizes) != 3 or not all(2 <= size <= MOST_NEURONS for size in sizes) or sizes[2] != 2:
        raise ModelError(f"{path} has layers of {sizes} neurons; expected inputs, one hidden layer and one output")
    return _perceptron(path, sizes, neurons, links)


def read_data(path: Path) -> tuple[Matrix, Matrix]:
    """Return the inputs and the targets of a .dat file, one row per example."""
    head, _, body = _text(path).partition("\n")
    try:
        rows, inputs, outputs = (int(number) for number in head.split())
        with np.errstate(over="ignore"):
            numbers = np.array(body.split(), np.float32)
    except ValueError as error:
        raise InputError(
            f"{path} is not FANN's training data: {error}; expected 'rows inputs outputs' first"
        ) from error
    if min(rows, inputs, outputs) < 1 or len(numbers) != rows * (inputs + outputs):
        raise InputError(f"{path} holds {len(numbers):,} numbers; expected {rows} × ({inputs} + {outputs})")
    if not np.isfinite(numbers).all():
        raise InputError(f"{path} holds numbers that are not finite (nan, inf or too large); expected features")
    table = numbers.reshape(rows, inputs + outputs)
    return table[:, :inputs], table[:, inputs:]


def write_net(path: Path, net: Perceptron) -> None:
    """Write a perceptron as a .net file of FANN 2.1."""
    inputs, hidden = net.hidden.shape
    numbers = {name: number for number, name in FANN_NUMBERS.items()}
    layer = [f"({inputs}, {numbers[net.activation]}, {net.steepness:.20e})"] * hidden
    last = f"({hidden + 1}, {numbers[net.last]}, {net.steepness:.20e})"
    # The inputs and, at the end of each layer, its bias, which has no inputs.
    bare = [f"(0, {number}, {0:.20e})" for number in (0, numbers[net.activation], numbers[net.last])]
    neurons = [*[bare[0]] * inputs, *layer, bare[1], last, bare[2]]
    links = [(source, weight) for column in net.hidden.T.tolist() for source, weight in enumerate(column)]
    links += list(enumerate(net.output.tolist(), inputs))
    fields = {
        **FANN_FIELDS,
        "layer_sizes": f"{inputs} {hidden + 1} 2 ",
        "scale_included": "0",
        "neurons (num_inputs, activation_function, activation_steepness)": " ".join(neurons) + " ",
        "connections (connected_to_neuron, weight)": " ".join(f"({source}, {weight:.20e})" for source, weight in links)
        + " ",
    }
    path.write_text("FANN_FLO_2.1\n" + "".join(f"{name}={value}\n" for name, value in fields.items()), encoding="ascii")


def write_data(path: Path, inputs: Array, targets: Array) -> None:
    """Write examples as a .dat file: inputs and targets have one row per example."""
    with path.open("w", encoding="ascii") as file:
        file.write(f"{len(inputs)} {inputs.shape[1]} {targets.shape[1]}\n")
        for row, target in zip(inputs.tolist(), targets.tolist(), strict=True):
            file.write(" ".join(f"{value:.9g}" for value in row) + "\n")
            file.write(" ".join(f"{value:.9g}" for value in target) + "\n")


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (lzma.decompress(data) if path.suffix == ".xz" else data).decode("ascii", "replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except lzma.LZMAError as error:
        raise InputError(f"{path} is damaged: {error}") from error


def _field(fields: dict[str, str], start: str) -> str:
    """Return the field whose name begins with a word; the rest of the name lists its columns."""
    for name, value in fields.items():
        if name.startswith(start):
            return value
    raise KeyError(start)


def _neuron(values: str) -> Neuron:
    inputs, activation, steepness = values.split(",")
    return int(inputs), FANN_NUMBERS.get(int(activation), activation.strip()), float(steepness)


def _link(values: str) -> tuple[int, float]:
    source, weight = values.split(",")
    return int(source), float(weight)


def _perceptron(path: Path, sizes: list[int], neurons: list[Neuron], links: list[tuple[int, float]]) -> Perceptron:
    """Sort neurons and links into layers; the last neuron of each layer is its bias, that of the output is unused."""
    inputs, hidden, _ = sizes
    edge = inputs * (hidden - 1)
    kinds = set(neurons[inputs : inputs + hidden - 1])
    # Check the sizes before allocating anything of that size: in a damaged file they can be any numbers.
    fits = len(neurons) == sum(sizes) and len(links) == edge + hidden and len(kinds) == 1
    sources = [source for source, _ in links]
    if not fits or sources != [*range(inputs)] * (hidden - 1) + [*range(inputs, inputs + hidden)]:
        raise ModelError(f"{path} is not fully connected, or the neurons of its hidden layer differ; retrain it")
    (_, activation, steepness), (_, last, end) = kinds.pop(), neurons[inputs + hidden]
    if steepness != end:
        raise ModelError(f"{path} has a steepness of {steepness} and {end}; expected the same in both layers")
    with np.errstate(over="ignore"):
        weights = np.array([weight for _, weight in links], np.float32)
    if not np.isfinite([*weights, steepness]).all():
        raise ModelError(f"{path} has weights that are not finite (nan, inf or too large); retrain it")
    return Perceptron(weights[:edge].reshape(hidden - 1, inputs).T, weights[edge:], activation, last, steepness)
