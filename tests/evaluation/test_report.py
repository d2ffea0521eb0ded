"""The report on invented pages: it says what was measured, and nothing from a page can run in it."""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html.parser import HTMLParser
from math import nan
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from dehusk.evaluation import charts, diff
from dehusk.evaluation.report import write_report
from dehusk.evaluation.run import BlockScores, Row
from dehusk.evaluation.session import Session
from dehusk.evaluation.summary import timings
from dehusk.gold.corpora import Corpus, open_corpus

SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
HOSTILE = "</script><script>alert('x')</script>\"><img src=x onerror=alert(1)>"
SYSTEMS = ("bte", "alltext", "oracle", "resiliparse", "trafilatura", "trafilatura-fast")
KINDS = ("article", "forum", "listing")


class Nesting(HTMLParser):
    """Fails if a closing tag has no opening tag, and collects what could run or load."""

    VOID = frozenset(("meta", "br", "wbr"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.update(name for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(html: str) -> Nesting:
    reader = Nesting()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def row(page: str, system: str, f1: float, **more: object) -> Row:
    values = {"corpus": "lab", "page": page, "kind": "", "language": "", "system": system}
    shares = {"precision": f1, "recall": f1, "f1": f1, "tp": 3, "fp": 1, "fn": 1}
    return Row(**{**values, **shares, "milliseconds": 2.0, "size": 900, **more})  # type: ignore[arg-type]


def columns(system: str, scores: Sequence[float]) -> BlockScores:
    gold = np.arange(len(scores)) % 2 == 0
    return BlockScores(system, np.array(scores, dtype=np.float64), gold)


def rows(systems: Sequence[str] = SYSTEMS, pages: int = 6) -> list[Row]:
    return [
        row(f"p{page}", system, (page + place) % 7 / 7, kind=KINDS[page % 3], language=("en", "de")[page % 2])
        for page in range(pages)
        for place, system in enumerate(systems)
    ]


def session(found: list[Row], *found_columns: BlockScores, metric: str = "bow") -> Session:
    about = {"sha256": "0123456789abcdef", "part": "all", "sample": 6, "seed": 3, "metric": metric}
    systems = {each.system: "" if each.system in ("bte", "alltext", "oracle") else "1.2.3" for each in found}
    return Session(
        {"systems": systems, "corpora": {"lab": about}}, found, {each.system: each for each in found_columns}
    )


def corpus(folder: Path, *pages: dict[str, object]) -> Corpus:
    path = folder / "lab.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return open_corpus(path)


def page(page_id: str, **more: object) -> dict[str, object]:
    html = "<nav><a href=/>Home</a></nav><p>It rained all day, and nobody went out.</p>"
    return {"id": page_id, "url": "http://www.rain.example/x", "html": html, "gold": "It rained all day.", **more}


def report(folder: Path, measured: Session, *pages: dict[str, object], times: bool = True) -> str:
    path = folder / "report.html"
    write_report(path, measured, timings(measured.rows) if times else [], [corpus(folder, *pages)])
    return path.read_text(encoding="utf-8")


@pytest.fixture
def whole(tmp_path: Path) -> str:
    scores = columns("bte", [0.0, 1.0] * 20), columns("alltext", np.linspace(0, 1, 40).tolist())
    return report(tmp_path, session(rows(), *scores), *(page(f"p{number}") for number in range(6)))


def test_all_parts_are_there(whole: str) -> None:
    parsed(whole)
    ids = re.findall(r'<section id="(\w+)"', whole)
    assert ids == ["summary", "speed", "parts", "curves", "pages", "worst"]
    assert all(system in whole for system in SYSTEMS)
    assert all(f">{kind} " in whole for kind in KINDS)


def test_the_header_says_what_was_measured_and_how_to_repeat_it(whole: str) -> None:
    assert "bag-of-words F1" in whole
    assert ">0123456789ab<" in whole
    assert "trafilatura 1.2.3" in whole
    assert "--sample 6 --seed 3 --method bte --method alltext" in whole


def test_every_chart_is_xml_with_a_name(whole: str) -> None:
    drawings = SVG.findall(whole)
    assert len(drawings) == 6 + 1 + 5 + 2 + 2 + 4  # table, speed, kinds and languages, swatches, curves, histograms
    for drawing in drawings:
        root = ElementTree.fromstring(drawing)
        named = root.get("aria-label") and root.get("role") == "img"
        assert named or root.get("aria-hidden") == "true"


def test_a_bar_of_one_page_is_named_in_the_singular() -> None:
    bars = charts.histogram("F1", [1, 0, 2], 2, 0.5, "ours")
    assert re.findall("<title>([0-9].*?)</title>", bars) == ["1 page", "2 pages"]


def test_tables_have_captions_and_scopes(whole: str) -> None:
    tables = re.findall(r"<table.*?</table>", whole, re.DOTALL)
    assert len(tables) >= 5
    for table in tables:
        assert "<caption>" in table
        assert table.count("<th ") == table.count('<th scope="')
        assert '<th scope="col"></th>' not in table


def test_nothing_is_loaded_or_run(whole: str) -> None:
    reader = parsed(whole)
    assert "default-src 'none'" in whole
    assert reader.seen.isdisjoint({"script", "img", "link", "iframe", "object", "form", "base"})
    assert reader.attributes.isdisjoint({"src", "style", "onerror", "onload", "onclick"})
    assert set(re.findall(r"https?://[^\"'<\s]+", whole)) <= {"http://www.w3.org/2000/svg"}


def test_the_policy_allows_the_styles_of_the_report_alone(whole: str) -> None:
    (css,) = re.findall(r"<style>(.*?)</style>", whole, re.DOTALL)
    assert f"style-src 'sha256-{b64encode(sha256(css.encode()).digest()).decode()}'" in whole


def test_hostile_text_is_shown_and_inert(tmp_path: Path) -> None:
    found = [
        row(HOSTILE, system, 0.2, kind=kind, language=HOSTILE, error=HOSTILE)
        for system in ("bte", "resiliparse")
        for kind in (HOSTILE, "forum")
    ]
    measured = session(found, columns("bte", [0.0, 1.0]))
    measured.unaligned.append(HOSTILE)
    measured.about["systems"][HOSTILE] = HOSTILE
    hostile = page(HOSTILE, html=f"<p>{HOSTILE.replace('<', '&lt;')} came out", gold=HOSTILE + " wanted \x00\u202e")
    html = report(tmp_path, measured, hostile)
    reader = parsed(html)
    assert reader.seen.isdisjoint({"script", "img"})
    assert "onerror" not in reader.attributes
    assert "alert('x')" in "".join(reader.texts)
    assert "\x00" not in html
    assert "\u202e" not in html
    for drawing in SVG.findall(html):
        ElementTree.fromstring(drawing)


def test_the_worst_pages_show_what_is_missing_and_what_is_too_much(tmp_path: Path) -> None:
    found = [row("bad", "alltext", 0.4), row("good", "alltext", 1.0), row("empty", "alltext", 0.0, empty_gold=True)]
    html = report(tmp_path, session(found), page("bad", gold="It rained all day. And all night."), page("good"))
    worst = html.partition('<section id="worst"')[2]
    assert "rain.example · lab" in worst
    assert "<ins>Home</ins> <span>" in worst
    assert "night.</del>" in worst
    assert ">good<" not in worst
    assert ">empty<" not in worst


def test_pages_with_snippets_alone_list_those_that_failed(tmp_path: Path) -> None:
    snippets: dict[str, object] = {
        "id": "s",
        "html": "<p>Menu</p>",
        "with": ["Rain fell"],
        "without": ["Menu", "Cookies"],
    }
    html = report(tmp_path, session([row("s", "alltext", 0.0)], metric="snippets"), snippets)
    assert "<li><del>Rain fell</del></li><li><ins>Menu</ins></li></ul>" in html


def test_a_page_that_is_gone_is_named_without_a_diff(tmp_path: Path) -> None:
    html = report(tmp_path, session([row("gone", "bte", 0.1)]), page("other"))
    assert "the page is no longer in its corpus" in html


@pytest.mark.parametrize(
    ("found", "sections"),
    [
        ([], []),
        ([row("p0", "resiliparse", 0.5)], ["summary", "pages"]),
        ([row("p0", "oracle", 1.0)], ["summary"]),
        ([row("p0", "bte", 1.0)], ["summary", "pages"]),
        ([row("p0", "bte", nan, tp=0, fp=0, fn=0), row("p0", "resiliparse", 0.5)], ["summary", "pages"]),
        ([row("p0", "bte", nan)], ["summary", "pages"]),
    ],
    ids=["nothing", "one peer", "only the ceiling", "perfect", "one without a figure", "no figure at all"],
)
def test_missing_parts_are_left_out(tmp_path: Path, found: list[Row], sections: list[str]) -> None:
    html = report(tmp_path, session(found), page("p0"), times=False)
    parsed(html)
    assert re.findall(r'<section id="(\w+)"', html) == sections
    assert "nan" not in re.sub(r"<style>.*</style>", "", html, flags=re.DOTALL).lower()


def test_times_of_zero_leave_out_the_plot_but_not_the_table(tmp_path: Path) -> None:
    html = report(tmp_path, session([row("p0", "resiliparse", 0.5, milliseconds=0.0)]), page("p0"))
    assert "CPU time over all pages" in html
    assert "Speed against accuracy on" not in html


def test_shares_without_counts_are_not_pooled(tmp_path: Path) -> None:
    found = [row("p0", "bte", 0.5, tp=0, fp=0, fn=0)]
    assert "micro F1" not in report(tmp_path, session(found, metric="similarity"), page("p0"))


def test_only_one_class_of_blocks_makes_curves_too(tmp_path: Path) -> None:
    same = BlockScores("bte", np.full(9, 0.7), np.zeros(9, dtype=np.bool_))
    html = report(tmp_path, session([row("p0", "bte", 1.0)], same), page("p0"))
    assert "Calibration" in html


def test_its_size_does_not_grow_with_the_pages(tmp_path: Path) -> None:
    long = page("p0", gold="wanted " * 90_000, html="<p>" + "came out " * 90_000, url="http://x.org/" + "a" * 9_000)
    found = [row("p0", "alltext", 0.0), *(row(f"q{number}" + "x" * 999, "alltext", 0.1) for number in range(500))]
    html = report(tmp_path, session(found), long)
    assert len(html) < 100_000


def test_a_diff_is_bounded_and_says_what_it_leaves_out() -> None:
    gold = " ".join(f"same{number} gold{number} more{number} next{number}" for number in range(4_000))
    output = " ".join(f"same{number} out{number} more{number} next{number}" for number in range(4_000))
    shown = diff.diff_markup(gold, output)
    assert len(shown) < 400_000
    assert re.search(r"<i>not shown: [\d,]+ more words</i>$", shown)
    assert len(diff.diff_markup("x" * 1_000_000, "")) < 100


def test_long_common_runs_are_collapsed() -> None:
    words = " ".join(f"w{number}" for number in range(100))
    assert "<i>76 more words in common</i>" in diff.diff_markup(words, words)


def test_chance_matches_amid_changes_do_not_tear_a_diff() -> None:
    found = diff.diff_runs("one two three of four five six", "a b c of d e f")
    assert [run.kind for run in found] == ["missing", "extra"]


def test_labels_of_a_crowded_plot_do_not_overlap() -> None:
    points = [charts.Point(f"system number {place}", 10 + place / 3, 0.8 + place % 4 / 200) for place in range(12)]
    axes = charts.Axes(charts.Scale(5, 40, 56, 800, log=True), charts.Scale(0.7, 0.9, 400, 34), "x", "y")
    boxes = charts._labels(points, axes, [])
    assert all(first.overlap(other) == 0 for place, first in enumerate(boxes) for other in boxes[:place])
