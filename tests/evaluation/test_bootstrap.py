"""The bootstrap: the same for the same seed, and never certain."""

import numpy as np
import pytest

from dehusk.evaluation.bootstrap import bootstrap_interval, paired_bootstrap

VALUES = np.random.default_rng(7).random(200)


def test_the_same_seed_gives_the_same_interval() -> None:
    assert bootstrap_interval(VALUES, seed=1) == bootstrap_interval(VALUES, seed=1)
    assert bootstrap_interval(VALUES, seed=1) != bootstrap_interval(VALUES, seed=2)


def test_the_interval_is_that_of_95_per_cent() -> None:
    interval = bootstrap_interval(VALUES)
    error = VALUES.std() / np.sqrt(len(VALUES))
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_no_difference_is_beyond_all_doubt() -> None:
    assert paired_bootstrap(VALUES + 1, VALUES).p == pytest.approx(2 / 5001)
