"""The shortcuts of the compiled decision give what the long way gives."""

import numpy as np
import pytest

from dehusk.methods.kernel.decision import LOWEST_CUT, Tuning
from dehusk.methods.kernel.fast_scoring import expected_f1, stretch


@pytest.mark.parametrize("count", [0, 1, 2, 10, 300])
@pytest.mark.parametrize("power", [1, 20])
def test_the_expected_f1_is_that_of_the_best_cut_of_all(count: int, power: int) -> None:
    random = np.random.default_rng(count)
    likely, words = random.random(count) ** power, random.integers(1, 200, count).astype(np.float32)
    order = np.argsort(-likely)
    taken, right = np.cumsum(words[order], dtype=np.float64), np.cumsum((words * likely)[order])
    best = (2 * right / (taken + right[-1])).max() if count else 0.0
    assert expected_f1(likely, words) == pytest.approx(best, rel=1e-12)


def test_the_expected_f1_of_what_cannot_be_right_is_nothing() -> None:
    assert expected_f1(np.zeros(3), np.ones(3, np.float32)) == 0
    assert expected_f1(np.full(3, np.nan), np.ones(3, np.float32)) == 0


@pytest.mark.parametrize("cut", [1e-9, 0.2, 0.4999])
def test_values_are_stretched_along_straight_lines(cut: float) -> None:
    values = np.append(np.linspace(0, 1, 101), cut)
    found = np.empty_like(values)
    stretch(values, cut, 0.52, found)
    np.testing.assert_allclose(found, np.interp(values, (0, cut, 0.5, 1), (0, 0.5, 0.52, 1)), atol=1e-12)
    assert found.min() >= 0
    assert found.max() <= 1


@pytest.mark.parametrize(("expected", "cut"), [(1.0, 0.5), (0.8, 0.4), (0.4, 0.1), (0.1, LOWEST_CUT), (0, LOWEST_CUT)])
def test_the_less_is_expected_of_a_page_the_more_of_it_is_kept(expected: float, cut: float) -> None:
    tuning = Tuning(scale=1.0, offset=0.0, cut=(-0.2, 0.75), least=0.0, confidence=(0.0, 1.0))
    likely = np.array([cut - 0.01, cut + 0.01])
    assert (tuning.decide(likely, expected) > 0.5).tolist() == [False, True]
