"""The compiled layers give what the same steps in numpy do."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Page, blocks
from dehusk.core import layers
from dehusk.errors import ModelError
from dehusk.features.tokens import BITS
from dehusk.features.view import view
from dehusk.methods import kernel, network
from dehusk.methods.network import Network, inputs, run_all
from dehusk.weights import read_arrays
from tests.golden import PAGES

STEPS = ("ramp", "enter", "advance", "leave")


def floats(seed: int, *shape: int) -> NDArray[np.float32]:
    return np.random.default_rng((seed, *shape)).normal(size=shape).astype(np.float32)


def arguments(name: str, count: int, width: int) -> tuple[Any, ...]:
    """Make up what a step is called with, for a page of `count` blocks."""
    random = np.random.default_rng(count)
    rows = floats(1, count, width)
    match name:
        case "ramp":
            column = np.sort(random.integers(0, 3, width)).astype(np.int32)
            low, slope = floats(3, width), np.abs(floats(4, width))
            return floats(5, 3, count), column, low, slope, np.zeros((width, count), np.float32)
        case "enter":
            above, words = random.integers(0, 1 << 40, count), random.integers(0, 1 << BITS, (count, 2))
            tag = random.integers(0, 5, count).astype(np.int32)
            return rows, floats(6, width), tag, floats(7, 5, width), above, words, floats(8, 3 * BITS, width), BITS
        case "advance":
            groups = random.integers(0, max(count // 2, 1), (2, count)).astype(np.int32)
            sizes = np.stack([np.bincount(row, minlength=count) for row in groups])
            shares = (1 / np.maximum(sizes, 1)).astype(np.float32)
            own = floats(9, width), floats(10, width), floats(11, 5, width), 3
            others = groups, shares, floats(12, 2, width)
            room = np.empty((2 + 3 * count) * width, np.float32)
            return rows, *own, *others, floats(13, width, width), floats(14, 2 * width, width), floats(15, width), room
        case "leave":
            return rows, floats(16, width), np.empty(count, np.float32), np.empty(2 * width, np.float32)
    raise AssertionError(f"no arguments for {name}")


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("count", [1, 2, 5, 40])
@pytest.mark.parametrize("width", [8, 48, 128])
def test_the_layers_do_what_numpy_does(name: str, count: int, width: int) -> None:
    given = arguments(name, count, width)
    copies = tuple(each.copy() if isinstance(each, np.ndarray) else each for each in given)
    getattr(layers, name)(*given)
    getattr(network, f"_{name}")(*copies)
    results = given[:-1] if name == "advance" else given  # what is left in the room is no result
    for left, right in zip(results, copies, strict=False):
        np.testing.assert_allclose(left, right, rtol=1e-4, atol=1e-4)
    changed = {"ramp": -1, "enter": 0, "advance": 0, "leave": -1}[name]
    assert not np.array_equal(given[changed], arguments(name, count, width)[changed])


@pytest.mark.parametrize("name", ["news-article", "chinese-gbk", "no-body"])
def test_pages_are_judged_alike_without_the_compiled_layers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, page = kernel.shipped(), Page.from_bytes((PAGES / name / "source.html").read_bytes())
    seen = view(page, blocks.cut(page), ours.vocabulary)
    compiled = run_all(ours.networks, inputs(ours.networks, seen, len(ours.vocabulary)))
    for step in STEPS:
        monkeypatch.setattr(network, step, getattr(network, f"_{step}"))
    plain = run_all(ours.networks, inputs(ours.networks, seen, len(ours.vocabulary)))
    for left, right in zip(plain, compiled, strict=True):
        np.testing.assert_allclose(left, right, atol=1e-4)


@pytest.mark.parametrize("name", ["mix2", "taps0", "layer_page1", "out", "bits", "low"])
def test_weights_that_do_not_fit_together_are_refused(name: str) -> None:
    arrays = {key[2:]: array for key, array in read_arrays(kernel.FOLDER / "weights.npz").items() if key[:2] == "0/"}
    arrays[name] = arrays[name][..., :-1]
    with pytest.raises(ModelError, match="do not fit together"):
        Network.of(arrays)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("taps0", np.zeros((4, 48), np.float32)),
        ("taps1", np.zeros((0, 48), np.float32)),
        ("steps", np.array([1, 2, 4, 1 << 62])),
        ("steps", np.array([1.5, 2, 4, 8])),
        ("numbers", np.zeros(48, np.float32)),
        ("kind", np.zeros(96, np.float32)),
    ],
)
def test_weights_that_would_be_read_beyond_their_ends_are_refused(name: str, value: NDArray[Any]) -> None:
    arrays = {key[2:]: array for key, array in read_arrays(kernel.FOLDER / "weights.npz").items() if key[:2] == "0/"}
    with pytest.raises(ModelError, match="do not fit together"):
        Network.of({**arrays, name: value})


def test_a_column_before_the_first_is_refused() -> None:
    arrays = {key[2:]: array for key, array in read_arrays(kernel.FOLDER / "weights.npz").items() if key[:2] == "0/"}
    arrays["column"] = arrays["column"].copy()
    arrays["column"][3] = -1
    with pytest.raises(ModelError, match="do not fit together"):
        Network.of(arrays)


def test_rows_may_be_as_wide_as_the_compiled_layers_take_them() -> None:
    assert network.WIDEST == layers.WIDEST
