"""FANN's files are read, other files are refused, and nets compute as FANN's do."""

import lzma
import os
from pathlib import Path

import numpy as np
import pytest

from dehusk.errors import InputError, ModelError
from dehusk.methods.texrex.fann import ACTIVATIONS, Perceptron, read_data, read_net, write_data, write_net

HEAD = "FANN_FLO_2.1\nnum_layers=3\nlayer_sizes=3 2 2 \nscale_included=0\n"
NEURONS = "neurons (num_inputs, activation_function, activation_steepness)="
LINKS = "connections (connected_to_neuron, weight)="
# Two inputs and a bias, one hidden neuron and a bias, one output: tanh(0.5 (a + 2 b + 3)), then 0.5 (3 - 4 h).
NET = (
    f"{HEAD}{NEURONS}(0, 0, 0.0) (0, 0, 0.0) (0, 0, 0.0) (3, 5, 5.0e-01) (0, 5, 0.0) (2, 13, 5.0e-01) (0, 13, 0.0) \n"
    f"{LINKS}(0, 1.0e+00) (1, 2.0) (2, 3.0) (3, -4.0) (4, 3.0) \n"
)


def file(folder: Path, text: str, name: str = "a.net") -> Path:
    path = folder / name
    path.write_bytes(lzma.compress(text.encode()) if name.endswith(".xz") else text.encode())
    return path


@pytest.mark.parametrize("name", ["a.net", "a.net.xz"])
def test_a_net_computes_what_fann_would(tmp_path: Path, name: str) -> None:
    net = read_net(file(tmp_path, NET, name))
    assert (net.activation, net.last, net.steepness, net.inputs) == (
        "sigmoid symmetric",
        "linear piece symmetric",
        0.5,
        2,
    )
    inputs = np.array([[0.0, -1.0, -3.0], [0.0, -1.0, 1.0]])
    expected = np.clip(0.5 * (-4 * np.tanh(0.5 * (inputs[0] + 2 * inputs[1] + 3)) + 3), -1, 1)
    np.testing.assert_allclose(net.run(inputs), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a net of FANN"),
        (NET.replace("layer_sizes=3 2 2", "layer_sizes=3 2"), "expected inputs, one hidden layer and one output"),
        (NET.replace("layer_sizes=3 2 2", "layer_sizes=3 2 99999999999"), "expected inputs, one hidden layer"),
        (NET.replace("layer_sizes=3 2 2", "layer_sizes=65536 65536 2"), "not fully connected"),
        (NET.replace("(1, 2.0) ", ""), "not fully connected"),
        (NET.replace("(1, 2.0)", "(1, nan)"), "not finite"),
        (NET.replace("(1, 2.0)", "(1, -inf)"), "not finite"),
        (NET.replace("(1, 2.0)", "(1, 1e99)"), "not finite"),
        (NET.replace("5.0e-01", "inf"), "not finite"),
        (NET.replace("5.0e-01", "nan"), "steepness"),
        (NET.replace("(2, 13, 5.0e-01)", "(2, 13, 1.0)"), "steepness"),
        (NET.replace("(3, 5, 5.0e-01)", "(3, 15, 5.0e-01)"), "no activation is called 15"),
        (NET.replace("(0, 1.0e+00)", "(0, x)"), "is not a net of FANN"),
    ],
)
def test_other_files_are_reported(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        read_net(file(tmp_path, text))


def test_data_are_rows_of_inputs_and_targets(tmp_path: Path) -> None:
    inputs, targets = read_data(file(tmp_path, "2 3 1\n1 2 3\n0\n4 5 6\n1\n", "a.dat"))
    assert inputs.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert targets.tolist() == [[0], [1]]


@pytest.mark.parametrize("text", ["", "2 3\n1", "2 3 1\n1 2 3\n0\n", "1 1 1\na b", "-1 -1 -1\n", "0 1 1\n"])
def test_data_of_another_size_are_reported(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"FANN's training data|numbers; expected"):
        read_data(file(tmp_path, text, "a.dat"))


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e99"])
def test_data_that_are_not_finite_are_reported(tmp_path: Path, number: str) -> None:
    with pytest.raises(InputError, match="not finite"):
        read_data(file(tmp_path, f"1 2 1\n1 {number}\n0\n", "a.dat"))


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_net(tmp_path / "none.net")
    (tmp_path / "a.net.xz").write_bytes(b"not xz")
    with pytest.raises(InputError, match="damaged"):
        read_net(tmp_path / "a.net.xz")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("linear", [-2, 0, 1]),
        ("sigmoid", [0.018, 0.5, 0.881]),
        ("sigmoid symmetric", [-0.964, 0, 0.762]),
        ("gaussian", [0.018, 1, 0.368]),
        ("gaussian symmetric", [-0.963, 1, -0.264]),
        ("linear piece", [0, 0, 1]),
        ("linear piece symmetric", [-1, 0, 1]),
    ],
)
def test_activations(name: str, expected: list[float]) -> None:
    assert ACTIVATIONS[name](np.array([-2.0, 0.0, 1.0])).round(3).tolist() == expected


def test_layers_that_do_not_fit_are_reported() -> None:
    with pytest.raises(ModelError, match="do not fit"):
        Perceptron(np.zeros((3, 2)), np.zeros(2), "linear", "linear")


@pytest.mark.data
@pytest.mark.parametrize(("language", "accuracy"), [("en", 0.991), ("de", 0.985), ("fr", 0.987), ("sv", 0.989)])
def test_the_authors_nets_on_the_authors_vectors(language: str, accuracy: float) -> None:
    folder = Path(os.environ["DEHUSK_DATA"]) / "data" / "texrex"
    inputs, targets = read_data(folder / f"boilerplate.{language}.dat.xz")
    called = read_net(folder / f"boilerplate.{language}.net.xz").run(inputs.T) > 0.55
    assert float((called == (targets[:, 0] > 0.5)).mean()) == pytest.approx(accuracy, abs=0.001)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    net = read_net(file(tmp_path, NET))
    write_net(tmp_path / "b.net", net)
    again = read_net(tmp_path / "b.net")
    assert (again.hidden.tolist(), again.output.tolist()) == ([[1.0], [2.0], [3.0]], [-4.0, 3.0])
    assert (again.activation, again.last, again.steepness) == (net.activation, net.last, net.steepness)
    inputs, targets = np.array([[0.125, -1], [3, 1e-7]], np.float32), np.array([[1], [0]], np.float32)
    write_data(tmp_path / "a.dat", inputs, targets)
    assert (tmp_path / "a.dat").read_text().startswith("2 2 1\n0.125 -1\n1\n")
    for one, two in zip(read_data(tmp_path / "a.dat"), (inputs, targets), strict=True):
        assert (one == two).all()


@pytest.mark.data
@pytest.mark.parametrize("name", ["en", "de", "fr", "sv", "germanic", "iso"])
def test_the_authors_nets_are_written_byte_by_byte(tmp_path: Path, name: str) -> None:
    path = Path(os.environ["DEHUSK_DATA"]) / "data" / "texrex" / f"boilerplate.{name}.net.xz"
    write_net(tmp_path / "a.net", read_net(path))
    # The iso net is of another version of FANN, which had more to say about training.
    ours, theirs = (tmp_path / "a.net").read_bytes(), lzma.decompress(path.read_bytes())
    assert ours[ours.index(b"layer_sizes") :] == theirs[theirs.index(b"layer_sizes") :]
    assert ours == theirs or name == "iso"
