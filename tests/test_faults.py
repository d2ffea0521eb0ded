"""The counter of faults: each check finds its fault in what was written, and nothing where there is none."""

import json
from pathlib import Path

import pytest

from benchmarks import faults
from benchmarks.fault_checks import CHECKS, Written, data_tables, plain
from benchmarks.faults import judge, read, sample, table
from dehusk import Extractor, UsageError
from dehusk.gold.pages import GoldPage

SENTENCE = "The ferry leaves the harbour at seven and comes back at noon."
TABLE = """<table><tr><th>Boat</th><th>Seats</th><th>Built</th></tr>
<tr><td>Albatross</td><td>40</td><td>1987</td></tr><tr><td>Puffin</td><td></td><td>1992</td></tr></table>"""
WHOLE = "| Boat | Seats | Built |\n| --- | --- | --- |\n| Albatross | 40 | 1987 |\n| Puffin |  | 1992 |\n"


def found(fault: str, markdown: str, html: str = "", gold: str = "", title: str = "") -> list[str]:
    return list(CHECKS[fault](Written(html, gold, title, markdown)))


@pytest.mark.parametrize(
    ("markdown", "cells"),
    [
        (WHOLE, ""),
        (f"- Not a table\n\n{WHOLE}\nMore text", ""),
        (WHOLE.replace("40", ""), "1 cells: '40'"),
        (WHOLE.replace("Seats", "").replace("1992", ""), "2 cells: 'seats', '1992'"),
        ("| Albatross |\n| --- |\n| Puffin |\n", "3 cells: '40', '1987', '1992'"),
        ("| Boat | Seats | Built |\n| --- | --- | --- |\n| **Albatross** | `40` | *1987*\\* |\n", ""),
        ("The table was dropped.", ""),
    ],
)
def test_a_table_has_a_hole_where_a_row_lacks_a_cell(markdown: str, cells: str) -> None:
    assert found("tables with holes", markdown, TABLE) == ([cells] if cells else [])


@pytest.mark.parametrize(
    ("markdown", "rows"),
    [
        (WHOLE, ""),
        (WHOLE.replace("| Boat | Seats | Built |", "|  |  |  |"), "1 of 3 rows: 'boat | seats | built'"),
        (WHOLE.replace("| Albatross | 40 | 1987 |\n", ""), "1 of 3 rows: 'albatross | 40 | 1987'"),
        (WHOLE.replace("40", ""), ""),
        ("The table was dropped.", ""),
    ],
)
def test_rows_are_missing_if_others_of_the_table_are_written(markdown: str, rows: str) -> None:
    assert found("tables with rows missing", markdown, TABLE) == ([rows] if rows else [])


def test_two_tables_with_the_same_cells_are_told_apart() -> None:
    other = WHOLE.replace("1992", "").replace("Albatross", "Gannet")
    html = TABLE + TABLE.replace("Albatross", "Gannet")
    assert found("tables with holes", f"{WHOLE}\nText between\n\n{other}", html) == ["1 cells: '1992'"]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>Menu</td><td>Text</td></tr></table>",
        TABLE.replace("<table>", "<table role=presentation>"),
        TABLE.replace("1987", f"<p>{SENTENCE * 10}</p>"),
        TABLE.replace("1987", "<form><input></form>"),
        f"<table><tr><td>Left</td><td>{TABLE}</td></tr><tr><td>Left</td><td>Right</td></tr></table>",
    ],
)
def test_tables_for_layout_are_not_judged(html: str) -> None:
    boats = [table for table in data_tables(Written(html, "", "", "").document) if ("puffin",) not in table[-1]]
    assert boats == []


