"""The experiment on downstream tasks, on invented pages: texts, queries, both kinds of search, classes, tables."""

import json
from pathlib import Path

import numpy as np
import pytest

from dehusk.gold.pages import GoldPage
from research import cache
from research.downstream import charts, queries, report, texts
from research.downstream.classification import UNIVERSITIES, Classified, classify, p_value
from research.downstream.paper import CLASSES
from research.downstream.runs import Runs
from research.downstream.search import MU, WordCounts, search, words_of
from research.downstream.texts import Source

# As words of the index: sheep were shorn june | bridg over river carrick | | june river river river
TEXTS = [
    "The sheep were shorn in June.",
    "Bridges over the river Carrick",
    "",
    "June and the river, the river, the river",
]


def test_both_models_find_the_page_that_was_meant() -> None:
    found = search(TEXTS, ["sheep shorn", "carrick bridge", "zebra", "rivers"], [0, 1, 0, 1])
    assert found.bm25.tolist() == [1, 1, 0, 2]  # the last page has the river three times
    assert found.likelihood.tolist() == [1, 1, 0, 2]
    assert found.index_bytes > 100


def test_query_likelihood_is_equation_8_of_the_paper() -> None:
    counts = WordCounts.of(TEXTS, {"june", "river"})
    assert counts.lengths.tolist() == [4, 4, 0, 4]
    in_all = {"june": 2 / 12, "river": 4 / 12}
    by_hand = {
        number: sum(np.log(1 + often / (MU * in_all[word])) for word, often in found.items())
        + 2 * np.log(MU / (MU + 4))
        for number, found in ((0, {"june": 1}), (1, {"river": 1}), (3, {"june": 1, "river": 3}))
    }
    assert counts.find(["june", "river"], 10) == sorted(by_hand, key=lambda number: -by_hand[number])
    assert counts.scores(["june", "river"])[[0, 1, 3]] == pytest.approx([by_hand[number] for number in (0, 1, 3)])
    assert words_of("The river's bridges") == ["river", "s", "bridg"]


