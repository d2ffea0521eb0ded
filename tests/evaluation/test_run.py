import json
import sys
from pathlib import Path

import numpy as np
import pytest

from dehusk.cli.evaluate import METRICS as NAMED_IN_HELP
from dehusk.errors import InputError, UsageError
from dehusk.evaluation.files import check_comparable, read_run, write_csv, write_json
from dehusk.evaluation.run import METRICS, Plan, Row, evaluate, oracle, peak_memory, run_page, score_blocks
from dehusk.evaluation.session import PageSelection, measure
from dehusk.evaluation.summary import compare_runs, summarise, timings
from dehusk.gold.corpora import Corpus, open_corpus
from dehusk.gold.pages import GoldPage

MENU = "<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul>"
STORY = "It rained all day in the valley and nobody went out of the house."


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    rows = [
        {"id": "a", "html": f"{MENU}<p>{STORY}</p>", "gold": STORY, "page_type": "article", "lang": "en"},
        {"id": "b", "html": f"{MENU}<p>{STORY}</p>", "gold": "", "page_type": "forum", "lang": "en"},
        {"id": "c", "html": f"<p>{STORY}", "gold": STORY, "page_type": "forum", "lang": "de"},
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return open_corpus(path)


def row(system: str, page: str, f1: float, milliseconds: float = 1.0, error: str = "") -> Row:
    return Row("mine", page, "", "", system, f1, f1, f1, 1, 0, 0, milliseconds, 1_000_000, error)


def test_every_system_gets_a_row_on_every_page(corpus: Corpus) -> None:
    plan = Plan(("alltext", "bte", "oracle"), "bow")
    rows = [row for page in evaluate(corpus, plan) for row in page.rows]
    assert [(row.page, row.system) for row in rows] == [(page, name) for page in "abc" for name in plan.systems]
    found = {(row.page, row.system): round(row.f1, 3) for row in rows}
    # Page a: 14 words of gold among 16 on the page; page b wants nothing.
    assert found["a", "alltext"] == round(2 * 14 / (14 + 16), 3)
    assert found["a", "oracle"] == found["c", "alltext"] == 1.0
    assert found["b", "alltext"] == 0.0
    assert found["b", "oracle"] == 1.0


def test_a_system_that_raises_is_counted_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    page = GoldPage("mine", "a", "all", f"<p>{STORY}", STORY)
    monkeypatch.setattr("dehusk.extractor.Extractor.extract", lambda *_, **__: 1 / 0)
    broken = run_page(Plan(("bte", "turbohtml"), "bow"), page)
    assert broken.rows[0].error.startswith("ZeroDivisionError")
    assert broken.rows[0].f1 == 0
    assert not broken.rows[1].error


def test_pages_without_the_gold_that_a_metric_needs_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "snippets.jsonl"
    path.write_text(json.dumps({"id": "a", "html": "<p>x y", "with": ["x y"], "without": ["z"]}), encoding="utf-8")
    corpus = open_corpus(path)
    assert list(evaluate(corpus, Plan(("alltext",), "bow"))) == []
    assert [page.rows[0].f1 for page in evaluate(corpus, Plan(("alltext",), "snippets"))] == [1.0]


def test_only_the_system_that_kills_its_worker_is_charged_with_it(corpus: Corpus, tmp_path: Path) -> None:
    # On the path that workers get, a readability that exits precedes the real one.
    (tmp_path / "readability.py").write_text("import os\nclass Document:\n    def __init__(self, html): os._exit(3)\n")
    sys.path.insert(0, str(tmp_path))
    try:
        rows = next(evaluate(corpus, Plan(("alltext", "readability-lxml", "bte"), "bow"))).rows
    finally:
        sys.path.remove(str(tmp_path))
    assert [row.system for row in rows] == ["alltext", "readability-lxml", "bte"]
    assert [bool(row.error) for row in rows] == [False, True, False]
    assert rows[1].f1 == 0
    assert rows[2].f1 == 1


def test_a_crash_is_no_right_answer_where_nothing_was_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.extractor.Extractor.extract", lambda *_, **__: 1 / 0)
    assert run_page(Plan(("bte",), "bow"), GoldPage("mine", "a", "all", "<p>x", "")).rows[0].f1 == 0


def test_what_is_not_known_is_null_in_the_file_and_comes_back(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", {"corpora": {}}, [row("bte", "1", 0.5, float("nan"))])
    assert "NaN" not in (tmp_path / "x.json").read_text()
    assert np.isnan(read_run(tmp_path / "x.json")[1][0].milliseconds)


def test_runs_by_different_metrics_or_pages_are_not_compared(tmp_path: Path) -> None:
    ours = {"corpora": {"mine": {"metric": "bow", "sha256": "1"}}}
    for other in ({"metric": "words", "sha256": "1"}, {"metric": "bow", "sha256": "2"}):
        with pytest.raises(InputError, match="measure"):
            check_comparable(ours, {"corpora": {"mine": other}}, tmp_path)
    check_comparable(ours, ours, tmp_path)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_calls_a_perfect_page_perfect(metric: str) -> None:
    page = GoldPage("mine", "a", "all", f"<p>{STORY}", STORY, wanted=("rained",), unwanted=("Home",))
    assert run_page(Plan(("alltext",), metric), page).rows[0].f1 == 1.0


def test_the_help_names_the_metrics_there_are() -> None:
    assert tuple(METRICS) == NAMED_IN_HELP


def test_a_metric_that_does_not_exist_is_reported(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="there is no metric 'rouge'"):
        next(evaluate(corpus, Plan(("alltext",), "rouge")))


def test_characters_are_counted_where_words_have_no_spaces() -> None:
    page = GoldPage("mine", "a", "all", "<p>今天天气很好<p>首页", "今天天气很好", language="zh")
    assert run_page(Plan(("alltext",), "bow"), page).rows[0].tp == 6


def test_the_oracle_keeps_what_the_gold_has() -> None:
    assert oracle(f"{MENU}<p>{STORY}<p>Imprint", STORY) == STORY
    assert oracle("", "x") == ""


def test_block_columns_hold_boilerplate_as_true() -> None:
    column = score_blocks("bte", GoldPage("mine", "a", "all", f"{MENU}<p>{STORY}", STORY))
    assert column is not None
    assert column.boilerplate.tolist() == [True, True, False]
    assert column.scores.tolist() == [1.0, 1.0, 0.0]


def test_a_gold_that_is_not_on_the_page_is_reported() -> None:
    strange = GoldPage("mine", "a", "all", f"<p>{STORY}", "Quite another text " * 5)
    assert score_blocks("bte", strange) is None
    assert run_page(Plan(("bte",), "bow", blocks=True), strange).unaligned == "a"


def test_a_session_sums_up_by_kind_and_language(corpus: Corpus) -> None:
    session = measure([corpus], ["alltext", "oracle"], PageSelection(), blocks=True)
    figures = {(figure.group, figure.system): figure for figure in summarise(session.rows)}
    assert figures["all", "oracle"].f1 == 1.0
    assert figures["kind=forum", "alltext"].pages == 2
    assert figures["kind=forum", "alltext"].f1 == 0.5
    assert figures["kind=forum", "alltext"].f1_with_gold == 1.0
    assert figures["language=de", "alltext"].f1 == 1.0
    assert session.block_scores["alltext"].boilerplate.sum() == 2
    assert session.metrics == {"mine": "bow"}


def test_intervals_hold_the_mean() -> None:
    figure = summarise([row("a", str(number), number % 2) for number in range(40)])[0]
    assert figure.low < figure.f1 == 0.5 < figure.high


def test_timing_is_reported_as_a_ratio_of_sums() -> None:
    rows = [
        row("mine", "1", 1, 3.0),
        row("resiliparse", "1", 1, 1.0),
        row("mine", "2", 1, 5.0, "x"),
        row("resiliparse", "2", 1, 3.0),
    ]
    fast, slow = timings(rows)
    assert (fast.system, slow.system) == ("resiliparse", "mine")
    assert (slow.ratio, slow.mean, slow.errors) == (2.0, 4.0, 1)
    assert slow.megabytes_a_second == pytest.approx(250)


def test_two_runs_are_compared_page_by_page(tmp_path: Path) -> None:
    old = [row("bte", str(page), 0.5) for page in range(20)]
    new = [row("bte", str(page), 0.5 + 0.1 * (page != 3) - 0.2 * (page == 4)) for page in range(20)] + [
        row("x", "1", 1)
    ]
    write_json(tmp_path / "old.json", {}, old)
    change = compare_runs(new, read_run(tmp_path / "old.json")[1])
    assert len(change) == 1
    assert (len(change[0].better), len(change[0].worse)) == (18, 1)
    assert change[0].worse[0][0] == "4"
    assert change[0].difference.p < 0.05
    assert change[0].difference.mean == pytest.approx((18 * 0.1 - 0.1) / 20)


@pytest.mark.parametrize("content", ["", "[]", '{"format": 99, "rows": []}', '{"format": 1}'])
def test_a_file_that_is_no_evaluation_is_reported(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InputError, match=r"x\.json"):
        read_run(tmp_path / "x.json")


def test_tables_are_written_with_a_heading(tmp_path: Path) -> None:
    write_csv(tmp_path / "x.csv", [row("bte", "1", 0.5)])
    heading, line = (tmp_path / "x.csv").read_text().splitlines()
    assert heading.startswith("corpus,page,kind")
    assert line.startswith("mine,1,")


def test_peak_memory_is_that_of_a_process_of_its_own() -> None:
    assert 10 < peak_memory("alltext", ["<p>x"]) < 1000
    assert np.isnan(peak_memory("alltext", []))
