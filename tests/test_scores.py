from dataclasses import replace

import numpy as np
import pytest

from dehusk import Blocks, Page, Scores, UsageError
from dehusk.assemble import assemble
from dehusk.blocks import cut
from dehusk.page import Elements
from dehusk.scores import KINDS, Verdict, average
from testing.growth import FACTOR, LINEAR, exponent


def scores(values: list[float], blocks: Blocks, model: str = "demo") -> Scores:
    return Scores(blocks, np.array(values), model)


def spans(text: str, *cuts: int) -> Blocks:
    """The text as blocks that touch each other at `cuts`."""
    edges = np.array([0, *cuts, len(text)], np.int32)
    rows = np.zeros(len(cuts) + 1, np.int32)
    return Blocks(text, edges[:-1], edges[1:], rows > 0, rows, Elements.none(), rows, rows, rows + 1)


def test_letters_are_ten_equal_classes() -> None:
    values = [0.0, 0.099, 0.1, 0.55, 0.9, 1.0, float("nan")]
    assert scores(values, Blocks.of(*[("x", 0)] * 7)).letters == "aabfjj-"


def test_projection_weighs_by_characters_and_leaves_gaps_unscored() -> None:
    text = "aaaabbcc"
    whole = scores([0.0, 0.6, float("nan")], spans(text, 4, 6))
    assert whole.project(spans(text, 2, 6)).values.round(3).tolist()[:2] == [0.0, 0.3]
    assert np.isnan(whole.project(spans(text, 6)).values[1])


def test_projection_to_the_same_cut_changes_nothing() -> None:
    given = scores([0.25, 0.5, 1.0], Blocks.of(("one", 0), ("two", 0), ("three", 0)))
    assert given.project(given.blocks).values.tolist() == [0.25, 0.5, 1.0]


def test_nothing_scored_projects_to_nothing_scored() -> None:
    assert np.isnan(scores([float("nan")], spans("ab")).project(spans("ab", 1)).values).all()


def test_the_average_leaves_out_what_was_not_scored() -> None:
    blocks = Blocks.of(("one", 0), ("two", 0))
    mean = average([scores([0.2, float("nan")], blocks, "a"), scores([0.4, 0.8], blocks, "b")])
    assert mean.values.round(6).tolist() == [0.3, 0.8]
    assert mean.model == "a+b"


@pytest.mark.parametrize("values", [[1.5], [-0.1], [0.1, 0.2]])
def test_scores_that_cannot_be_are_refused(values: list[float]) -> None:
    with pytest.raises(UsageError):
        scores(values, Blocks.of(("x", 0)))


@pytest.mark.parametrize("comments", [[True], [True, False, True], [0, 1]])
def test_comments_that_cannot_be_are_refused(comments: list[bool]) -> None:
    with pytest.raises(UsageError, match="for 2 blocks; expected one bool per block"):
        Scores(Blocks.of(("x", 0), ("y", 0)), np.zeros(2), "demo", comments=np.array(comments))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_page_can_be_the_verdict(kind: str) -> None:
    assert Verdict(kind, 1.0).kind == kind