class TestTexts:
    @pytest.fixture
    def read(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Return the ids of the pages that were cleaned."""
        seen: list[str] = []
        sources = [Source(str(number), f"<p>Page {number}", "en") for number in range(4)]
        monkeypatch.setattr(texts, "pages_of", lambda collection: iter(sources))

        def run(html: str, language: str | None) -> str:
            seen.append(html[-1])
            return html.removeprefix("<p>")

        monkeypatch.setattr(texts, "cleaner", lambda method: run)
        return seen

    def test_an_interrupted_run_continues(self, tmp_path: Path, read: list[str]) -> None:
        whole = tmp_path / cache.file_name("webkb", "bte", "jsonl")
        whole.with_suffix(".part").write_text('["Page 0", 0.1]\n["Page 1", 0.1]\n["Page', encoding="utf-8")
        found = texts.cleaned("webkb", "bte", tmp_path, lambda _: None)
        assert found.texts == [f"Page {number}" for number in range(4)]
        assert found.seconds >= 0.2
        assert read == ["2", "3"]
        texts.cleaned("webkb", "bte", tmp_path, lambda _: None)
        assert read == ["2", "3"]  # they are kept

    def test_every_way_of_cleaning_gives_text(self) -> None:
        page = "<title>Sheep</title><script>x = 1</script><p>The shearers came on the second of June, all four of them."
        assert texts.cleaner(texts.TAGS_REMOVED)(page, "en").startswith("Sheep x = 1 The shearers")
        for method in ("alltext", "resiliparse"):
            assert texts.cleaner(method)(page, "en").strip().startswith("The shearers")

    def test_other_weights_have_other_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cache, "shipped_folder", lambda name: tmp_path / name)
        (tmp_path / "mine").mkdir()
        names = set()
        for weights in (b"1", b"2", b"2"):
            (tmp_path / "mine" / "weights.npz").write_bytes(weights)
            names.add(cache.file_name("webkb", "mine", "jsonl"))
        assert len(names) == 2


def test_queries_are_about_pages_that_no_other_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = "It rained.\nThe shearers came early in June with their own stand."
    pages = [
        GoldPage("mine", "1", "all", "", gold, title="Shearing in the rain"),
        None,
        GoldPage("mine", "2", "all", "", "Another text, which two pages have, word for word.", title="Twice told"),
        GoldPage("mine", "3", "all", "", "Another text,  which two pages have, word for word.", title="Sheep at dusk"),
        GoldPage("mine", "4", "all", "", "Short.", title="Shearing  in the rain"),
    ]
    monkeypatch.setattr(queries, "_pages", lambda collection: iter(pages))
    monkeypatch.setattr(queries, "_usable", lambda page: True)
    found = queries.known_items(["mine"])
    assert [(item.kind, item.page) for item in found] == [("sentence", 0), ("four words", 0)]
    assert found[0].text == "the shearers came early in june with their own stand."
    assert set(found[1].text.split()) <= {"shearers", "came", "early", "june", "with", "their"}


def labelled() -> tuple[list[str], list[str], list[str]]:
    """Return pages whose class can be seen by one word, of all universities, with their classes and schools."""
    rows = [
        (f"{kind} page of {school}", kind, school)
        for school in (*UNIVERSITIES, "misc")
        for kind in CLASSES
        for _ in range(2)
    ]
    kinds, schools = [kind for _, kind, _ in rows], [school for _, _, school in rows]
    return [text for text, _, _ in rows], kinds, schools


@pytest.mark.parametrize("classifier", ["SVM", "naive Bayes"])
def test_each_university_is_predicted_by_the_others(classifier: str) -> None:
    pages, kinds, schools = labelled()
    found = classify(pages, np.array(kinds), np.array(schools), classifier)
    assert len(found.gold) == 4 * 2 * len(CLASSES)  # the miscellaneous ones are only learnt from
    assert found.f1 == (1.0,) * (1 + len(CLASSES))


def test_a_difference_by_chance_is_told_from_a_real_one() -> None:
    gold = np.array(CLASSES * 20)
    wrong = np.array([CLASSES[-1]] * len(gold))
    nearly = gold.copy()
    nearly[0] = CLASSES[1]
    assert p_value(Classified(gold, gold), Classified(gold, wrong)) < 0.01
    assert p_value(Classified(gold, gold), Classified(gold, nearly)) > 0.3


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Return runs over the small pages, by three methods of which one drops the first word."""
    pages, kinds, schools = labelled()
    rows = [{"class": kind, "school": school} for kind, school in zip(kinds, schools, strict=True)]
    sources = [Source(str(number), text, "en") for number, text in enumerate(pages)]
    monkeypatch.setattr("research.downstream.runs.webkb_rows", lambda: iter(rows))
    monkeypatch.setattr("research.downstream.runs.SEARCHED", ("webkb",))
    monkeypatch.setattr(texts, "pages_of", lambda collection: iter(sources))

    def cleaner(method: str) -> texts.Clean:
        return lambda html, language: html.partition(" ")[2] if method == "pyplexity" else html

    monkeypatch.setattr(texts, "cleaner", cleaner)
    for module in (report, charts):
        monkeypatch.setattr(module, "METHODS", ("alltext", "bte", "pyplexity"))
    items = [[kind, f"{CLASSES[number]} cornell", 2 * number] for number in range(7) for kind in queries.KINDS]
    (tmp_path / "queries.json").write_text(json.dumps(items), encoding="utf-8")
    return Runs(tmp_path, lambda _: None)


def test_the_tables_compare_with_all_text_and_the_paper(work: Runs, tmp_path: Path) -> None:
    svm, bayes, title, _, _, costs = report.tables(work)
    lines = {line.name: line for line in (*svm.lines, *title.lines)}
    ours = {name: [value or 0.0 for value in line.ours] for name, line in lines.items()}
    assert lines["RoBERTa base, perplexity below 8K"].paper[0] == 0.6350
    assert ours["bte ="][0] == 1.0
    assert ours["pyplexity ↓"][0] < 0.2
    assert lines["pyplexity ↓"].paper[0] == 0.6350
    assert ours["pyplexity ↓ ↓"][0] < 50 < ours["alltext = ="][0]
    assert bayes.title.endswith("naive Bayes")
    empty, text, *_ = (value or 0.0 for value in costs.lines[-1].ours)
    assert empty == 0.0
    assert 0 < text < 80
    assert costs.lines[-1].paper[3] == pytest.approx(24.3, abs=0.1)
    charts.draw(work, tmp_path / "downstream.png")
    assert (tmp_path / "downstream.png").stat().st_size > 10_000
