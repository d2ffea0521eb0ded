import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest

from dehusk.evaluation.bootstrap import bootstrap_interval, paired_bootstrap
from dehusk.evaluation.curves import (
    balanced_threshold,
    brier_score,
    calibration_error,
    precision_recall_curve,
    reliability_curve,
)
from dehusk.evaluation.metrics import (
    PRF,
    Aligned,
    Aligner,
    ByClass,
    MatchCounts,
    accuracy,
    aligned,
    bag_of_words,
    by_class,
    difflib_pairs,
    edit_similarity,
    error_reduction,
    lcs_pairs,
    macro,
    marked_words,
    micro,
    snippets,
    tokenise,
)
from dehusk.evaluation.rouge import rouge_lsum, rouge_n
from dehusk.gold.word_sequences import Pairs, words

ALIGNERS = pytest.mark.parametrize("pairs", [lcs_pairs, difflib_pairs])


def without_autojunk(output: Sequence[str], gold: Sequence[str]) -> Pairs:
    return difflib_pairs(output, gold, autojunk=False)


def test_shares_of_counts_worked_by_hand() -> None:
    # 6 right of 8 that came out and of 12 wanted: 2 · 0.75 · 0.5 / 1.25 = 0.6.
    assert MatchCounts(6, 2, 6).prf == PRF(0.75, 0.5, 0.6)


@pytest.mark.parametrize(
    ("output", "gold", "f1"), [("", "", 1.0), ("", "wanted", 0.0), ("noise", "", 0.0), ("noise", "wanted", 0.0)]
)
def test_empty_gold_is_right_only_if_nothing_comes_out(output: str, gold: str, f1: float) -> None:
    assert bag_of_words(output, gold).prf.f1 == f1
    assert aligned(output, gold).words.prf.f1 == f1
    assert rouge_lsum(output, gold).prf.f1 == f1


def test_bag_of_words_counts_a_word_as_often_as_both_texts_have_it() -> None:
    assert bag_of_words("The the THE cat", "the cat, the dog") == MatchCounts(tp=3, fp=1, fn=1)


def test_bag_of_words_ignores_order() -> None:
    assert bag_of_words("c b a", "a b c").prf == PRF(1.0, 1.0, 1.0)


def test_text_without_spaces_counts_characters_when_split_into_words() -> None:
    assert bag_of_words("我爱北京", "我爱上海") == MatchCounts(0, 1, 1)
    assert bag_of_words("我爱北京", "我爱上海", split=words) == MatchCounts(2, 2, 2)


def test_tokenise_is_the_published_rule_and_keeps_unicode_forms_apart() -> None:
    decomposed = unicodedata.normalize("NFD", "café")
    assert tokenise("Café_2, it's") == ["café_2", "it", "s"]
    assert tokenise(decomposed) == ["cafe"]
    assert words(decomposed) == words("CAFÉ") == ["café"]


@ALIGNERS
def test_aligned_words_must_stand_in_the_same_order(pairs: Aligner) -> None:
    # "b c d" is the longest common order; "a" precedes it on one side and follows it on the other.
    assert aligned("a b c d x", "b c d a", pairs).words == MatchCounts(tp=3, fp=2, fn=1)


@ALIGNERS
def test_words_are_compared_with_case_and_punctuation_as_in_cleaneval(pairs: Aligner) -> None:
    assert aligned("The end.", "the end", pairs).words == MatchCounts(0, 2, 2)


def test_difflib_takes_the_longest_block_where_lcs_takes_the_most_words() -> None:
    # Either x y z or a b c d can be matched, as they change places.
    assert len(lcs_pairs("xyzabcd", "a.b.c.d.xyz")[0]) == 4
    assert len(difflib_pairs("xyzabcd", "a.b.c.d.xyz")[0]) == 3


