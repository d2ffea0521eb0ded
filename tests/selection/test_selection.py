"""Which methods are refined, and how a user sees what a rule decided."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import dehusk
from dehusk import Extractor, Page, Scores, UsageError
from dehusk.assemble import assemble, check_threshold, explained
from dehusk.blocks import cut
from dehusk.formats.report.data_island import data_island, words_of
from dehusk.methods.base import Capabilities
from dehusk.models.registry import REGISTRY
from dehusk.selection import NO_TABLES, REPEATED, WHOLE_TABLES, Selection, decided_by_rule
from tests.selection.documents import table, without

ROWS = ("crop tons price", "hay 12 90", "oats 7 130", "rye 3 110")
TWICE = "<p>The first hay was late this year, since June was wet.</p>"
PAGE = f"{table(ROWS)}<main>{TWICE}</main><aside><div>{TWICE}</div></aside>"


def test_kernel_is_refined_and_the_methods_of_the_papers_are_not() -> None:
    assert Extractor("kernel").selection.refine
    for name in ("alltext", "bte", "texrex", "ncleaner"):
        assert not Extractor(name).selection.refine
    assert Extractor("kernel").by("bte").selection == Selection()
    assert {"kernel", "bte"} <= {entry.name for entry in REGISTRY}


def test_all_text_stays_all_text() -> None:
    assert dehusk.extract(PAGE, method="alltext").text.count("late this year") == 2


def test_what_a_rule_decided_has_a_reason() -> None:
    document = without(PAGE, "12")
    reasons = decided_by_rule(document.blocks, document.scores, 0.5, document.selection)
    assert reasons == {4: WHOLE_TABLES, 13: REPEATED}
    assert document.kept[[4, 13]].tolist() == [True, False]


def test_the_rule_is_the_first_fact_of_an_explanation() -> None:
    document = without(PAGE, "12")
    because = explained(document, [("- a short text",)] * len(document.blocks)).because
    assert because is not None
    assert because[4] == (f"+ {WHOLE_TABLES}", "- a short text")
    assert because[13] == (f"- {REPEATED}", "- a short text")
    assert because[5] == ("- a short text",)


def test_every_format_shows_the_score_and_what_is_kept() -> None:
    document = without(PAGE, "12")
    row = json.loads(document.json(every=True))["blocks"][4]
    assert (row["text"], row["score"], row["kept"]) == ("12", 0.9, True)
    assert "j 0.90 + table cell   12" in document.render("text", every=True)
    assert 'kept="yes"' in document.render("xml", every=True)
    for name in ("text", "markdown", "html", "tei"):
        assert "12" in document.render(name)
        assert document.render(name).count("late this year") == 1


def test_the_report_keeps_what_a_rule_decided_at_any_threshold() -> None:
    document = without(PAGE, "12")
    (cut,) = json.loads(data_island([document], [words_of(document.blocks)]))["cuts"]
    assert cut["rules"] == {"4": WHOLE_TABLES, "13": REPEATED}
    left_out = assemble(document.page, document.blocks, document.scores, selection=Selection(tables=False))
    (cut,) = json.loads(data_island([left_out], [words_of(left_out.blocks)]))["cuts"]
    assert set(cut["rules"].values()) == {NO_TABLES}
    assert len(cut["rules"]) == 12


def test_a_method_of_ones_own_can_ask_for_the_rules() -> None:
    class Everything:
        name = "everything"
        capabilities = Capabilities(refines=True)
        segment = staticmethod(Extractor("alltext").method.segment)  # type: ignore[union-attr]
        score = staticmethod(Extractor("alltext").method.score)  # type: ignore[union-attr]

    assert dehusk.extract(PAGE, method=Everything()).text.count("late this year") == 1


@pytest.mark.parametrize("html", ["", "<p>", "<table>", "<table><tr><td>"])
def test_pages_without_blocks_are_no_trouble(html: str) -> None:
    assert Extractor().extract(html).text == ""
    assert replace(Extractor().extract(html).selection, refine=False) == Selection()


def test_a_block_whose_score_is_the_threshold_is_dropped() -> None:
    page = Page.from_html("<p>One<p>Two<p>Three")
    blocks = cut(page)
    scores = Scores(blocks, np.array([0.5, 0.4999, 0.5001]), "demo")
    assert assemble(page, blocks, scores, threshold=0.5).text == "Two"


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_may_be_0_or_1(threshold: float) -> None:
    check_threshold(threshold)


@pytest.mark.parametrize(("threshold", "hint"), [(100, "did you mean 1?"), (1.5, "did you mean 0.015?")])
def test_a_threshold_in_per_cent_has_a_hint(threshold: float, hint: str) -> None:
    with pytest.raises(UsageError, match=re.escape(hint)):
        check_threshold(threshold)
    with pytest.raises(UsageError, match=r"got 101$"):
        check_threshold(101)


@pytest.mark.parametrize(
    ("selection", "adds"),
    [
        (Selection(), False),
        (Selection(headline="keep"), True),
        (Selection(refine=True), True),
        (Selection(refine=True, headline="drop"), False),
    ],
)
def test_the_title_is_added_if_the_headline_is_kept_or_the_selection_refined(selection: Selection, adds: bool) -> None:
    assert selection.adds_title is adds