@pytest.mark.parametrize(
    ("kind", "confidence", "message"),
    [
        ("blog", 0.5, "no page is of the kind 'blog'; there are article, forum,"),
        ("article", 1.01, r"confidence must lie between 0 and 1, got 1\.01"),
        ("article", float("nan"), "got nan"),
    ],
)
def test_a_verdict_that_cannot_be_is_refused(kind: str, confidence: float, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Verdict(kind, confidence)


def test_projection_carries_the_verdict_over() -> None:
    given = replace(scores([0.0], spans("aabb")), verdict=Verdict("forum", 0.5))
    assert given.project(spans("aabb", 2)).verdict == Verdict("forum", 0.5)


def test_a_projected_block_is_a_comment_if_most_of_its_shared_characters_are() -> None:
    given = replace(scores([0.0, float("nan")], spans("aaaabbbb", 4)), comments=np.array([False, True]))
    assert comments_of(given.project(spans("aaaabbbb", 2, 6))) == [False, False, True]
    assert comments_of(given.project(spans("aaaabbbb", 3))) == [False, True]
    assert comments_of(given.project(Blocks.of())) == []
    assert scores([0.0], spans("ab")).project(spans("ab", 1)).comments is None


def test_the_average_takes_verdict_and_comments_from_the_first_that_has_them() -> None:
    blocks = Blocks.of(("one", 0), ("two", 0))
    silent = scores([0.0, 1.0], blocks, "a")
    first = replace(scores([0.0], Blocks.of(("one\ntwo", 0)), "b"), verdict=Verdict("article", 0.75))
    second = replace(silent, verdict=Verdict("other", 0.25), comments=np.array([False, True]))
    mean = average([silent, first, second])
    assert mean.verdict == Verdict("article", 0.75)
    assert comments_of(mean) == [False, True]
    assert comments_of(average([silent, replace(first, comments=np.array([True]))])) == [True, True]
    assert (average([silent]).verdict, average([silent]).comments) == (None, None)


def comments_of(given: Scores) -> list[bool]:
    assert given.comments is not None
    return [bool(comment) for comment in given.comments]


def kept(text: str, cuts: list[int], values: list[float]) -> str:
    page = replace(Page.from_text(""), text=text)
    blocks = spans(text, *cuts)
    return assemble(page, blocks, scores(values, blocks)).text


def test_a_word_that_a_cut_runs_through_goes_where_more_of_it_lies() -> None:
    assert kept("one house here", [6], [0.0, 1.0]) == "one"
    assert kept("one house here", [8], [0.0, 1.0]) == "one house"
    assert kept("one house here", [6], [1.0, 0.0]) == "house here"


def test_marks_belong_to_their_word() -> None:
    assert kept("x हिन्दी", [3], [0.0, 1.0]) == "x"
    assert kept("x cafe\u0301s", [6], [0.0, 1.0]) == "x cafe\u0301s"


def test_a_block_that_ends_in_a_word_and_has_none_after_it_takes_the_word_whole() -> None:
    page = Page.from_text("abcdef ghi")
    blocks = spans("abcdef ghi", 4)
    first = Blocks.of(("abcd", 0))
    lonely = replace(first, text="abcdef ghi")
    assert assemble(page, lonely, scores([0.0], lonely)).text == "abcdef"
    assert assemble(page, blocks, scores([0.0, 1.0], blocks)).text == "abcdef"


def test_a_split_word_leaves_the_white_space_of_other_blocks_alone() -> None:
    assert kept("    code\n  b\nword z", [13, 15], [0.0, 0.0, 1.0]).startswith("    code\n  b")


def test_many_cuts_in_one_word_take_no_square_of_time() -> None:
    def keep(letters: int) -> None:
        text = "a" * letters
        assert kept(text, list(range(1, letters)), [float(index % 2) for index in range(letters)]) in ("", text)

    assert exponent(lambda: keep(2_500), lambda: keep(2_500 * FACTOR)) < LINEAR


def test_a_cut_between_words_needs_no_care() -> None:
    assert kept("one two", [3], [0.0, 1.0]) == "one"
    assert kept("三木森林", [2], [0.0, 1.0]) == "三木"


def test_a_threshold_outside_of_0_to_1_is_an_error_with_a_suggestion() -> None:
    page = Page.from_html("<p>x")
    blocks = cut(page)
    with pytest.raises(UsageError, match=r"between 0 and 1, got 50; did you mean 0\.5"):
        assemble(page, blocks, scores([0.0], blocks), threshold=50)


def test_what_was_not_scored_is_kept() -> None:
    page = Page.from_html("<p>x<p>y")
    blocks = cut(page)
    assert assemble(page, blocks, scores([float("nan"), 1.0], blocks)).text == "x"


@pytest.mark.parametrize(
    ("html", "value", "reason"), [("", 0.0, "no text"), ("<p>x", 1.0, "no main text"), ("<p>x", 0.0, "None")]
)
def test_a_document_says_why_it_is_empty(html: str, value: float, reason: str) -> None:
    page = Page.from_html(html)
    blocks = cut(page)
    assert str(assemble(page, blocks, scores([value] * len(blocks), blocks)).reason) == reason
