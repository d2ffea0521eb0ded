"""The numbers that are chosen after training, on made-up predictions."""

import numpy as np
import pytest

from dehusk.errors import InputError
from dehusk.methods.kernel.fast_scoring import expected_f1
from dehusk.training.figures import FOLDS, fold_of
from dehusk.training.kernel.tuning import UNTUNED, PredictedPage, platt, scores, tuned


def page(logits: list[float], labels: list[float], words: float = 10) -> PredictedPage:
    return PredictedPage(np.array(logits, np.float32), np.full(len(logits), words, np.float32), np.array(labels))


def drawn(scale: float, offset: float, count: int = 300) -> list[PredictedPage]:
    """Pages whose labels are drawn with the probabilities that scale and offset make of their logits."""
    random = np.random.default_rng(0)
    pages = []
    for _ in range(count):
        logits = random.normal(0, 2, 40)
        labels = random.random(40) < 1 / (1 + np.exp(-(scale * logits + offset)))
        pages.append(PredictedPage(logits.astype(np.float32), np.full(40, 10, np.float32), labels.astype(np.float64)))
    return pages


@pytest.mark.parametrize(("scale", "offset"), [(1.0, 0.0), (0.5, -0.7), (2.0, 1.0)])
def test_scale_and_offset_are_found_again(scale: float, offset: float) -> None:
    assert platt(drawn(scale, offset)) == pytest.approx((scale, offset), abs=0.1)


def test_pages_that_leave_no_doubt_give_finite_numbers() -> None:
    scale, offset = platt([page([5.0, -5.0], [1.0, 0.0])])
    assert 1 <= scale < 100
    assert abs(offset) < 1


def test_every_page_counts_once_however_long() -> None:
    short, long = page([0.0], [1.0]), page([0.0] * 1000, [0.0] * 1000)
    assert platt([short, long])[1] == pytest.approx(0, abs=0.01)


def test_blocks_without_labels_do_not_count() -> None:
    assert platt([page([1.0, 9.0], [0.5, np.nan])]) == pytest.approx(platt([page([1.0], [0.5])]))


def test_f1_is_counted_in_words_and_is_one_where_nothing_is_wanted_and_nothing_kept() -> None:
    wanted = PredictedPage(np.zeros(3, np.float32), np.array([10, 10, 20], np.float32), np.array([1.0, 0.5, 0.0]))
    assert wanted.f1(np.array([True, False, True])) == pytest.approx(2 * 10 / (30 + 15))
    nothing = page([0.0, 0.0], [0.0, 0.0])
    assert (nothing.f1(np.array([False, False])), nothing.f1(np.array([True, False]))) == (1.0, 0.0)


def test_confidence_is_the_line_from_expected_to_measured_f1() -> None:
    pages = drawn(1.0, 0.0, count=200)
    found = tuned(pages)
    constant, factor = found.confidence
    measured, expected = [], []
    for each in pages:
        kept = scores(found, each.logits, each.words) > 0.5
        likely = 1 / (1 + np.exp(-(found.scale * each.logits.astype(np.float64) + found.offset)))
        measured.append(each.f1(kept))
        expected.append(constant + factor * expected_f1(likely, each.words))
    assert np.mean(expected) == pytest.approx(np.mean(measured), abs=1e-6)


def test_one_page_is_too_few_for_a_line_and_none_for_anything() -> None:
    assert tuned([page([2.0, -2.0], [1.0, 0.0])]).confidence == UNTUNED.confidence
    with pytest.raises(InputError, match="no page to tune on"):
        tuned([])


def test_folds_are_about_equal_and_never_change() -> None:
    counts = np.bincount([fold_of(f"site{number}.org") for number in range(1000)], minlength=FOLDS)
    assert counts.min() > 150
    assert [fold_of(f"site{number}.org") for number in range(6)] == [3, 0, 4, 1, 0, 0]