@pytest.mark.parametrize(
    ("html", "title", "markdown", "fault"),
    [
        ("<h1>Ferries in winter</h1>", "Ferries in winter", f"# Ferries in winter\n\n{SENTENCE}", False),
        ("<h1>Ferries in winter</h1>", "Ferries in winter", f"1 May\n\n**Ferries in Winter**\n\n{SENTENCE}", False),
        ("<h1>Ferries in winter</h1>", "Ferries in winter", SENTENCE, True),
        ("<h1>Ferries in winter</h1>", "Ferries in winter", f"{SENTENCE}\n\n" * 5 + "# Ferries in winter", True),
        ("<title>Ferries in winter | The Isle</title>", "Ferries in winter | The Isle", "# Ferries in winter", False),
        ("<meta property=og:title content='Ferries in winter'>", "Ferries, winter", "Ferries in winter", False),
        ("<h1>Ferries in winter</h1>", "Ferries in winter", "# Ferries in winter Share Save Print this", False),
        ("<h1>The Isle</h1>", "Ferries in winter", f"# The Isle\n\n{SENTENCE}", True),
        ("<h1>Ferries in winter</h1>", "Ferries in winter", "", False),  # nothing was written at all
        ("<h1></h1>", "", SENTENCE, False),
    ],
)
def test_the_headline_is_missing_if_no_line_at_the_top_says_it(
    html: str, title: str, markdown: str, fault: bool
) -> None:
    assert bool(found("headline missing", markdown, html, SENTENCE, title)) == fault


@pytest.mark.parametrize(
    ("markdown", "gold", "count"),
    [
        (f"{SENTENCE}\n\n{SENTENCE}", SENTENCE, 1),
        (f"{SENTENCE}\n\n> *{SENTENCE}*\n\n- {SENTENCE}", SENTENCE, 2),
        (f"{SENTENCE}\n\n{SENTENCE}", "", 1),
        (f"{SENTENCE}\n\n{SENTENCE}", f"{SENTENCE} And again: {SENTENCE}", 0),
        (f"{SENTENCE}\n\n{SENTENCE}\n\n{SENTENCE}", f"{SENTENCE} And again: {SENTENCE}", 1),
        (f"{SENTENCE}\n\nThe ferry leaves the harbour", SENTENCE, 0),
        (f"{SENTENCE}\n\n{SENTENCE} In winter it stays in the harbour for all of the day.", SENTENCE, 0),
        (f"{SENTENCE}\n\n```\n{SENTENCE}\n```", SENTENCE, 0),
        (f"| {SENTENCE} |\n| --- |\n| {SENTENCE} |", SENTENCE, 0),
    ],
)
def test_a_line_that_was_written_before_is_a_repeat(markdown: str, gold: str, count: int) -> None:
    assert len(found("text repeated", markdown, gold=gold)) == count


@pytest.mark.parametrize(
    ("html", "markdown", "gold", "glued"),
    [
        ("<b>Agents</b><b>Automate</b>", "AgentsAutomate", "Agents\nAutomate", ["AgentsAutomate"]),
        ("<i>by Ann</i><i>May 7</i>", "by AnnMay 7, AnnMay", "by Ann\nMay 7", ["AnnMay", "AnnMay"]),
        ("<i>the end.</i><i>Next</i>", "the end.Next", "the end.\nNext", ["end.Next"]),
        ("<b>Agents</b><b>Automate</b>", "Agents Automate", "Agents\nAutomate", []),
        ("<b>Agents</b> <b>Automate</b>", "AgentsAutomate", "Agents Automate", []),  # no element of the page did it
        ("<b>You</b>Tube", "YouTube", "You see YouTube. Tube", []),
        ("<b>W</b>ord", "Word", "Word", []),
        ("boat<a>s</a>", "boats", "the boat, the ferry's", []),
        ("size 1<b>2</b>", "size 12", "size 1, 2", []),
        ("five km<sup>2</sup>", "five km2", "five km, 2", []),
        ("the end.<sup><a>2</a></sup>", "the end.2", "the end. 2", []),
        ("<a>os.</a><a>path</a>", "os.path", "os. path", []),
        ("<i>Ann</i><script>x</script><i>May</i>", "AnnMay", "Ann May", ["AnnMay"]),
    ],
)
def test_words_are_glued_if_elements_meet_and_the_gold_has_them_apart(
    html: str, markdown: str, gold: str, glued: list[str]
) -> None:
    assert found("words glued", markdown, html, gold) == glued