def test_autojunk_lets_no_frequent_word_begin_a_match() -> None:
    gold = ["snow"] + ["the"] * 199
    assert len(difflib_pairs(["the"], gold)[0]) == 0
    assert len(difflib_pairs(["snow", "the"], gold)[0]) == 2
    assert len(without_autojunk(["the"], gold)[0]) == 1
    # One word less and the rule does not apply.
    assert len(difflib_pairs(["the"], gold[:-1])[0]) == 1


@ALIGNERS
def test_segmentation_counts_marks_with_their_label_and_place(pairs: Aligner) -> None:
    output = "<h>Title <p>One two <l>three"
    gold = "URL: http://example.org\n<h>Title\n<p>One two\n<p>three"
    assert aligned(output, gold, pairs) == Aligned(words=MatchCounts(6, 1, 1), marks=MatchCounts(2, 1, 1))


def test_unlabelled_segmentation_takes_every_mark_for_a_paragraph() -> None:
    scored = aligned("<h>Title<L>x", "<p>Title<p>x", split=lambda text: marked_words(text, labelled=False))
    assert scored.marks == MatchCounts(2, 0, 0)


def test_text_without_marks_misses_every_mark_of_the_gold() -> None:
    assert aligned("Title One", "<h>Title <p>One") == Aligned(words=MatchCounts(2, 0, 2), marks=MatchCounts(0, 0, 2))


def test_micro_pools_and_macro_averages() -> None:
    pages = [MatchCounts(9, 1, 1), MatchCounts(0, 1, 1)]
    assert micro(pages) == PRF(9 / 11, 9 / 11, 9 / 11)
    averaged = macro(page.prf for page in pages)
    assert averaged.mean.f1 == pytest.approx(0.45)
    # Two values 0.9 apart: sd with n - 1 is 0.9 / √2.
    assert averaged.sd.f1 == pytest.approx(0.9 / 2**0.5)


def test_averages_of_no_page_and_of_one() -> None:
    assert np.isnan(macro([]).mean.f1)
    assert macro([PRF(1.0, 0.5, 0.6)]).sd == PRF(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("output", "gold", "per_cent"),
    [("", "", 100.0), ("", "a b", 0.0), ("a b c d", "a x c", 50.0), ("same words", "same  words", 100.0)],
)
def test_edit_similarity_in_words(output: str, gold: str, per_cent: float) -> None:
    assert edit_similarity(output, gold) == per_cent


def test_edit_similarity_in_characters() -> None:
    # kitten → sitting: three edits over seven characters.
    assert edit_similarity("kitten", "sitting", split=str) == pytest.approx(100 * 4 / 7)


def test_edit_similarity_of_texts_beyond_the_limit_is_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.evaluation.metrics.EDIT_CELLS", 8)
    assert edit_similarity("a b c d", "a b c x") == 75.0


def test_snippets_are_found_through_line_breaks_invisible_characters_and_unicode_forms() -> None:
    output = unicodedata.normalize("NFD", "Ein schö\u00adner\n Tag\u00a0heute")
    assert snippets(output, ["schöner Tag", "Tag heute", "TAG"], ["Ein", "Impressum"]) == MatchCounts(tp=2, fp=1, fn=1)


def test_both_classes_of_four_blocks_one_wrong_each_way() -> None:
    predicted, gold = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert by_class(predicted, gold) == ByClass(MatchCounts(1, 1, 1), MatchCounts(1, 1, 1))
    weighed = by_class(predicted, gold, np.array([10, 1, 2, 7]))
    assert weighed == ByClass(boilerplate=MatchCounts(10, 1, 2), content=MatchCounts(7, 2, 1))


def test_accuracy_and_error_reduction() -> None:
    gold = np.array([True] * 8 + [False] * 2)
    predicted = np.array([True] * 9 + [False])
    assert accuracy(predicted, gold) == 0.9
    assert error_reduction(0.9, 0.8) == pytest.approx(0.5)
    assert error_reduction(1.0, 1.0) == 0.0


