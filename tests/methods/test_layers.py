"""The compiled layers give what the same steps in numpy do."""

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Page, blocks
from dehusk.errors import ModelError
from dehusk.features.tokens import BITS
from dehusk.features.tree import WAYS
from dehusk.methods import kernel
from dehusk.methods.kernel import bins, layers, network
from dehusk.methods.kernel.bins import Bins
from dehusk.methods.kernel.features import view
from dehusk.methods.kernel.network import Network, inputs, mean_logit, run_all, together
from dehusk.training.kernel.bins import edges
from dehusk.weights import read_arrays
from tests.golden import PAGES

Arrays = dict[str, NDArray[Any]]

STEPS = ("look", "enter", "advance", "leave")
BINS = Bins.of(
    {
        "column": np.array([0, 0, 0, 1, 2, 2]),
        "low": np.array([-1.0, 0, 0.5, 0, 0, 0.25]),
        "slope": np.array([1.0, 2, 1, 1, 4, 2]),
    }
)
ODD = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-45, -1.0, 0.5, 1.5], np.float32)


@pytest.fixture
def shipped_arrays() -> Arrays:
    """Return the weights of the first network."""
    arrays = read_arrays(kernel.FOLDER / "weights.npz")
    return {name[2:]: array for name, array in arrays.items() if name[:2] == "0/"}


def floats(seed: int, *shape: int) -> NDArray[np.float32]:
    return np.random.default_rng((seed, *shape)).normal(size=shape).astype(np.float32)


def in_order(groups: NDArray[np.int64]) -> NDArray[np.int32]:
    """Number groups in the order in which they first come.

    >>> in_order(np.array([7, 7, 2, 7, 0])).tolist()
    [0, 0, 1, 0, 2]
    """
    _, first, numbers = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.int32)[numbers]


