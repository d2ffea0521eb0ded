"""cleaneval: the same tags as in the gold, so that the two can be compared."""

import json
from pathlib import Path

import pytest

from dehusk import Extractor, formats
from dehusk.errors import UsageError
from dehusk.evaluation.metrics import MatchCounts, aligned, marked_words
from dehusk.evaluation.run import Plan, evaluate, run_page
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from tests.golden import FOLDERS, document
from tests.helpers.cuts import by_leaf
from tests.helpers.methods import Talkative

PAGE = "<ul><li>Menu</ul><h1>Rain</h1><p>It <b>rains</b>,<br>again.<ol><li>and again</ol><table><tr><td>cell</table>"
GOLD = "URL: http://example.org/\n<h>Rain\n\n<p> It rains,\n  again.\n\n<l>and again\n<p>cell"


def test_headings_and_list_items_have_tags_of_their_own() -> None:
    rendered = formats.render(Extractor(Talkative()).extract(PAGE), "cleaneval")
    assert rendered.splitlines() == ["<h>Rain", "<p>It rains, again.", "<l>and again", "<p>cell"]
    assert aligned(rendered, GOLD).marks == MatchCounts(4, 0, 0)
    assert aligned(rendered, GOLD).words == MatchCounts(11, 0, 0)


def test_dropped_blocks_have_a_minus() -> None:
    page = Extractor(Talkative()).extract(PAGE)
    lines = formats.render(page, "cleaneval", every=True).splitlines()
    assert lines[0] == "-<l>Menu"
    assert "\n".join(line for line in lines if line[0] != "-") == formats.render(page, "cleaneval")


def test_tags_in_the_text_of_a_page_do_not_count() -> None:
    page = Extractor("alltext").extract("<p>Write &lt;p> or &lt;/L>, &lt;b> too")
    rendered = formats.render(page, "cleaneval")
    assert rendered == "<p>Write < p> or < /L>, <b> too"
    assert marked_words(rendered)[0] == "<p>"
    assert marked_words(rendered).count("<p>") == 1


def test_a_word_that_is_cut_in_two_stays_on_one_line() -> None:
    page = by_leaf("<h2>A w<b>or</b>d</h2><p>more", [0, 1, 0, 0])
    assert formats.render(page, "cleaneval") == "<h>A word\n<p>more"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_golden_pages_keep_their_words(folder: Path) -> None:
    page = document(folder, "alltext")
    words = [word for word in marked_words(formats.render(page, "cleaneval")) if word not in ("<p>", "<h>", "<l>")]
    assert "".join(words) == "".join(page.text.split())


def gold(**more: object) -> GoldPage:
    fields = {"gold": "Rain\nIt rains, again.\nand again\ncell", "gold_marked": GOLD, **more}
    return GoldPage("mine", "a", "all", PAGE.replace("<li>Menu", ""), **fields)  # type: ignore[arg-type]


def test_segmentation_is_measured_against_gold_with_tags() -> None:
    (row,) = run_page(Plan(("alltext",), "segments"), gold()).rows
    assert (row.f1, row.tp, row.fp, row.fn) == (1.0, 4, 0, 0)
    (row,) = run_page(Plan(("alltext",), "segments"), gold(gold_marked=GOLD.replace("<h>", "<p>") + "\n<p>more")).rows
    assert (row.tp, row.fp, row.fn) == (3, 1, 2)


def test_tags_count_as_words_only_where_the_gold_has_them() -> None:
    (row,) = run_page(Plan(("alltext",), "marked"), gold()).rows
    assert (row.tp, row.fp, row.fn) == (11, 0, 0)
    (row,) = run_page(Plan(("alltext",), "marked"), gold(gold_marked=None)).rows
    assert (row.tp, row.fp, row.fn) == (7, 0, 0)


def test_segmentation_needs_tags_on_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    rows = [{"id": "a", "html": PAGE, "gold": "Rain", "gold_marked": GOLD}, {"id": "b", "html": PAGE, "gold": "Rain"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    corpus = open_corpus(path)
    assert [page.rows[0].page for page in evaluate(corpus, Plan(("alltext",), "segments"))] == ["a"]
    with pytest.raises(UsageError, match="segments cannot measure oracle, resiliparse"):
        next(evaluate(corpus, Plan(("alltext", "oracle", "resiliparse"), "segments")))