def test_precision_recall_curve_by_hand() -> None:
    curve = precision_recall_curve(np.array([0.9, 0.2, 0.7, 0.4]), np.array([True, False, False, True]))
    assert curve.thresholds.tolist() == [0.2, 0.4, 0.7, 0.9]
    assert curve.precision.tolist() == pytest.approx([2 / 4, 2 / 3, 1 / 2, 1])
    assert curve.recall.tolist() == [1, 1, 0.5, 0.5]
    assert balanced_threshold(curve).threshold == 0.7


def test_curves_of_nothing_are_empty() -> None:
    scores, gold = np.empty(0), np.empty(0, dtype=np.bool_)
    assert len(precision_recall_curve(scores, gold).thresholds) == 0
    assert np.isnan(balanced_threshold(precision_recall_curve(scores, gold)).threshold)
    assert np.isnan(calibration_error(reliability_curve(scores, gold)))
    assert np.isnan(brier_score(scores, gold))


def test_calibration_by_hand() -> None:
    scores, gold = np.array([0.0, 0.25, 0.75, 1.0]), np.array([False, True, True, True])
    # Bins 0..0.5 and 0.5..1: means 0.125 and 0.875 against shares 0.5 and 1.
    assert calibration_error(reliability_curve(scores, gold, bins=2)) == pytest.approx((0.375 + 0.125) / 2)
    assert brier_score(scores, gold) == pytest.approx((0 + 0.5625 + 0.0625 + 0) / 4)


def test_scores_slightly_outside_the_unit_interval_fall_into_the_outer_bins() -> None:
    assert reliability_curve(np.array([-0.01, 1.01]), np.array([False, True])).count.tolist() == [1, 1]


def test_rouge_n_by_hand() -> None:
    assert rouge_n("a b c d e f", "x a b c d e") == MatchCounts(tp=1, fp=1, fn=1)
    assert rouge_n("too short", "too short") == MatchCounts(0, 0, 0)


def test_rouge_lsum_of_reordered_lines_is_full_and_of_reordered_words_is_not() -> None:
    assert rouge_lsum("c d\na b", "a b\nc d").prf.f1 == 1.0
    assert rouge_lsum("b a", "a b") == MatchCounts(1, 1, 1)


def test_rouge_lsum_counts_a_word_no_more_often_than_the_output_has_it() -> None:
    assert rouge_lsum("a", "a\na\na") == MatchCounts(tp=1, fp=0, fn=2)


def test_bootstrap_interval_narrows_with_more_pages_and_repeats_with_its_seed() -> None:
    few, many = np.array([0.0, 1.0] * 10), np.array([0.0, 1.0] * 1000)
    wide, narrow = bootstrap_interval(few), bootstrap_interval(many)
    # The standard error of a fair coin is 0.5 / √n; the interval reaches 1.96 of them to either side.
    assert wide.high - wide.low == pytest.approx(2 * 1.96 * 0.5 / 20**0.5, abs=0.05)
    assert narrow.high - narrow.low == pytest.approx(2 * 1.96 * 0.5 / 2000**0.5, abs=0.005)
    assert bootstrap_interval(few, seed=3) == bootstrap_interval(few, seed=3)


def test_paired_bootstrap_sees_a_small_steady_gain_that_the_spread_of_pages_would_hide() -> None:
    theirs = np.linspace(0.0, 0.9, 50)
    steady = paired_bootstrap(theirs + 0.01, theirs)
    assert steady.mean == pytest.approx(0.01)
    assert steady.p < 0.001
    assert paired_bootstrap(theirs, theirs[::-1]).p > 0.5


def test_resampling_of_no_pages_gives_nan_without_a_warning() -> None:
    assert np.isnan(bootstrap_interval(np.empty(0)).low)
    assert np.isnan(paired_bootstrap(np.empty(0), np.empty(0)).mean)
