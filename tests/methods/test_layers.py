"""The compiled layers give the same results as numpy."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Page, blocks
from dehusk.errors import ModelError
from dehusk.features.tokens import BITS
from dehusk.methods import kernel
from dehusk.methods.kernel import bins, layers, network
from dehusk.methods.kernel.bins import Bins, BinValues
from dehusk.methods.kernel.features import page_features
from dehusk.methods.kernel.network import GROUPINGS, KernelNetwork, inputs, mean_logit, run_ensemble, share_bins
from dehusk.model_files import read_arrays, shipped_folder
from dehusk.training.kernel.bins import edges
from tests.golden import PAGES

Arrays = dict[str, NDArray[Any]]

STEPS = ("find_bins", "embed", "run_layers", "read_out")
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
    arrays = read_arrays(shipped_folder("kernel") / "weights.npz")
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
    """Make up the arguments of a step, for a page of `count` blocks; what it writes is the last, or the first."""
    random = np.random.default_rng(count)
    rows = floats(1, count, width)
    match name:
        case "find_bins":
            room = 3 * (count + bins.TILE)
            values = BinValues(np.zeros(room, np.int32), np.zeros(room, np.float32), np.zeros(count, np.int64))
            return floats(5, 3, count), BINS, values
        case "embed":
            above, tokens = random.integers(0, 1 << 40, count), random.integers(0, 1 << BITS, (count, 2))
            tokens[count // 3 :] = tokens[count // 3]  # most blocks have the tokens of the one before them
            tag = random.integers(0, 5, count).astype(np.int32)
            weights = BINS.cumulated(floats(6, len(BINS), width))
            given = SimpleNamespace(tag=tag, above=above, tokens=tokens, values=BINS.values(floats(5, 3, count)))
            ours = SimpleNamespace(tags=floats(7, 5, width), bits=floats(8, 3 * BITS, width), bin_weights=weights)
            return rows, floats(4, width), given, ours
        case "run_layers":
            keys = random.integers(0, count // 2 + 1, (GROUPINGS, count))
            keys[:, count // 3 : count // 2] = keys[:, count // 3, None]  # blocks are often grouped as those before
            groups = np.stack([in_order(row) for row in keys])
            sizes = np.stack([np.bincount(row, minlength=count) for row in groups])
            given = SimpleNamespace(groups=groups, shares=(1 / np.maximum(sizes, 1)).astype(np.float32))
            layer_rows = floats(9, 2, 3 + 5 + GROUPINGS + 3 * width, width) / 4
            ours = SimpleNamespace(layers=layer_rows, steps=np.array([3, 1], np.int32))
            return rows, given, ours, np.full((3 + (1 + GROUPINGS) * count) * width, np.nan, np.float32)
        case "read_out":
            return rows, floats(16, width), np.empty(count, np.float32), np.empty(2 * width, np.float32)
    raise AssertionError(f"no arguments for {name}")


def results(name: str, given: tuple[Any, ...]) -> list[NDArray[Any]]:
    """Return what a step has written."""
    if name == "find_bins":
        values, end = given[-1], given[-1].ends[-1]
        return [values.rows[:end], values.shares[:end], values.ends]
    return list(given[2:]) if name == "read_out" else [given[0]]


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("count", [1, 2, 5, 40, 150])
@pytest.mark.parametrize("width", [8, 48, 128])
def test_compiled_layers_do_what_numpy_does(name: str, count: int, width: int) -> None:
    given, same = arguments(name, count, width), arguments(name, count, width)
    getattr(layers, name)(*given)
    getattr(bins if name == "find_bins" else network, f"_{name}")(*same)
    for left, right in zip(results(name, given), results(name, same), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-4, atol=1e-4)
    if name != "read_out":
        before = results(name, arguments(name, count, width))[-1]
        assert not np.array_equal(results(name, given)[-1], before)


@pytest.mark.parametrize("count", [1, 3, 16, 17, 40])
def test_bins_and_shares_say_how_far_features_have_come_in_all_bins(count: int) -> None:
    matrix, weights = floats(2, 3, count), floats(3, len(BINS), 8)
    values, begin = BINS.values(matrix), 0
    cumulated, passed = BINS.cumulated(weights), BINS.passed(matrix, np.arange(len(BINS)))
    for block, end in enumerate(values.ends.tolist()):
        rows, shares = values.rows[begin:end], values.shares[begin:end]
        found = cumulated[rows, 0].sum(axis=0) + shares @ cumulated[rows, 1]
        np.testing.assert_allclose(found, passed[:, block] @ weights, atol=1e-5)
        begin = end


@pytest.mark.parametrize("find_bins", [layers.find_bins, bins._find_bins])
def test_whatever_a_feature_is_its_bin_is_one_of_its_own(find_bins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bins, "find_bins", find_bins)
    places = BINS.values(np.stack([ODD, ODD[::-1], np.roll(ODD, 2)]))
    rows, shares = places.rows[: places.ends[-1]], places.shares[: places.ends[-1]]
    assert (np.diff(places.ends, prepend=0) <= 3).all()
    assert ((rows >= 0) & (rows < len(BINS))).all()
    assert ((shares >= 0) & (shares <= 1)).all()
    # NaN has reached no bin; infinity is beyond the last.
    assert rows[: places.ends[0]].tolist() == [3, 5]
    assert rows[places.ends[0] : places.ends[1]].tolist() == [2, 3, 5]


@pytest.mark.parametrize("name", ["news-article", "chinese-gbk", "no-body"])
def test_pages_get_the_same_scores_without_the_compiled_layers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, page = kernel.Kernel.shipped(), Page.from_bytes((PAGES / name / "source.html").read_bytes())
    seen = page_features(page, blocks.cut(page), ours.vocabulary)
    compiled = run_ensemble(ours.networks, inputs(ours.networks, seen, len(ours.vocabulary)))
    for step in STEPS:
        module = bins if step == "find_bins" else network
        monkeypatch.setattr(module, step, getattr(module, f"_{step}"))
    plain = run_ensemble(ours.networks, inputs(ours.networks, seen, len(ours.vocabulary)))
    for left, right in zip(plain, compiled, strict=True):
        np.testing.assert_allclose(left, right, atol=1e-4)


def cut_off(array: NDArray[Any]) -> NDArray[Any]:
    return array[..., :-1]


def replaced(place: int, value: float) -> Callable[[NDArray[Any]], NDArray[Any]]:
    return lambda array: np.concatenate((array.flat[:place], [value], array.flat[place + 1 :])).reshape(array.shape)


FINITE = ("out", "bits", "tags", "page", "shift", "kind", "gain0", "taps1", "mix2", "layer_page3")
NOT_ADJACENT = (("column", -1), ("column", 9), ("low", 9), ("low", np.nan), ("slope", 0), ("slope", -1))
OTHER_ARRAYS = (
    ("taps0", np.zeros((4, 48))), ("taps1", np.zeros((0, 48))), ("taps1", np.float32(0)),
    ("steps", np.array([1, 2, 4, 1 << 62])), ("steps", np.array([1.5, 2, 4, 8])), ("numbers", np.zeros(48)),
    ("steps", np.zeros(0, np.int16)), ("steps", np.ones((4, 1), np.int16)), ("shift", np.zeros((6, 8))),
    ("kind", np.zeros(96)), ("kind", np.float32(0)), ("kind", np.zeros((96, 14))), ("kind", np.zeros((96, 1))),
    ("column", np.zeros(0, np.int16)), ("column", np.zeros((2, 2), np.int16)), ("out", np.array(["no", "numbers"])),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *((name, cut_off) for name in ("mix2", "taps0", "layer_page1", "out", "bits", "low")),
        *((name, replaced(3, value)) for name, value in (*NOT_ADJACENT, ("slope", np.inf))),
        *((name, replaced(0, value)) for name in FINITE for value in (np.nan, np.inf)),
        *((name, lambda _, value=value: value) for name, value in OTHER_ARRAYS),
    ],
)
def test_weights_that_compiled_loops_would_misread_are_refused(
    name: str, change: Callable[[NDArray[Any]], NDArray[Any]], shipped_arrays: Arrays
) -> None:
    with pytest.raises(ModelError, match="do not fit together"):
        KernelNetwork.of({**shipped_arrays, name: change(shipped_arrays[name])})


def test_bins_that_are_narrow_for_where_they_begin_are_adjacent() -> None:
    high = np.float32(np.log1p(3010))
    found = edges(np.log1p(np.arange(2990, 3011)) / high, 6)
    low, slope = (found[:-1] * high).astype(np.float32), (1 / (np.diff(found) * high)).astype(np.float32)
    assert len(Bins.of({"column": np.zeros(len(low), np.int64), "low": low, "slope": slope})) == len(low) > 5
    low[3] += 0.1 / slope[3]
    with pytest.raises(ModelError, match="do not fit together"):
        Bins.of({"column": np.zeros(len(low), np.int64), "low": low, "slope": slope})


def test_networks_with_equal_bins_find_them_once_per_page(
    shipped_arrays: Arrays, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = shipped_arrays
    other = {**arrays, "low": arrays["low"] + 1e-3}
    networks = share_bins(KernelNetwork.of(each) for each in (arrays, arrays, other, arrays))
    page = Page.from_html("<p>One</p><p>Two</p>")
    ours = kernel.Kernel.shipped()
    seen = page_features(page, blocks.cut(page), ours.vocabulary)
    find_bins = Mock(wraps=bins.find_bins)
    monkeypatch.setattr(bins, "find_bins", find_bins)
    values = [each.values for each in inputs(networks, seen, len(ours.vocabulary))]
    assert find_bins.call_count == 2
    assert [each is values[0] for each in values] == [True, True, False, True]


def test_layers_may_look_at_fewer_neighbours_than_others(shipped_arrays: Arrays) -> None:
    arrays = {**shipped_arrays, "taps1": shipped_arrays["taps1"].copy()}
    arrays["taps1"][[0, -1]] = 0
    fewer = {**arrays, "taps1": arrays["taps1"][1:-1]}
    np.testing.assert_array_equal(KernelNetwork.of(fewer).layers, KernelNetwork.of(arrays).layers)


def test_the_mean_of_logits_is_that_of_their_probabilities_and_is_bounded() -> None:
    logits = [np.array(row, np.float32) for row in ([0, 2, 1e30, -np.inf], [0, -1, 99, -99])]
    mean = (1 / (1 + np.exp(-2)) + 1 / (1 + np.exp(1))) / 2
    end = np.log((1 - 1e-7) / 1e-7)
    assert mean_logit(logits).tolist() == pytest.approx([0, np.log(mean / (1 - mean)), end, -end], rel=1e-4, abs=1e-6)


def test_sizes_are_those_of_the_compiled_layers() -> None:
    assert network.WIDEST == layers.WIDEST
    assert bins.TILE == layers.TILE
    assert layers.GROUPINGS == GROUPINGS