def arguments(name: str, count: int, width: int) -> tuple[Any, ...]:
    """Make up what a step is called with, for a page of `count` blocks."""
    random = np.random.default_rng(count)
    rows = floats(1, count, width)
    match name:
        case "look":
            found = np.zeros(3 * (count + bins.TILE), np.int32), np.zeros(3 * (count + bins.TILE), np.float32)
            return floats(5, 3, count), BINS.first, BINS.low, BINS.slope, *found, np.zeros(count, np.int64)
        case "enter":
            above, words = random.integers(0, 1 << 40, count), random.integers(0, 1 << BITS, (count, 2))
            words[count // 3 :] = words[count // 3]  # as most blocks have what the one before them has
            tag = random.integers(0, 5, count).astype(np.int32)
            facts = tag, floats(7, 5, width), above, words, floats(8, 3 * BITS, width), BITS
            places = BINS.places(floats(5, 3, count))
            risen = BINS.risen(floats(6, len(BINS), width))
            return rows, floats(4, width), *facts, places.rows, places.shares, places.ends, risen
        case "advance":
            keys = random.integers(0, count // 2 + 1, (WAYS, count))
            keys[:, count // 3 : count // 2] = keys[:, count // 3, None]  # as blocks often are where those before are
            groups = np.stack([in_order(row) for row in keys])
            sizes = np.stack([np.bincount(row, minlength=count) for row in groups])
            shares = (1 / np.maximum(sizes, 1)).astype(np.float32)
            weights = floats(9, 2, 3 + 5 + WAYS + 3 * width, width) / 4
            room = np.full((3 + (1 + WAYS) * count) * width, np.nan, np.float32)
            return rows, weights, np.array([3, 1], np.int32), groups, shares, room
        case "leave":
            return rows, floats(16, width), np.empty(count, np.float32), np.empty(2 * width, np.float32)
    raise AssertionError(f"no arguments for {name}")


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("count", [1, 2, 5, 40, 150])
@pytest.mark.parametrize("width", [8, 48, 128])
def test_the_layers_do_what_numpy_does(name: str, count: int, width: int) -> None:
    given = arguments(name, count, width)
    copies = tuple(each.copy() if isinstance(each, np.ndarray) else each for each in given)
    getattr(layers, name)(*given)
    getattr(bins if name == "look" else network, f"_{name}")(*copies)
    results = given
    if name == "advance":
        results = given[:-1]  # what is left in the room is no result
    elif name == "look":
        *_, rows, shares, ends = given
        rows[ends[-1] :] = shares[ends[-1] :] = 0  # nor is this
    for left, right in zip(results, copies, strict=False):
        np.testing.assert_allclose(left, right, rtol=1e-4, atol=1e-4)
    changed = {"look": -1, "enter": 0, "advance": 0, "leave": -1}[name]
    assert not np.array_equal(given[changed], arguments(name, count, width)[changed])


@pytest.mark.parametrize("count", [1, 3, 16, 17, 40])
def test_bins_and_shares_say_how_far_features_have_come_in_all_bins(count: int) -> None:
    matrix, weights = floats(2, 3, count), floats(3, len(BINS), 8)
    places, begin = BINS.places(matrix), 0
    risen, passed = BINS.risen(weights), BINS.passed(matrix, np.arange(len(BINS)))
    for block, end in enumerate(places.ends.tolist()):
        rows, shares = places.rows[begin:end], places.shares[begin:end]
        found = risen[rows, 0].sum(axis=0) + shares @ risen[rows, 1]
        np.testing.assert_allclose(found, passed[:, block] @ weights, atol=1e-5)
        begin = end


@pytest.mark.parametrize("look", [layers.look, bins._look])
def test_whatever_a_feature_is_its_bin_is_one_of_its_own(look: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bins, "look", look)
    places = BINS.places(np.stack([ODD, ODD[::-1], np.roll(ODD, 2)]))
    rows, shares = places.rows[: places.ends[-1]], places.shares[: places.ends[-1]]
    assert (np.diff(places.ends, prepend=0) <= 3).all()
    assert ((rows >= 0) & (rows < len(BINS))).all()
    assert ((shares >= 0) & (shares <= 1)).all()
    # What is no number has reached no bin; infinity is beyond the last.
    assert rows[: places.ends[0]].tolist() == [3, 5]
    assert rows[places.ends[0] : places.ends[1]].tolist() == [2, 3, 5]


@pytest.mark.parametrize("name", ["news-article", "chinese-gbk", "no-body"])
def test_pages_are_judged_alike_without_the_compiled_layers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, page = kernel.shipped(), Page.from_bytes((PAGES / name / "source.html").read_bytes())
    seen = view(page, blocks.cut(page), ours.vocabulary)
    compiled = run_all(ours.networks, inputs(ours.networks, seen, len(ours.vocabulary)))
    for step in STEPS:
        module = bins if step == "look" else network
        monkeypatch.setattr(module, step, getattr(module, f"_{step}"))
    plain = run_all(ours.networks, inputs(ours.networks, seen, len(ours.vocabulary)))
    for left, right in zip(plain, compiled, strict=True):
        np.testing.assert_allclose(left, right, atol=1e-4)


@pytest.mark.parametrize("name", ["mix2", "taps0", "layer_page1", "out", "bits", "low"])
def test_weights_that_do_not_fit_together_are_refused(name: str, shipped_arrays: Arrays) -> None:
    with pytest.raises(ModelError, match="do not fit together"):
        Network.of({**shipped_arrays, name: shipped_arrays[name][..., :-1]})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("taps0", np.zeros((4, 48), np.float32)),
        ("taps1", np.zeros((0, 48), np.float32)),
        ("taps1", np.float32(0)),
        ("steps", np.array([1, 2, 4, 1 << 62])),
        ("steps", np.array([1.5, 2, 4, 8])),
        ("numbers", np.zeros(48, np.float32)),
        ("kind", np.zeros(96, np.float32)),
        ("kind", np.float32(0)),
        ("kind", np.zeros((96, 14), np.float32)),
        ("kind", np.zeros((96, 1), np.float32)),
        ("out", np.array(["no", "numbers"])),
        ("shift", np.zeros((6, 8), np.float32)),
        ("steps", np.zeros(0, np.int16)),
        ("steps", np.ones((4, 1), np.int16)),
        ("column", np.zeros(0, np.int16)),
        ("column", np.zeros((2, 2), np.int16)),
    ],
)
def test_weights_that_would_be_read_beyond_their_ends_are_refused(
    name: str, value: NDArray[Any], shipped_arrays: Arrays
) -> None:
    with pytest.raises(ModelError, match="do not fit together"):
        Network.of({**shipped_arrays, name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("column", -1), ("column", 9), ("low", 9.0), ("low", np.nan), ("slope", 0.0), ("slope", -1.0), ("slope", np.inf)],
)
def test_bins_that_do_not_abut_are_refused(name: str, value: float, shipped_arrays: Arrays) -> None:
    arrays = {**shipped_arrays, name: shipped_arrays[name].copy()}
    arrays[name][3] = value
    with pytest.raises(ModelError, match="do not fit together"):
        Network.of(arrays)


@pytest.mark.parametrize(
    "name", ["out", "bits", "tags", "page", "shift", "kind", "gain0", "taps1", "mix2", "layer_page3"]
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(name: str, value: float, shipped_arrays: Arrays) -> None:
    arrays = {**shipped_arrays, name: shipped_arrays[name].copy()}
    arrays[name].flat[-1] = value
    with pytest.raises(ModelError, match="do not fit together"):
        Network.of(arrays)


def test_bins_that_are_narrow_for_where_they_begin_abut() -> None:
    high = np.float32(np.log1p(3010))
    found = edges(np.log1p(np.arange(2990, 3011)) / high, 6)
    low, slope = (found[:-1] * high).astype(np.float32), (1 / (np.diff(found) * high)).astype(np.float32)
    assert len(Bins.of({"column": np.zeros(len(low), np.int64), "low": low, "slope": slope})) == len(low) > 5
    low[3] += 0.1 / slope[3]
    with pytest.raises(ModelError, match="do not fit together"):
        Bins.of({"column": np.zeros(len(low), np.int64), "low": low, "slope": slope})


def test_networks_with_equal_bins_look_a_page_up_once(shipped_arrays: Arrays, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = shipped_arrays
    other = {**arrays, "low": arrays["low"] + 1e-3}
    networks = together(Network.of(each) for each in (arrays, arrays, other, arrays))
    page = Page.from_html("<p>One</p><p>Two</p>")
    ours = kernel.shipped()
    seen = view(page, blocks.cut(page), ours.vocabulary)
    look = Mock(wraps=bins.look)
    monkeypatch.setattr(bins, "look", look)
    places = [each.places for each in inputs(networks, seen, len(ours.vocabulary))]
    assert look.call_count == 2
    assert [each is places[0] for each in places] == [True, True, False, True]


def test_layers_may_look_at_fewer_neighbours_than_others(shipped_arrays: Arrays) -> None:
    arrays = {**shipped_arrays, "taps1": shipped_arrays["taps1"].copy()}
    arrays["taps1"][[0, -1]] = 0
    fewer = {**arrays, "taps1": arrays["taps1"][1:-1]}
    np.testing.assert_array_equal(Network.of(fewer).layers, Network.of(arrays).layers)


def test_the_mean_of_logits_is_that_of_their_probabilities_and_has_an_end() -> None:
    logits = [np.array(row, np.float32) for row in ([0, 2, 1e30, -np.inf], [0, -1, 99, -99])]
    mean = (1 / (1 + np.exp(-2)) + 1 / (1 + np.exp(1))) / 2
    end = np.log((1 - 1e-7) / 1e-7)
    assert mean_logit(logits).tolist() == pytest.approx([0, np.log(mean / (1 - mean)), end, -end], rel=1e-4, abs=1e-6)


def test_rows_and_rooms_are_as_the_compiled_layers_take_them() -> None:
    assert network.WIDEST == layers.WIDEST
    assert bins.TILE == layers.TILE
    assert WAYS == layers.WAYS