@pytest.mark.parametrize(
    "line",
    [
        '{"@type": "Article", "headline": "Ferries"}',
        "Book now {'id': 5, 'name': 'ferry'}",
        '\\[caption id="attachment\\_5" align="left"\\]The ferry\\[/caption\\]',
        "[vc_row][vc_column]Ferries[/vc_column][/vc_row]",
        '[contact-form-7 id="12" title="Contact"]',
        "Hello {{ user.name }}",
        "{% if ferry %}",
        "Only ${price} today",
        "function showFerry(id) { return id; }",
        ".ferry-box { color: red; }",
    ],
)
def test_json_shortcodes_and_the_like_are_no_prose(line: str) -> None:
    assert len(found("JSON or shortcodes", f"{SENTENCE}\n\n{line}")) == 1
    assert not found("JSON or shortcodes", f"{SENTENCE}\n\n{line}", gold=plain(line))
    assert not found("JSON or shortcodes", f"{SENTENCE}\n\n```js\n{line}\n```\n\n{SENTENCE}")


@pytest.mark.parametrize(
    "line",
    [
        "He said [sic] that they left [at seven]; see [1] and [Smith-Jones].",
        "Sets {a, b} and the note: {see below}",
        'She wrote: "Ferries": a book',
        "Write `{{ name }}` or `[vc_row]` there",
        "- [ ] buy a ticket\n- [x] pack",
    ],
)
def test_brackets_in_prose_are_prose(line: str) -> None:
    assert not found("JSON or shortcodes", line)


def gold_page(number: int, kind: str, gold: str = SENTENCE) -> GoldPage:
    return GoldPage("mine", f"{number}", "all", f"<title>Ferries</title><p>{SENTENCE}<p>{SENTENCE}", gold, kind=kind)


def test_the_sample_has_as_many_pages_of_each_kind_in_any_order() -> None:
    pages = [gold_page(number, "news" if number < 60 else "forum") for number in range(70)]
    pages += [gold_page(number, "shop", gold=" ") for number in range(70, 80)]
    chosen = sample(pages, 30)
    assert [sum(page.kind == kind for page in chosen) for kind in ("news", "forum", "shop")] == [20, 10, 0]
    assert sample(reversed(pages), 30) == chosen
    assert sample(pages, 12) == chosen[:12]


def test_pages_are_judged_by_the_markdown_that_is_written() -> None:
    assert dict(judge(gold_page(1, "news"), Extractor("alltext")))["text repeated"] == [
        "the ferry leaves the harbour at seven and comes back at noon"
    ]


def test_a_run_is_compared_with_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [gold_page(number, "news") for number in range(3)]
    monkeypatch.setattr(faults, "open_corpus", lambda name: Corpus(pages))
    faults.main(output=tmp_path / "run.json", method="alltext", listed="text repeated")
    assert capsys.readouterr().out.count("\tnews\tthe ferry leaves") == 3
    stored = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    stored["faults"]["text repeated"] = {"0": ["one", "two"], "7": ["three"]}
    (tmp_path / "run.json").write_text(json.dumps(stored), encoding="utf-8")
    faults.main(against=tmp_path / "run.json", method="alltext")
    assert "| text repeated | 3 | 3 | 2 | 3 | 1 | 2 |" in capsys.readouterr().out
    with pytest.raises(UsageError, match=r"has 3 pages, other ones than this run"):
        faults.main(against=tmp_path / "run.json", method="alltext", pages=2)


class Corpus:
    """Stands in for wcxb-dev."""

    def __init__(self, pages: list[GoldPage]) -> None:
        self._pages = pages

    def pages(self, part: str) -> list[GoldPage]:
        assert part == "train"  # never the pages that are kept for measuring
        return self._pages


def test_wrong_names_and_files_are_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no fault 'glue'; choose from tables with holes"):
        faults.main(listed="glue")
    with pytest.raises(UsageError, match="name a file that --json wrote"):
        read(tmp_path / "none.json", [])


def test_the_table_without_an_earlier_run_has_three_columns() -> None:
    assert table({"words glued": {"1": ["aB", "cD"], "2": ["eF"]}}).splitlines()[-1] == "| words glued | 2 | 3 |"
